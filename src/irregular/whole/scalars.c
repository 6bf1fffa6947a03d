/* Scalars of a loop: reductions, last values, choices. */
#include "base/clock.h"
#include "base/diag.h"
#include "irregular/exchange/collective.h"
#include "irregular/whole/whole.h"
#include <stdlib.h>
#include <string.h>

void inlay_loop_neutral(inlay_access access, inlay_number number, void *scalar, void *before)
{
    memcpy(before, scalar, whole_number_size(number));
    whole_number_neutral(access, number, scalar);
}

int inlay_loop_reduce(inlay_loop *loop, inlay_access access, inlay_number number, void *scalar, const void *before)
{
    whole_state *w = loop_of(loop)->whole;
    DIAG_CALL(w->whole.diag);
    size_t size = whole_number_size(number);
    int code = MPI_Allgather(scalar, (int)size, MPI_BYTE, w->parts, (int)size, MPI_BYTE, w->whole.comm);
    char result[WIDEST_NUMBER];
    char *const at[1] = {result};
    memcpy(result, before, size);
    for (int r = 0; r < w->whole.ranks; r++) {
        whole_number_combine(access, number, at, w->parts + (size_t)r * size, 1);
    }
    memcpy(scalar, result, size);
    return collective_mpi(code, w->whole.diag);
}

int inlay_loop_last(inlay_loop *loop, void *scalar, size_t size)
{
    const loop_state *l = loop_of(loop);
    whole_state *w = l->whole;
    DIAG_CALL(w->whole.diag);
    if (l->current->last_rank < 0) {
        return INLAY_OK;
    }
    return collective_mpi(MPI_Bcast(scalar, (int)size, MPI_BYTE, l->current->last_rank, w->whole.comm), w->whole.diag);
}

/* ---- Choices ---- */

/* What a rank chose. */
typedef struct choice {
    char best[WIDEST_NUMBER];
    int64_t place; /* among this rank's iterations, told as the order of all below */
    int chosen;
} choice;

/* Whether the loop counts down: told by the first and the last iteration of a rank that has two. */
static int64_t direction(const inlay_loop *loop)
{
    int64_t mine = loop->count < 2 ? 0 : loop->range[loop->ranges - 1].last < loop->range[0].first ? -1 : 1;
    int64_t least = 0;
    MPI_Allreduce(&mine, &least, 1, MPI_INT64_T, MPI_MIN, loop->whole->comm);
    return least < 0 ? -1 : 1;
}

/* Whether b goes before a. */
static bool better(inlay_access access, inlay_number number, const choice *a, const choice *b, bool later)
{
    int order = access == INLAY_ACCESS_WRITE ? 0 : whole_number_compare(number, b->best, a->best);
    order = access == INLAY_ACCESS_MAX ? -order : order;
    if (order != 0) {
        return order < 0;
    }
    return later || access == INLAY_ACCESS_WRITE ? b->place > a->place : b->place < a->place;
}

int inlay_loop_select(inlay_loop *loop, inlay_access access, inlay_number number, const void *best, bool chosen,
                      int64_t position, bool later, const inlay_carried *carried, int count)
{
    whole_state *w = loop_of(loop)->whole;
    DIAG_CALL(w->whole.diag);
    size_t size = best == NULL ? 0 : whole_number_size(number);
    int ranks = w->whole.ranks, winner = -1;
    choice mine = {.chosen = chosen}, *all = memory_zeroed((size_t)ranks, sizeof *all);
    int status = collective_agree(w->whole.comm, all == NULL ? diag_no_memory(w->whole.diag) : INLAY_OK, w->whole.diag);
    if (status != INLAY_OK || all == NULL) {
        return status;
    }
    mine.place = position * direction(loop);
    if (best != NULL) {
        memcpy(mine.best, best, size);
    }
    int code = MPI_Allgather(&mine, (int)sizeof mine, MPI_BYTE, all, (int)sizeof mine, MPI_BYTE, w->whole.comm);
    for (int r = 0; r < ranks; r++) {
        if (all[r].chosen != 0 && (winner < 0 || better(access, number, &all[winner], &all[r], later))) {
            winner = r;
        }
    }
    for (int k = 0; k < count && winner >= 0 && code == MPI_SUCCESS; k++) {
        code = MPI_Bcast(carried[k].at, (int)carried[k].size, MPI_BYTE, winner, w->whole.comm);
    }
    free(all);
    return collective_mpi(code, w->whole.diag);
}
