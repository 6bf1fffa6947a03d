/* Sorting by digits against the library's own sort, and sets of different numbers against counting. */
#include "harness.h"
#include "irregular/distinct.h"
#include "irregular/radix.h"
#include <stdlib.h>
#include <string.h>

/* What qsort() compares: the key alone, then where the record stood, for equal ones must keep their order. */
typedef struct tagged {
    uint64_t key;
    int64_t place;
} tagged;

static int compare_tagged(const void *a, const void *b)
{
    const tagged *x = a, *y = b;
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return (x->place > y->place) - (x->place < y->place);
}

static int compare_numbers(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t any_bits(uint64_t *state)
{
    return harness_draw(state, (uint64_t)1 << 32) << 32 | harness_draw(state, (uint64_t)1 << 32);
}

static void check_sort(harness *h, uint64_t *state, int64_t count, int words, int from, int to)
{
    size_t size = (size_t)(count * words) + 1;
    uint64_t *record = calloc(size, sizeof *record), *spare = calloc(size, sizeof *spare),
             *was = calloc(size, sizeof *was);
    tagged *expected = calloc((size_t)count + 1, sizeof *expected);
    int key = (int)harness_draw(state, (uint64_t)words);
    uint64_t few = any_bits(state); /* half of the keys have no other bits: equal ones occur */
    for (int64_t i = 0; i < count * words; i++) {
        record[i] = was[i] = i % 2 == 0 ? any_bits(state) & few : any_bits(state);
    }
    uint64_t width = to - from == 64 ? ~(uint64_t)0 : ((uint64_t)1 << (to - from)) - 1;
    for (int64_t i = 0; i < count; i++) {
        expected[i] = (tagged){was[i * words + key] >> from & width, i};
    }
    qsort(expected, (size_t)count, sizeof *expected, compare_tagged);
    const uint64_t *sorted = radix_sort(record, spare, count, words, key, from, to);
    check(h, sorted == record || sorted == spare);
    for (int64_t i = 0; i < count; i++) {
        const uint64_t *right = was + expected[i].place * words;
        if (!check(h, memcmp(sorted + i * words, right, (size_t)words * sizeof *right) == 0)) {
            break;
        }
    }
    free(record);
    free(spare);
    free(was);
    free(expected);
}

static void test_sorts(harness *h)
{
    static const int64_t counts[] = {0, 1, 2, 23, 24, 25, 300, 5000, 16384, 16385, 40000};
    static const int ranges[][2] = {{0, 64}, {0, 0}, {0, 1}, {5, 15}, {3, 42}, {53, 64}};
    uint64_t state = 7;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        for (int words = 1; words <= 3; words++) {
            harness_case(h, "%d records of %d words", (int)counts[c], words);
            for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
                check_sort(h, &state, counts[c], words, ranges[r][0], ranges[r][1]);
            }
        }
    }
    harness_case(h, "bits of bounds");
    static const struct {
        uint64_t bound;
        int bits;
    } bounds[] = {{0, 0}, {1, 0}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {(uint64_t)1 << 63, 63}, {UINT64_MAX, 64}};
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
        check(h, radix_bits(bounds[b].bound) == bounds[b].bits);
    }
}

static void check_distinct(harness *h, uint64_t *state, int64_t count, uint64_t span)
{
    int64_t *g = calloc((size_t)count + 1, sizeof *g), *sorted = calloc((size_t)count + 1, sizeof *sorted);
    for (int64_t i = 0; i < count; i++) {
        g[i] = sorted[i] = 1000 + (int64_t)harness_draw(state, span);
    }
    qsort(sorted, (size_t)count, sizeof *sorted, compare_numbers);
    distinct set = {0};
    if (check_ok(h, distinct_make(g, count, &set, h->diag))) {
        int64_t next = 0;
        for (int64_t i = 0; i < count; i++) {
            if (i == 0 || sorted[i] != sorted[i - 1]) {
                check(h, next < set.count && set.value[next] == sorted[i]);
                check(h, distinct_place(&set, sorted[i]) == next);
                next++;
            }
        }
        check(h, set.count == next);
        distinct_clear(&set);
    }
    free(g);
    free(sorted);
}

static void test_distinct(harness *h)
{
    uint64_t state = 8;
    static const uint64_t spans[] = {1, 2, 63, 64, 65, 1000, 100000, (uint64_t)1 << 33, (uint64_t)1 << 52};
    for (size_t s = 0; s < sizeof spans / sizeof *spans; s++) {
        harness_case(h, "numbers within %lld", (long long)spans[s]);
        for (int64_t count = 0; count < 5000; count = count * 3 + 1) {
            check_distinct(h, &state, count, spans[s]);
        }
    }
}

void suite_radix(harness *h)
{
    test_sorts(h);
    test_distinct(h);
}
