/* Signals that end a program. */
#include "endings.h"
#include <stddef.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDINGS = sizeof signals / sizeof *signals };

void endings_set(sigset_t *endings)
{
    sigemptyset(endings);
    for (size_t i = 0; i < ENDINGS; i++) {
        struct sigaction action;
        if (sigaction(signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
            sigaddset(endings, signals[i]);
        }
    }
}

void endings_hold(sigset_t *before)
{
    sigset_t set;
    endings_set(&set);
    (void)pthread_sigmask(SIG_BLOCK, &set, before);
}

void endings_release(const sigset_t *before)
{
    (void)pthread_sigmask(SIG_SETMASK, before, NULL);
}
