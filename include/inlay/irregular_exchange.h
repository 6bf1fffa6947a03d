/*
 * Moving data (see irregular.h for the rules): once to new owners, and in each sweep the ghosts.
 *
 *     inlay_remap()              remap          a schedule from one distribution to another
 *     inlay_csr_remap()          csr_remap      the same for rows of a CSR structure, with schedules for its arrays
 *     inlay_schedule_move()      gather         uses a schedule
 *     inlay_halo_make()          localize       global references become local numbers; ghosts behind the own elements
 *     inlay_halo_gather()        gather         fetches the values of ghosts from their owners
 *     inlay_halo_scatter_add()   scatter-add    adds what was accumulated in ghosts to their owners
 *
 * Ghosts move once each, in one message to each neighbour, through neighbourhood collectives.
 */
#ifndef INLAY_IRREGULAR_EXCHANGE_H
#define INLAY_IRREGULAR_EXCHANGE_H

#include <inlay/irregular_table.h>

/* ---- To new owners ---- */

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

/* ---- Ghosts ---- */

typedef struct inlay_halo inlay_halo;

/**
 * Localises the references of this rank: local[i] is the offset of element g[i] where this rank owns it, else
 * own + k for ghost k, own = inlay_table_local(). Ghosts are numbered by owner, then by offset there. INLAY_BAD_ARGUMENT
 * where an element is out of range. Collective.
 */
INLAY_API int inlay_halo_make(const inlay_table *table, const int64_t *g, int64_t count, int32_t *local,
                              inlay_halo **halo, inlay_diag *diag);
INLAY_API void inlay_halo_free(inlay_halo *halo); /**< collective: frees communicators */

/** What a halo moves, of this rank. */
typedef struct inlay_halo_figures {
    int32_t own, ghosts; /**< arrays need own + ghosts entries */
    int32_t sends;       /**< entries sent in a gather, and received in a scatter-add */
    int neighbours_in;   /**< ranks that own ghosts of this one: a message from each in a gather */
    int neighbours_out;  /**< ranks that have ghosts that this one owns: a message to each */
} inlay_halo_figures;

INLAY_API inlay_halo_figures inlay_halo_figures_of(const inlay_halo *halo);

/**
 * value[(own + ghosts) x width]: fills the ghosts with the values of their owners. `width`, >= 1, is the same on all ranks.
 * Collective, but a rank waits for its neighbours alone, unless `width` is greater than in any call before.
 */
INLAY_API int inlay_halo_gather(inlay_halo *halo, double *value, int width, inlay_diag *diag);

/**
 * Adds value[] of each ghost to its owner's, in the order of the neighbours' ranks, and leaves the ghosts zero.
 * Collective, in the same way.
 */
INLAY_API int inlay_halo_scatter_add(inlay_halo *halo, double *value, int width, inlay_diag *diag);

#endif
