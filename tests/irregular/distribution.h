/* Distributions of elements that every rank knows whole, to compare with. */
#ifndef INLAY_TESTS_DISTRIBUTION_H
#define INLAY_TESTS_DISTRIBUTION_H

#include "harness.h"
#include <inlay/irregular_table.h>

enum { DISTRIBUTION_MOST = 400 };

typedef struct distribution {
    int64_t n; /* at most DISTRIBUTION_MOST */
    int32_t owner[DISTRIBUTION_MOST], offset[DISTRIBUTION_MOST];
    int64_t own[DISTRIBUTION_MOST]; /* of this rank, by offset */
    int32_t count;
    inlay_table *table; /* NULL where making it failed, which the harness then knows */
} distribution;

typedef enum distribution_kind {
    DISTRIBUTION_BLOCK,
    DISTRIBUTION_RANDOM, /* each rank's in an order of their own */
    DISTRIBUTION_HALF,   /* the same, on every other rank only */
    DISTRIBUTION_KINDS
} distribution_kind;

/* Collective over h->comm. False where there is no table. */
bool distribution_draw(harness *h, uint64_t *state, int64_t n, distribution_kind kind, distribution *d);
void distribution_clear(distribution *d);

#endif
