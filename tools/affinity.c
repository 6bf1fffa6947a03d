/* The processors that this program was started with. */
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): asks for sched_getaffinity()
#include "affinity.h"
#include <sched.h>
#include <stdbool.h>

static cpu_set_t started_with;
static bool known;

/* Before any library begins; a sanitizer's memory is not there yet. */
__attribute__((no_sanitize("address", "undefined"))) static void keep(void)
{
    known = sched_getaffinity(0, sizeof started_with, &started_with) == 0;
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = keep;

void affinity_restore(void)
{
    if (known) {
        (void)sched_setaffinity(0, sizeof started_with, &started_with);
    }
}
