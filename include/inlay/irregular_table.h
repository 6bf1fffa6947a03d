/*
 * Who owns which element: block distributions, translation tables and dereferencing (see irregular.h for the rules).
 *
 * A translation table says of each global element on which rank it lies (owner) and where there (offset, from 0). It is
 * paged: entry g lies on the rank that would own g in a block distribution, so that no rank holds it all, and asking for
 * entries of others takes two exchanges. Block distributions need no entries.
 */
#ifndef INLAY_IRREGULAR_TABLE_H
#define INLAY_IRREGULAR_TABLE_H

#include <inlay/status.h>
#include <mpi.h>
#include <stdint.h>

/* ---- The block distribution of n elements: rank r owns floor(r n / P) .. floor((r + 1) n / P) - 1 ---- */

/** First element of `rank`; n for rank = ranks. */
INLAY_API int64_t inlay_block_first(int64_t n, int ranks, int rank);
/** floor(((g + 1) P - 1) / n). */
INLAY_API int inlay_block_owner(int64_t n, int ranks, int64_t g);

/* ---- Translation tables ---- */

typedef struct inlay_table inlay_table;

/** The block distribution of n elements over the ranks of `comm`. Collective. */
INLAY_API int inlay_table_block(MPI_Comm comm, int64_t n, inlay_table **table, inlay_diag *diag);

/**
 * Any distribution: this rank owns the elements owned[0 .. count), in this order. INLAY_BAD_ARGUMENT where an element is
 * out of range, or is owned twice or by nobody. Collective.
 */
INLAY_API int inlay_table_owned(MPI_Comm comm, int64_t n, const int64_t *owned, int32_t count, inlay_table **table,
                                inlay_diag *diag);

/**
 * What a partitioner returned: part[i] is the rank that shall own the i-th element that this rank owns in `from`. The
 * offset of an element is the number of smaller elements with the same owner. INLAY_BAD_ARGUMENT where a part is no
 * rank of the communicator. Collective.
 */
INLAY_API int inlay_table_of_parts(const inlay_table *from, const int32_t *part, inlay_table **table, inlay_diag *diag);
INLAY_API void inlay_table_free(inlay_table *table);

INLAY_API MPI_Comm inlay_table_comm(const inlay_table *table);
INLAY_API int64_t inlay_table_elements(const inlay_table *table); /**< n */
INLAY_API int32_t inlay_table_local(const inlay_table *table);    /**< how many this rank owns */

/** Writes the global numbers of this rank's elements by offset: inlay_table_local() of them. Local. */
INLAY_API void inlay_table_globals(const inlay_table *table, int64_t *globals);

/**
 * Dereferences: owner[i] and offset[i] of element g[i], for any elements, repeated or not (offset may be NULL). Each
 * element is asked for once. INLAY_BAD_ARGUMENT where one is not in 0 .. n - 1. Collective.
 */
INLAY_API int inlay_table_dereference(const inlay_table *table, const int64_t *g, int64_t count, int32_t *owner,
                                      int32_t *offset, inlay_diag *diag);

#endif
