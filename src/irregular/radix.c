/* Least significant digit first: each pass is a stable counting sort by one digit. */
#include "irregular/radix.h"
#include <stdbool.h>
#include <string.h>

/* With more places to write to than this, a pass misses the caches and the address translation that hold them. */
enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

int radix_bits(uint64_t bound)
{
    int bits = 0;
    while (bits < 64 && bound > (uint64_t)1 << bits) {
        bits++;
    }
    return bits;
}

/* One pass. Inlined with a constant number of words, so that a record is copied by as many moves. */
static inline bool pass(const uint64_t *from, uint64_t *to, int64_t count, int words, int key, int shift, uint64_t mask)
{
    int64_t next[DIGITS];
    memset(next, 0, (size_t)(mask + 1) * sizeof *next);
    for (int64_t i = 0; i < count; i++) {
        next[(from[i * words + key] >> shift) & mask]++;
    }
    if (next[(from[key] >> shift) & mask] == count) {
        return false; /* all have the same digit */
    }
    int64_t start = 0;
    for (uint64_t d = 0; d <= mask; d++) {
        int64_t digit = next[d];
        next[d] = start;
        start += digit;
    }
    for (int64_t i = 0; i < count; i++) {
        const uint64_t *record = from + i * words;
        uint64_t *place = to + next[(record[key] >> shift) & mask]++ * words;
        for (int w = 0; w < words; w++) {
            place[w] = record[w];
        }
    }
    return true;
}

static bool pass_of(const uint64_t *from, uint64_t *to, int64_t count, int words, int key, int shift, uint64_t mask)
{
    switch (words) {
    case 1: return pass(from, to, count, 1, 0, shift, mask);
    case 2: return pass(from, to, count, 2, key, shift, mask);
    default: return pass(from, to, count, 3, key, shift, mask);
    }
}

uint64_t *radix_sort(uint64_t *record, uint64_t *spare, int64_t count, int words, int key, int from, int to)
{
    if (count < 2 || to <= from) {
        return record;
    }
    int passes = (to - from + DIGIT_BITS - 1) / DIGIT_BITS;
    int width = (to - from + passes - 1) / passes;
    for (int shift = from; shift < to; shift += width) {
        int bits = to - shift < width ? to - shift : width;
        if (pass_of(record, spare, count, words, key, shift, ((uint64_t)1 << bits) - 1)) {
            uint64_t *sorted = spare;
            spare = record;
            record = sorted;
        }
    }
    return record;
}
