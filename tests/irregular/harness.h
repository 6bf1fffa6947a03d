/*
 * Tests on several ranks. `mpirun -n 8 unit-irregular [SUITE...]` runs each suite on the first 1, 2, 3, 5 and 8 ranks, in a
 * communicator of their own. A suite is `void suite_NAME(harness *h)` in test_NAME.c; it begins cases with harness_case()
 * and checks with check(), on any rank. A case has passed where no rank has seen a check fail.
 */
#ifndef INLAY_TESTS_HARNESS_H
#define INLAY_TESTS_HARNESS_H

#include <inlay/status.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct harness {
    MPI_Comm comm; /* of the ranks that run the suite */
    int rank, ranks;
    const char *suite;
    char name[120]; /* of the case; "": none has begun */
    int failed;     /* checks of the case, on this rank */
    bool skipped;   /* the case */
    int cases_passed, cases_failed, cases_skipped;
    inlay_diag *diag; /* for calls that are to succeed: check_ok() shows its message */
} harness;

/* The suites, one a file. */
#define SUITE(name) void suite_##name(harness *h);
#include "suites.inc"
#undef SUITE

/* Begins a case, which ends the one before; collective over h->comm. */
__attribute__((format(printf, 2, 3))) void harness_case(harness *h, const char *format, ...);
void harness_end(harness *h); /* ends the last case; main.c calls it */

/* Counts the case as skipped, on all ranks; the suite goes on behind it. */
void harness_skip(harness *h, const char *why);

bool harness_check(harness *h, bool holds, const char *what, const char *file, int line);

/* Local. True where the condition holds. */
#define check(h, condition) harness_check(h, condition, #condition, __FILE__, __LINE__)

/* The call succeeds. */
#define check_ok(h, call) harness_ok(h, call, #call, __FILE__, __LINE__)
bool harness_ok(harness *h, int status, const char *what, const char *file, int line);

/* The call fails with this status and a message that contains `text`; `diag` is what the call was given. */
#define check_fails(h, call, status, text, diag) harness_fails(h, call, status, text, diag, #call, __FILE__, __LINE__)
bool harness_fails(harness *h, int got, int status, const char *text, const inlay_diag *diag, const char *what,
                   const char *file, int line);

/* Numbers that all ranks draw alike from the same state, which must not be 0: below `bound`, > 0. */
uint64_t harness_draw(uint64_t *state, uint64_t bound);

#endif
