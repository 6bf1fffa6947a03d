/*
 * A first pass by the highest digit divides what is larger than a cache into buckets that are not. Within a bucket the
 * lowest digit comes first, and each pass is a stable counting sort.
 */
#include "irregular/radix.h"
#include <string.h>

/* With more places to write to, a pass misses the cache and the address translation. */
enum { DIGIT_BITS = 10, DIGITS = 1 << DIGIT_BITS };

/* Words that the second-level cache surely holds twice. */
enum { CACHED_WORDS = 1 << 14 };

int radix_bits(uint64_t bound)
{
    int bits = 0;
    while (bits < 64 && bound > (uint64_t)1 << bits) {
        bits++;
    }
    return bits;
}

typedef struct order {
    int words, key;
} order;

/* Counts how often each digit occurs, and turns that into the places where each begins: start[0 .. mask + 1]. */
static inline void count_digits(const uint64_t *from, int64_t count, order by, int shift, uint64_t mask, int64_t *start)
{
    memset(start, 0, (size_t)(mask + 2) * sizeof *start);
    for (int64_t i = 0; i < count; i++) {
        start[(from[i * by.words + by.key] >> shift & mask) + 1]++;
    }
    for (uint64_t d = 0; d < mask; d++) {
        start[d + 1] += start[d];
    }
}

/* One pass; start[d] becomes the end of digit d. Inlined with a constant number of words: a record is as many moves. */
static inline void pass(const uint64_t *from, uint64_t *to, int64_t count, order by, int shift, uint64_t mask,
                        int64_t *start)
{
    count_digits(from, count, by, shift, mask, start);
    for (int64_t i = 0; i < count; i++) {
        const uint64_t *record = from + i * by.words;
        uint64_t *place = to + start[record[by.key] >> shift & mask]++ * by.words;
        for (int w = 0; w < by.words; w++) {
            place[w] = record[w];
        }
    }
}

static void pass_of(const uint64_t *from, uint64_t *to, int64_t count, order by, int shift, int bits, int64_t *start)
{
    uint64_t mask = ((uint64_t)1 << bits) - 1;
    switch (by.words) {
    case 1: pass(from, to, count, (order){1, 0}, shift, mask, start); break;
    case 2: pass(from, to, count, (order){2, by.key}, shift, mask, start); break;
    default: pass(from, to, count, (order){3, by.key}, shift, mask, start); break;
    }
}

static void insert(uint64_t *record, int64_t count, order by, uint64_t mask)
{
    size_t bytes = (size_t)by.words * sizeof *record;
    for (int64_t i = 1; i < count; i++) {
        uint64_t inserted[3];
        memcpy(inserted, record + i * by.words, bytes);
        int64_t j = i;
        for (; j > 0 && (record[(j - 1) * by.words + by.key] & mask) > (inserted[by.key] & mask); j--) {
            memcpy(record + j * by.words, record + (j - 1) * by.words, bytes);
        }
        memcpy(record + j * by.words, inserted, bytes);
    }
}

/* Sorts what lies in `from` by the bits low .. high - 1, in passes to `other` and back; where it lies then. Few records
 * have short digits. */
static uint64_t *sort_bucket(uint64_t *from, uint64_t *other, int64_t count, order by, int low, int high)
{
    enum { FEW = 24, LEAST_BITS = 4 };
    if (count <= FEW) {
        uint64_t above = high == 64 ? 0 : ~(uint64_t)0 << high;
        insert(from, count, by, above ^ ~(uint64_t)0 << low);
        return from;
    }
    int64_t start[DIGITS + 1];
    int widest = LEAST_BITS;
    while (widest < DIGIT_BITS && (int64_t)2 << widest < count) {
        widest++;
    }
    int passes = (high - low + widest - 1) / widest;
    for (int p = 0; p < passes; p++) {
        int shift = low + (high - low) * p / passes, end = low + (high - low) * (p + 1) / passes;
        pass_of(from, other, count, by, shift, end - shift, start);
        uint64_t *passed = other;
        other = from;
        from = passed;
    }
    return from;
}

uint64_t *radix_sort(uint64_t *record, uint64_t *spare, int64_t count, int words, int key, int from, int to)
{
    order by = {words, key};
    if (count < 2 || to <= from) {
        return record;
    }
    if (count * words <= CACHED_WORDS) {
        return sort_bucket(record, spare, count, by, from, to);
    }
    int64_t end[DIGITS + 1], begin = 0;
    int top = to - from < DIGIT_BITS ? to - from : DIGIT_BITS;
    pass_of(record, spare, count, by, to - top, top, end);
    for (int digit = 0; digit < 1 << top; digit++) {
        uint64_t *bucket = spare + begin * words, *target = record + begin * words;
        uint64_t *sorted = sort_bucket(bucket, target, end[digit] - begin, by, from, to - top);
        if (sorted != target && end[digit] > begin) {
            memcpy(target, sorted, (size_t)((end[digit] - begin) * words) * sizeof *record);
        }
        begin = end[digit];
    }
    return record;
}
