/*
 * Moving data once, to new owners (see irregular.h for the rules); ghosts in each sweep are in irregular_halo.h.
 *
 *     inlay_remap()              remap          a schedule from one distribution to another
 *     inlay_csr_remap()          csr_remap      the same for rows of a CSR structure, with schedules for its arrays
 *     inlay_schedule_move()      gather         uses a schedule
 */
#ifndef INLAY_IRREGULAR_EXCHANGE_H
#define INLAY_IRREGULAR_EXCHANGE_H

#include <inlay/irregular_halo.h>
#include <inlay/irregular_table.h>

/** Which local entries go to which rank, and where those that come are put. */
typedef struct inlay_schedule inlay_schedule;

INLAY_API void inlay_schedule_free(inlay_schedule *schedule);

/** From the distribution `from` to the distribution `to` of the same elements. INLAY_BAD_ARGUMENT where they have other ranks,
 *  or another number of elements. Collective. */
INLAY_API int inlay_remap(const inlay_table *from, const inlay_table *to, inlay_schedule **schedule, inlay_diag *diag);

/** For any list of items: item i of this rank goes to rank owner[i]; there they lie in the order of their numbers.
 *  `*received` tells how many come. Conforming arrays of iterations move with it. INLAY_BAD_ARGUMENT where two with the same
 *  number meet on a rank, or owner[i] is no rank. Collective. */
INLAY_API int inlay_remap_items(MPI_Comm comm, const int64_t *number, const int32_t *owner, int32_t count,
                                inlay_schedule **schedule, int32_t *received, inlay_diag *diag);

INLAY_API int64_t inlay_schedule_sends(const inlay_schedule *schedule);    /**< entries of `from` of this rank */
INLAY_API int64_t inlay_schedule_receives(const inlay_schedule *schedule); /**< entries of `to` of this rank */

/**
 * Moves an array: entry i of `from` lies in `bytes` bytes, and so does each entry of `to`, which must not overlap.
 * Collective.
 */
INLAY_API int inlay_schedule_move(const inlay_schedule *schedule, const void *from, void *to, size_t bytes,
                                  inlay_diag *diag);

/** A CSR structure at its new owners. */
typedef struct inlay_csr {
    int32_t rows;
    int64_t *start;            /**< [rows + 1] */
    int64_t *column;           /**< global numbers, unchanged */
    inlay_schedule *entries;   /**< schedule 1: arrays with a value for each entry (vals) */
    inlay_schedule *conformal; /**< schedule 2: arrays with a value for each row (diags) */
} inlay_csr;

/** start[rows + 1] and column[] of the rows that this rank owns in `from`, by offset; start[0] is 0. INLAY_OVERFLOW where a
 *  rank has 2^31 entries or more. Collective. */
INLAY_API int inlay_csr_remap(const inlay_table *from, const inlay_table *to, const int64_t *start,
                              const int64_t *column, inlay_csr **csr, inlay_diag *diag);
INLAY_API void inlay_csr_free(inlay_csr *csr);

#endif
