/* Weighted selection: the first vertices of each of many distributed groups, in some order, up to a given weight. */
#ifndef IRREGULAR_EXCHANGE_SELECTION_H
#define IRREGULAR_EXCHANGE_SELECTION_H

#include <inlay/status.h>
#include <mpi.h>
#include <stdint.h>

/** The question; groups lie on all ranks. */
typedef struct selection {
    MPI_Comm comm;
    int32_t rows;          /**< vertices of this rank */
    const int32_t *group;  /**< [rows] 0 .. groups - 1; -1: of no interest */
    const int64_t *weight; /**< [rows], >= 0 */
    int32_t groups;
    const int64_t *goal; /**< [groups], >= 0: weight to select; the same on all ranks */

    /** Vertices are ordered by word 0 of their keys, then by word 1, and so on; the last words of a group differ. Word w has
     *  `bits[w]` bits, 1 to 64. */
    int words;
    const int *bits;
    uint64_t (*key)(const void *context, int32_t row, int word);
    const void *context;
} selection;

/**
 * selected[i] is 1 for the first vertices of each group, whose weight comes closest to the goal, and else 0; it is left as it
 * is for vertices of no group. Collective; agreed upon.
 */
int selection_run(const selection *s, uint8_t *selected, inlay_diag *diag);

#endif
