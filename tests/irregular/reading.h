/* References of all ranks to the elements of a distribution, which every rank knows whole, and the ghosts that they make. */
#ifndef INLAY_TESTS_READING_H
#define INLAY_TESTS_READING_H

#include "distribution.h"

enum { READING_RANKS = 8 };

/* What the references of a rank must become. */
typedef struct expected_halo {
    int64_t ghost[DISTRIBUTION_MOST]; /* by owner, then by offset */
    int32_t ghosts, owners;
} expected_halo;

/* Which elements each rank refers to, and the references of this one. */
typedef struct reading {
    bool referenced[READING_RANKS][DISTRIBUTION_MOST];
    int64_t g[2 * DISTRIBUTION_MOST];
    int64_t count;
} reading;

/* Up to `most` references a rank; the same on all ranks but for r->g and r->count. */
void reading_draw(const harness *h, uint64_t *state, int64_t n, int64_t most, reading *r);

/* The ghosts of this rank. */
void reading_expect(const harness *h, const distribution *d, const bool *referenced, expected_halo *e);

#endif
