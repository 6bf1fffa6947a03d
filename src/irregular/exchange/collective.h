/*
 * What the collective functions of this room share: agreeing on failure, small reductions, and exchanges in which each
 * rank has something for each other.
 *
 * A collective function agrees after each phase that can fail on one rank alone (allocations, checks of its arguments),
 * before the next exchange: no rank waits for one that has given up.
 *
 *     int status = prepare(...);                      // local, may fail
 *     status = collective_agree(comm, status, diag);  // the same on all ranks from here on
 *     if (status != INLAY_OK) ...
 */
#ifndef IRREGULAR_EXCHANGE_COLLECTIVE_H
#define IRREGULAR_EXCHANGE_COLLECTIVE_H

#include <inlay/status.h>
#include <mpi.h>
#include <stdint.h>

/**
 * INLAY_OK where `status` is INLAY_OK on all ranks; else the status of the lowest rank where it is not, whose message
 * and remedy all ranks then have. INLAY_NO_MEMORY also where a rank has too little left for MPI to exchange anything, since
 * that follows. Collective.
 */
int collective_settle(MPI_Comm comm, int status, inlay_diag *diag);

/** The same. Inline, so that a reader (and an analyser) sees that it is never INLAY_OK where `status` is not. */
static inline int collective_agree(MPI_Comm comm, int status, inlay_diag *diag)
{
    int agreed = collective_settle(comm, status, diag);
    return agreed == INLAY_OK ? status : agreed;
}

/** INLAY_OK for MPI_SUCCESS; else INLAY_SYSTEM with MPI's own words. For communicators that return their errors. */
int collective_mpi(int code, inlay_diag *diag);

int collective_rank(MPI_Comm comm);
int collective_ranks(MPI_Comm comm);

/* Reductions of one number. Collective. */
int64_t collective_sum(MPI_Comm comm, int64_t value);
int64_t collective_most(MPI_Comm comm, int64_t value);
int64_t collective_least(MPI_Comm comm, int64_t value);
int64_t collective_before(MPI_Comm comm, int64_t value); /**< the sum over all lower ranks; 0 on rank 0 */

/**
 * An exchange: how many entries go from each rank to each. What goes to rank r lies in to[r] .. to[r + 1] - 1 of the array
 * that is sent, what comes from it in from[r] .. from[r + 1] - 1 of the one that is received.
 */
typedef struct exchange {
    MPI_Comm comm;
    int ranks;
    int64_t *to, *from;      /**< [ranks + 1] */
    int64_t sends, receives; /**< to[ranks], from[ranks] */
    int *counts;             /**< [4 x ranks] MPI's form of the same: counts and starts out, counts and starts in */
} exchange;

/**
 * count[r] >= 0 entries go to rank r. INLAY_OVERFLOW where a rank sends or receives 2^31 entries or more. Agreed upon;
 * collective.
 */
int exchange_make(MPI_Comm comm, const int64_t *count, exchange **made, inlay_diag *diag);

/** Item i goes to rank owner[i]. INLAY_BAD_ARGUMENT where that is no rank. Agreed upon; collective. */
int exchange_of_owners(MPI_Comm comm, const int32_t *owner, int64_t items, exchange **made, inlay_diag *diag);
void exchange_free(exchange *x);

/** Where item i of exchange_of_owners() belongs in the array that is sent: items keep their order. Local. */
int exchange_places(const exchange *x, const int32_t *owner, int64_t items, int32_t *place, inlay_diag *diag);

/** Sends entries of `bytes` bytes; `receive` has room for x->receives of them and overlaps nothing. Collective. */
int exchange_run(const exchange *x, const void *send, void *receive, size_t bytes, inlay_diag *diag);

/** The way back, for answers: from entries in the order received to entries in the order sent. Collective. */
int exchange_back(const exchange *x, const void *send, void *receive, size_t bytes, inlay_diag *diag);

#endif
