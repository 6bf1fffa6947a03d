/* The processors that this program was started with, and one alone for libraries while they begin. */
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): asks for sched_setaffinity()
#include "affinity.h"
#include <sched.h>
#include <stdbool.h>

static cpu_set_t started_with;
static bool known;

/* Before any library begins; a sanitizer's memory is not there yet. */
__attribute__((no_sanitize("address", "undefined"))) static void keep(void)
{
    cpu_set_t one;
    size_t processor = 0;
    known = sched_getaffinity(0, sizeof started_with, &started_with) == 0;
    while (known && processor < CPU_SETSIZE - 1 && !CPU_ISSET(processor, &started_with)) {
        processor++;
    }
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    if (known) {
        (void)sched_setaffinity(0, sizeof one, &one);
    }
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = keep;

void affinity_restore(void)
{
    if (known) {
        (void)sched_setaffinity(0, sizeof started_with, &started_with);
    }
}
