/* Sums by processor and by pair of processors. */
#include "grid/tally.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

bool grid_tally_make(grid_tally *tally, int32_t processors)
{
    *tally = (grid_tally){0};
    tally->sum = memory_zeroed((size_t)processors, sizeof *tally->sum);
    tally->touched = memory_array((size_t)processors, sizeof *tally->touched);
    return tally->sum != NULL && tally->touched != NULL;
}

void grid_tally_clear(grid_tally *tally)
{
    free(tally->sum);
    free(tally->touched);
    *tally = (grid_tally){0};
}

void grid_tally_reset(grid_tally *tally)
{
    for (int32_t i = 0; i < tally->count; i++) {
        tally->sum[tally->touched[i]] = 0;
    }
    tally->count = 0;
}

/* ---- Pairs ---- */

enum { TABLE_PROCESSORS = 1024, FIRST_CAPACITY = 1024 };

bool grid_pairs_make(grid_pairs *pairs, int32_t processors)
{
    size_t p = (size_t)processors;
    *pairs = (grid_pairs){.processors = processors};
    if (processors <= TABLE_PROCESSORS) {
        pairs->table = memory_zeroed(p * p, sizeof *pairs->table);
        return pairs->table != NULL;
    }
    pairs->capacity = FIRST_CAPACITY;
    pairs->slot = memory_zeroed(FIRST_CAPACITY, sizeof *pairs->slot);
    return pairs->slot != NULL;
}

void grid_pairs_clear(grid_pairs *pairs)
{
    free(pairs->table);
    free(pairs->slot);
    *pairs = (grid_pairs){0};
}

/* The slot of a pair, or the empty one where it belongs. */
static grid_pair *find(const grid_pairs *pairs, int32_t from, int32_t to)
{
    uint64_t key = (uint64_t)(uint32_t)from << 32 | (uint32_t)to;
    uint64_t at = (key * UINT64_C(0x9e3779b97f4a7c15)) >> 20;
    for (;; at++) {
        grid_pair *slot = &pairs->slot[at & (pairs->capacity - 1)];
        /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): where slots are freed, grow() has put larger ones in their place */
        if (slot->cells == 0 || (slot->from == from && slot->to == to)) {
            return slot;
        }
    }
}

static bool grow(grid_pairs *pairs)
{
    grid_pairs larger = {.processors = pairs->processors, .capacity = 2 * pairs->capacity, .used = pairs->used};
    larger.slot = memory_zeroed(larger.capacity, sizeof *larger.slot);
    if (larger.slot == NULL) {
        return false;
    }
    for (uint64_t i = 0; i < pairs->capacity; i++) {
        if (pairs->slot[i].cells > 0) {
            *find(&larger, pairs->slot[i].from, pairs->slot[i].to) = pairs->slot[i];
        }
    }
    free(pairs->slot);
    *pairs = larger;
    return true;
}

bool grid_pairs_add(grid_pairs *pairs, int32_t from, int32_t to, int64_t cells)
{
    if (pairs->table != NULL) {
        pairs->table[(size_t)from * (size_t)pairs->processors + (size_t)to] += cells;
        return true;
    }
    if (2 * pairs->used >= pairs->capacity && !grow(pairs)) {
        return false;
    }
    grid_pair *slot = find(pairs, from, to);
    pairs->used += slot->cells == 0;
    *slot = (grid_pair){from, to, slot->cells + cells};
    return true;
}

static void take_table(grid_pairs *pairs, void (*visit)(void *context, const grid_pair *pair), void *context)
{
    int64_t *cell = pairs->table;
    for (int32_t from = 0; from < pairs->processors; from++) {
        for (int32_t to = 0; to < pairs->processors; to++, cell++) {
            if (*cell > 0) {
                visit(context, &(grid_pair){from, to, *cell});
                *cell = 0;
            }
        }
    }
}

static int by_pair(const void *a, const void *b)
{
    const grid_pair *x = a;
    const grid_pair *y = b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : (x->to > y->to) - (x->to < y->to);
}

void grid_pairs_take(grid_pairs *pairs, void (*visit)(void *context, const grid_pair *pair), void *context)
{
    if (pairs->table != NULL) {
        take_table(pairs, visit, context);
        return;
    }
    uint64_t count = 0;
    for (uint64_t i = 0; i < pairs->capacity; i++) {
        if (pairs->slot[i].cells > 0) {
            pairs->slot[count++] = pairs->slot[i];
        }
    }
    qsort(pairs->slot, count, sizeof *pairs->slot, by_pair);
    for (uint64_t i = 0; i < count; i++) {
        visit(context, &pairs->slot[i]);
    }
    memset(pairs->slot, 0, pairs->capacity * sizeof *pairs->slot);
    pairs->used = 0;
}
