/*
 * All repetitions of a sequence: stretches in which every symbol stands again one period later, at least once.
 *
 * Every maximal one is found, of whatever period, in O(n log n): each begins with Lyndon words of one of two orders
 * (H. Bannai, T. I, S. Inenaga, Y. Nakashima, M. Takeda, K. Tsuruta, "The 'runs' theorem", SIAM Journal on Computing
 * 46(5), 2017). There are fewer than symbols.
 */
#ifndef SYNTH_REPEATS_H
#define SYNTH_REPEATS_H

#include <stddef.h>
#include <stdint.h>

/** symbol[k] == symbol[k + period] for begin <= k < end - period, and end - begin >= 2 period. */
typedef struct repeat {
    int32_t begin, end, period;
} repeat;

/** Zero-initialised is empty. What it holds is used again for the next sequence. */
typedef struct repeat_finder {
    const int32_t *symbol;
    int32_t count;
    uint64_t *prefix, *power; /**< hashes of the first k symbols; powers of their base */
    int32_t *smaller;         /**< of every suffix: where the next one begins that is smaller in the order in force */
    size_t prefix_room, power_room, smaller_room;

    repeat *found; /**< by period, then by begin; one may stand twice */
    size_t repeats, found_room;
} repeat_finder;

void repeat_finder_clear(repeat_finder *finder);

/**
 * Find them. Symbols are compared by hashes: once in 2^60 or so, or for a sequence made for it, something is found that
 * is no repetition, or one is not found. -1 when out of memory.
 */
int repeat_finder_run(repeat_finder *finder, const int32_t *symbol, int32_t count);

#endif
