/* Block rows dealt to process rows, in turn or by weight, counted from the last one back. */
#include "base/heap.h"
#include "processes/dense.h"
#include <math.h>
#include <string.h>

/* ---- Weights ---- */

void dense_weigh(const double *speed, const int32_t shape[2], double *weight)
{
    int32_t p = shape[0], q = shape[1];
    double *r = weight, *c = weight + p;
    for (int32_t i = 0; i < p; i++) {
        r[i] = 0;
        for (int32_t j = 0; j < q; j++) {
            r[i] += speed[(size_t)i * (size_t)q + (size_t)j] / q;
        }
    }
    for (int32_t j = 0; j < q; j++) {
        c[j] = INFINITY;
        for (int32_t i = 0; i < p; i++) {
            c[j] = fmin(c[j], speed[(size_t)i * (size_t)q + (size_t)j] / r[i]);
        }
    }
    for (int32_t i = 0; i < p; i++) {
        r[i] = INFINITY;
        for (int32_t j = 0; j < q; j++) {
            r[i] = fmin(r[i], speed[(size_t)i * (size_t)q + (size_t)j] / c[j]);
        }
    }
}

/* ---- Dealing ---- */

/* A process row, and when its next block would be done. */
typedef struct dealt {
    double next;
    int32_t owner;
} dealt;

static bool is_sooner(const void *context, const void *a, const void *b)
{
    const dealt *x = a, *y = b;
    (void)context;
    return x->next != y->next ? x->next < y->next : x->owner < y->owner;
}

static void deal(dense_axis *axis, dealt *items, const double *weight)
{
    heap order = {items, sizeof *items, is_sooner, NULL};
    for (int32_t i = 0; i < axis->size; i++) {
        items[i] = (dealt){1 / weight[i], i};
        heap_put(order, (size_t)i);
    }
    for (int64_t t = 0; t < axis->period; t++) {
        int32_t owner = items[0].owner;
        axis->sequence[t] = owner;
        axis->blocks[owner]++;
        items[0].next = (double)(axis->blocks[owner] + 1) / weight[owner];
        heap_sink(order, (size_t)axis->size, 0);
    }
}

bool dense_axis_make(dense_axis *axis, memory_pool *pool, int32_t size, const double *weight, int64_t blocks)
{
    enum { PERIOD = 1024, OF_EACH = 16 };
    int64_t period = (int64_t)size * OF_EACH < PERIOD ? PERIOD : (int64_t)size * OF_EACH;
    *axis = (dense_axis){.size = size, .period = weight == NULL ? size : period < blocks ? period : blocks};
    dealt *items = weight == NULL ? NULL : pool_array(pool, (size_t)size, sizeof *items);
    axis->sequence = pool_array(pool, (size_t)axis->period, sizeof *axis->sequence);
    axis->blocks = pool_zeroed(pool, (size_t)size, sizeof *axis->blocks);
    axis->extent = pool_zeroed(pool, (size_t)size, sizeof *axis->extent);
    if (axis->sequence == NULL || axis->blocks == NULL || axis->extent == NULL || (weight != NULL && items == NULL)) {
        return false;
    }
    if (weight != NULL) {
        deal(axis, items, weight);
        return true;
    }
    for (int32_t t = 0; t < size; t++) { /* block b belongs to b mod size */
        axis->sequence[t] = (int32_t)((blocks - 1 - t % size + size) % size);
        axis->blocks[t] = 1;
    }
    return true;
}

void dense_axis_count(dense_axis *axis, int64_t blocks, int64_t block, int64_t last)
{
    while (axis->counted < blocks) {
        int64_t whole = axis->counted > 0 ? (blocks - axis->counted) / axis->period : 0;
        for (int32_t i = 0; i < axis->size && whole > 0; i++) {
            axis->extent[i] += whole * axis->blocks[i] * block;
        }
        axis->counted += whole * axis->period;
        if (axis->counted < blocks) {
            axis->extent[axis->sequence[axis->counted % axis->period]] += axis->counted == 0 ? last : block;
            axis->counted++;
        }
    }
}
