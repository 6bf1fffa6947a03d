#include "base/plain.h"
#include "harness.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void harness_end(harness *h)
{
    if (h->name[0] != '\0') {
        int failed = 0;
        MPI_Allreduce(&h->failed, &failed, 1, MPI_INT, MPI_SUM, h->comm);
        h->cases_failed += failed > 0;
        h->cases_skipped += failed == 0 && h->skipped;
        h->cases_passed += failed == 0 && !h->skipped;
    }
    h->name[0] = '\0';
    h->failed = 0;
    h->skipped = false;
}

void harness_skip(harness *h, const char *why)
{
    h->skipped = true;
    if (h->rank == 0) {
        printf("skipped: suite %s on %d ranks, case \"%s\": %s\n", h->suite, h->ranks, h->name, why);
    }
}

void harness_case(harness *h, const char *format, ...)
{
    harness_end(h);
    va_list arguments;
    va_start(arguments, format);
    plain_vprint(h->name, sizeof h->name, format, arguments);
    va_end(arguments);
}

/* A loop of checks that fail is told by its first ones. */
enum { SHOWN = 5 };

static void say(harness *h, const char *what, const char *more, const char *file, int line)
{
    if (h->failed++ < SHOWN) {
        printf("%s:%d: suite %s on %d ranks, case \"%s\", rank %d: %s%s%s\n", file, line, h->suite, h->ranks, h->name,
               h->rank, what, more[0] != '\0' ? ": " : "", more);
        fflush(stdout);
    }
}

bool harness_check(harness *h, bool holds, const char *what, const char *file, int line)
{
    if (!holds) {
        say(h, what, "", file, line);
    }
    return holds;
}

bool harness_ok(harness *h, int status, const char *what, const char *file, int line)
{
    if (status != INLAY_OK) {
        say(h, what, inlay_diag_message(h->diag), file, line);
    }
    return status == INLAY_OK;
}

bool harness_fails(harness *h, int got, int status, const char *text, const inlay_diag *diag, const char *what,
                   const char *file, int line)
{
    const char *message = inlay_diag_message(diag);
    bool as_expected = got == status && strstr(message, text) != NULL;
    if (!as_expected) {
        char more[400];
        snprintf(more, sizeof more, "status %d, \"%s\"; expected %d, \"%s\"", got, message, status, text);
        say(h, what, more, file, line);
    }
    return as_expected;
}

/* G. Marsaglia's xorshift64*, 2003. */
uint64_t harness_draw(uint64_t *state, uint64_t bound)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (*state * 2685821657736338717U >> 11) % bound;
}
