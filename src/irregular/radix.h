/* Sorting large flat arrays of numbers by counting digits: a few passes over memory, no comparisons. */
#ifndef IRREGULAR_RADIX_H
#define IRREGULAR_RADIX_H

#include <stdint.h>

/** How many bits numbers below `bound` have; 0 for bounds up to 1. */
int radix_bits(uint64_t bound);

/**
 * Sorts records of `words` (1 to 3) 64-bit words by the bits `from` .. `to` - 1 of word `key`; equal ones keep their order.
 * `spare` has room for `count` records, too; both arrays are overwritten.
 *
 * @return where the sorted records lie: `record` or `spare`
 */
uint64_t *radix_sort(uint64_t *record, uint64_t *spare, int64_t count, int words, int key, int from, int to);

#endif
