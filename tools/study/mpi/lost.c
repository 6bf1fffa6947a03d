/*
 * The end where a host is lost. Open MPI's launcher waits for that host for a quarter of an hour before it gives up: where it
 * is still there some seconds after all has been called off, a process of ours ends it.
 */
#include "ranks.h"
#include "report.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Whether a process is a launcher as we know them. */
static bool is_launcher(pid_t process)
{
    static const char *const known[] = {"mpirun", "mpiexec", "orterun", "orted", "prterun", "prted"};
    enum { NAME = 32 };
    char path[NAME], name[NAME] = "";
    (void)snprintf(path, sizeof path, "/proc/%ld/comm", (long)process);
    FILE *file = fopen(path, "r");
    bool read = file != NULL && fgets(name, sizeof name, file) != NULL;
    if (file != NULL) {
        (void)fclose(file);
    }
    name[strcspn(name, "\n")] = '\0';
    for (size_t i = 0; read && i < sizeof known / sizeof *known; i++) {
        if (strcmp(name, known[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void rest(void)
{
    const struct timespec second = {.tv_sec = 1};
    (void)nanosleep(&second, NULL);
}

/* In a process that the launcher does not know. A second signal soon after the first is heeded at once. */
static void end_launcher(pid_t launcher)
{
    enum { PATIENCE = 5, SIGNALS = 3 /* seconds */ };
    for (int i = 0; i < PATIENCE && is_launcher(launcher); i++) {
        rest();
    }
    for (int i = 0; i < SIGNALS && is_launcher(launcher); i++) {
        (void)kill(launcher, SIGTERM);
        rest();
    }
    if (is_launcher(launcher)) {
        (void)kill(launcher, SIGKILL);
    }
    _exit(EXIT_DONE);
}

void ranks_lost(int rank, double silence)
{
    say(stderr,
        "inlay study: rank %d is lost: nothing was heard of it for %.3g s; what was found is kept, and the same "
        "command goes on "
        "behind it\n",
        rank, silence);
    pid_t launcher = getppid();
    (void)fflush(NULL);
    pid_t own = is_launcher(launcher) ? fork() : -1;
    if (own == 0) {
        (void)setsid();
        end_launcher(launcher);
    }
    for (pid_t session = 0; own > 0 && session >= 0 && session != own;) { /* the launcher ends all of our session */
        session = getsid(own);
    }
    ranks_abort(EXIT_SYSTEM);
}
