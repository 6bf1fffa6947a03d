/* Whole things shared out by speed. */
#include "base/diag.h"
#include "base/heap.h"
#include "base/memory.h"
#include "grid/grid.h"
#include <stdlib.h>

int64_t grid_proportion(int64_t length, int64_t first, int64_t second)
{
    grid_wide sum = (grid_wide)first + (grid_wide)second;
    return (int64_t)((2 * (grid_wide)length * (grid_wide)first + sum) / (2 * sum));
}

static int64_t sum_of(int32_t processors, const int64_t *whole)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < processors; i++) {
        sum += whole[i];
    }
    return sum;
}

/* floor(N s_i / S); gives what is left over, fewer than there are processors. */
static int64_t round_down(int64_t count, int32_t processors, const int64_t *whole, int64_t sum, int64_t *share)
{
    int64_t left = count;
    for (int32_t i = 0; i < processors; i++) {
        share[i] = (int64_t)((grid_wide)count * (grid_wide)whole[i] / (grid_wide)sum);
        left -= share[i];
    }
    return left;
}

/* Rounded sums of the shares so far. */
static void share_cumulative(int64_t count, int32_t processors, const int64_t *whole, int64_t *share)
{
    int64_t sum = sum_of(processors, whole);
    int64_t so_far = 0;
    int64_t before = 0;
    for (int32_t i = 0; i < processors; i++) {
        so_far += whole[i];
        int64_t end = grid_proportion(count, so_far, sum - so_far);
        share[i] = end - before;
        before = end;
    }
}

/* ---- What is left over goes to whoever is first in an order ---- */

typedef struct queue {
    int32_t *heap;
    int32_t count;
    const int64_t *whole, *share;
    int64_t things, sum;
    inlay_grid_shares rule;
} queue;

/* MAKESPAN: the least (share + 1) / speed; HAMILTON: the largest remainder of N s_i / S. Ties: the lower rank. */
static bool is_before(const void *context, const void *left, const void *right)
{
    const queue *q = context;
    int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    grid_wide x = 0;
    grid_wide y = 0;
    if (q->rule == INLAY_GRID_MAKESPAN) {
        x = (grid_wide)(q->share[a] + 1) * (grid_wide)q->whole[b];
        y = (grid_wide)(q->share[b] + 1) * (grid_wide)q->whole[a];
    } else {
        /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): the sum of speeds, each of which is 1 or more */
        x = (grid_wide)q->things * (grid_wide)q->whole[b] % (grid_wide)q->sum;
        y = (grid_wide)q->things * (grid_wide)q->whole[a] % (grid_wide)q->sum;
    }
    return x != y ? x < y : a < b;
}

static void give_rest(queue *q, int64_t left, int64_t *share)
{
    for (int32_t i = 0; i < q->count; i++) {
        q->heap[i] = i;
    }
    const heap next = {q->heap, sizeof *q->heap, is_before, q};
    heap_order(next, (size_t)q->count);
    for (; left > 0; left--) {
        share[q->heap[0]]++;
        if (q->rule == INLAY_GRID_HAMILTON) {
            heap_drop(next, (size_t)--q->count); /* one each */
        } else {
            heap_sink(next, (size_t)q->count, 0);
        }
    }
}

int grid_share(inlay_grid_shares rule, int64_t count, int32_t processors, const int64_t *whole, int64_t *share,
               inlay_diag *diag)
{
    if (rule == INLAY_GRID_CUMULATIVE) {
        share_cumulative(count, processors, whole, share);
        return INLAY_OK;
    }
    queue q = {.count = processors,
               .whole = whole,
               .share = share,
               .things = count,
               .sum = sum_of(processors, whole),
               .rule = rule};
    int64_t left = round_down(count, processors, whole, q.sum, share);
    if (left > 0) {
        q.heap = memory_array((size_t)processors, sizeof *q.heap);
        if (q.heap == NULL) {
            return diag_no_memory(diag);
        }
        give_rest(&q, left, share);
        free(q.heap);
    }
    return INLAY_OK;
}

/* ---- Small helpers of several methods ---- */

int32_t grid_smaller_factor(int32_t number)
{
    int32_t best = 1;
    for (int32_t a = 2; a <= number / a; a++) {
        if (number % a == 0) {
            best = a;
        }
    }
    return best;
}
