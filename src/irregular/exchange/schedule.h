/*
 * Schedules from inside: what inlay_schedule_move() follows, and how the functions of this room make them.
 */
#ifndef IRREGULAR_EXCHANGE_SCHEDULE_H
#define IRREGULAR_EXCHANGE_SCHEDULE_H

#include "irregular/exchange/collective.h"
#include <inlay/irregular_exchange.h>

struct inlay_schedule {
    exchange *x;    /**< how many entries go where. Its messages leave out what stays on its rank, which is copied */
    int32_t *take;  /**< [x->sends] entries of the old array, by the rank that gets them */
    int32_t *place; /**< [x->receives] where what comes belongs, by the rank that it comes from; NULL: in this order */
};

/**
 * inlay_remap_items() that also hands out the numbers of the items that come, ascending: *arrived[*received], which the
 * caller frees. Collective.
 */
int schedule_of_items(MPI_Comm comm, const int64_t *number, const int32_t *owner, int32_t count, inlay_schedule **made,
                      int64_t **arrived, int32_t *received, inlay_diag *diag);

/** From here on the exchange sends nothing to its own rank; to[] and from[] stay as they are. */
void schedule_leave_out_own(exchange *x);

/**
 * Rows that move by `rows` take their entries with them, in the same order. start[] of the old rows says where their
 * entries lie; *new_start[rows + 1] says it of the new ones, and the caller frees it. INLAY_BAD_ARGUMENT where start[0] is not
 * 0 or start[] descends. Collective.
 */
int schedule_of_entries(const inlay_schedule *rows, const int64_t *start, int64_t old_rows, inlay_schedule **entries,
                        int64_t **new_start, inlay_diag *diag);

#endif
