/* Random numbers of the layout: the same on every computer. */
#ifndef LAYOUT_RANDOM_H
#define LAYOUT_RANDOM_H

#include <inlay/app.h>

/** Next number of a stream (splitmix64: G. Steele, D. Lea and C. Flood, OOPSLA 2014). */
static inline uint64_t layout_random(uint64_t *state)
{
    uint64_t x = *state += 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31);
}

/** 0 .. count - 1, count at least 1. */
static inline inlay_id layout_random_below(uint64_t *state, inlay_id count)
{
    return (inlay_id)(((layout_random(state) >> 32) * (uint64_t)count) >> 32);
}

#endif
