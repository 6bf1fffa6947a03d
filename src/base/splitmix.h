/* Random numbers that are the same on every computer: splitmix64 (Steele, Lea and Flood, OOPSLA 2014). */
#ifndef BASE_SPLITMIX_H
#define BASE_SPLITMIX_H

#include <stdint.h>

/** Next number of a stream. */
static inline uint64_t splitmix_next(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/** 0 .. count-1, count at least 1. */
static inline int32_t splitmix_below(uint64_t *state, int32_t count)
{
    return (int32_t)((splitmix_next(state) >> 32) * (uint64_t)count >> 32);
}

/** Every bit of it depends on every bit of the number. */
static inline uint64_t splitmix_hash(uint64_t number)
{
    return splitmix_next(&number);
}

#endif
