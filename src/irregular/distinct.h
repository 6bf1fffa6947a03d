/* The different numbers of a long list, ascending, and where each of the list is among them. */
#ifndef IRREGULAR_DISTINCT_H
#define IRREGULAR_DISTINCT_H

#include <inlay/status.h>
#include <stdint.h>

/** A set of numbers 0 .. n - 1 that is not changed any more. */
typedef struct distinct {
    int64_t count;
    int64_t *value; /**< [count] ascending */
    /* Where there are many: a bit for each number from `base` on, and how many values are below each word of them. */
    int64_t base;
    uint64_t *bit;
    uint32_t *below;
    /* Where there are few, spread far: values of base + (i << shift) and more begin at below[i]. */
    int shift;
} distinct;

/** Of the list g[count], count < 2^31, no number negative. Local. */
int distinct_make(const int64_t *g, int64_t count, distinct *set, inlay_diag *diag);
void distinct_clear(distinct *set);

int32_t distinct_search(const distinct *set, int64_t g);

/** Where g, which is in the set, is among the values. */
static inline int32_t distinct_place(const distinct *set, int64_t g)
{
    if (set->bit == NULL) {
        return distinct_search(set, g);
    }
    uint64_t i = (uint64_t)(g - set->base), lower = ((uint64_t)1 << (i & 63)) - 1;
    return (int32_t)(set->below[i >> 6] + (uint32_t)__builtin_popcountll(set->bit[i >> 6] & lower));
}

#endif
