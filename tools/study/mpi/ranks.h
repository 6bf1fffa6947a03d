/*
 * What ranks say to each other. Rank 0 hands out points and keeps rows; it works too.
 *
 * To rank 0 go rows, with one of three meanings; from it come points, and words that it is there. Whoever has nothing to
 * say says so often enough: a rank that is silent for longer than the user has patience is lost.
 */
#ifndef TOOLS_STUDY_MPI_RANKS_H
#define TOOLS_STUDY_MPI_RANKS_H

#include "options.h"
#include "pool.h"
#include "study/study_values.h"
#include <mpi.h>

enum {
    TAG_ROWS = 1, /* to rank 0: rows, or none: I am there */
    TAG_ASK,      /* the same, and I want points */
    TAG_DONE,     /* the same, the last that come from me */
    TAG_FAILED,   /* I cannot go on: why, as text */
    TAG_POINTS,   /* from rank 0: int64_t each; none: there are no more */
    TAG_THERE     /* I am there */
};

static const double often = 1;     /* seconds from one word to the next */
static const double between = 0.1; /* from rows to rows */

typedef struct ranks {
    const invocation *call;
    const inlay_study *study;
    int rank, ranks;
    int threads; /* that work, on each */
    double patience;
} ranks;

/** Wait for a call of MPI without keeping a core busy. */
void ranks_settle(MPI_Request *request);

/** End all ranks, with a status; what rank 0 had to say is said. */
void ranks_abort(int status) __attribute__((noreturn));

/** The same where nothing was heard of a rank for so many seconds: it is lost, perhaps with its host, which is said. */
void ranks_lost(int rank, double silence) __attribute__((noreturn));

/** The part of rank 0, and of the others. An exit status; that of the others is for themselves. */
int ranks_lead(const ranks *r, inlay_diag *diag);
int ranks_follow(const ranks *r);

#endif
