/* Maximal repetitions by Lyndon words, which are found by comparing suffixes, which are compared by hashes of prefixes. */
#include "synth/repeats.h"
#include "base/memory.h"
#include <stdlib.h>

void repeat_finder_clear(repeat_finder *finder)
{
    free(finder->prefix);
    free(finder->power);
    free(finder->smaller);
    free(finder->found);
    *finder = (repeat_finder){0};
}

/* ---- Common beginnings and ends ---- */

/* So many symbols are compared before hashes are: most differ at once. */
enum { DIRECT = 8 };

/* So that near symbols are far apart (the last step of splitmix64, Steele, Lea and Flood 2014). */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static int hash_prefixes(repeat_finder *f)
{
    static const uint64_t base = UINT64_C(0x9e3779b97f4a7c15);
    size_t needed = (size_t)f->count + 1;
    if (!memory_grow((void **)&f->prefix, &f->prefix_room, needed, sizeof *f->prefix) ||
        !memory_grow((void **)&f->power, &f->power_room, needed, sizeof *f->power) ||
        !memory_grow((void **)&f->smaller, &f->smaller_room, needed, sizeof *f->smaller)) {
        return -1;
    }
    f->prefix[0] = 0;
    f->power[0] = 1;
    for (int32_t k = 0; k < f->count; k++) {
        f->prefix[k + 1] = f->prefix[k] * base + mix((uint32_t)f->symbol[k]);
        f->power[k + 1] = f->power[k] * base;
    }
    return 0;
}

static uint64_t hash_of(const repeat_finder *f, int32_t at, int32_t length)
{
    return f->prefix[at + length] - f->prefix[at] * f->power[length];
}

static bool same(const repeat_finder *f, int32_t a, int32_t b, int32_t length)
{
    return hash_of(f, a, length) == hash_of(f, b, length);
}

/* How many symbols from a and from b > a on are equal. */
static int32_t common_beginning(const repeat_finder *f, int32_t a, int32_t b)
{
    int32_t most = f->count - b, direct = most < DIRECT ? most : DIRECT, length = 0, step = 2 * DIRECT;
    while (length < direct && f->symbol[a + length] == f->symbol[b + length]) {
        length++;
    }
    if (length < DIRECT) {
        return length;
    }
    while (step <= most - length && same(f, a + length, b + length, step)) {
        length += step;
        step = step > INT32_MAX / 2 ? step : 2 * step;
    }
    for (int32_t left = step < most - length ? step : most - length; left > 0;) {
        int32_t half = left - left / 2;
        if (same(f, a + length, b + length, half)) {
            length += half;
            left -= half;
        } else {
            left = half - 1;
        }
    }
    return length;
}

/* How many symbols before a and before b > a are equal, at most `most`. */
static int32_t common_end(const repeat_finder *f, int32_t a, int32_t b, int32_t most)
{
    most = most < a ? most : a;
    int32_t direct = most < DIRECT ? most : DIRECT, length = 0;
    while (length < direct && f->symbol[a - 1 - length] == f->symbol[b - 1 - length]) {
        length++;
    }
    if (length < DIRECT) {
        return length;
    }
    for (int32_t left = most - length; left > 0;) {
        int32_t half = left - left / 2;
        if (same(f, a - length - half, b - length - half, half)) {
            length += half;
            left -= half;
        } else {
            left = half - 1;
        }
    }
    return length;
}

/* ---- Repetitions ---- */

static int add_found(repeat_finder *f, repeat r)
{
    if (!memory_grow((void **)&f->found, &f->found_room, f->repeats + 1, sizeof *f->found)) {
        return -1;
    }
    f->found[f->repeats++] = r;
    return 0;
}

/*
 * The suffix at i less than the one at j > i, of which `length` symbols are equal, in one of the two orders: of symbols,
 * or reversed. A suffix that ends first is the smaller one in both.
 */
static bool is_less(const repeat_finder *f, int32_t i, int32_t j, int32_t length, bool reversed)
{
    return j + length < f->count && (f->symbol[i + length] < f->symbol[j + length]) != reversed;
}

/*
 * The longest Lyndon word at each i ends where the next smaller suffix begins. It is the root of a repetition where it
 * goes on on both sides for as long as itself; of several such roots the first one counts.
 */
static int find_in_order(repeat_finder *f, bool reversed)
{
    for (int32_t i = f->count - 1; i >= 0; i--) {
        int32_t j = i + 1, after = 0;
        for (; j < f->count; j = f->smaller[j]) {
            after = common_beginning(f, i, j);
            if (!is_less(f, i, j, after, reversed)) {
                break;
            }
        }
        f->smaller[i] = j;
        after = j < f->count ? after : 0;
        int32_t period = j - i, before = common_end(f, i, j, period);
        if (before < period && before + after >= period && add_found(f, (repeat){i - before, j + after, period}) != 0) {
            return -1;
        }
    }
    return 0;
}

static int compare_repeats(const void *a, const void *b)
{
    const repeat *x = a, *y = b;
    return x->period != y->period ? (x->period > y->period) - (x->period < y->period)
                                  : (x->begin > y->begin) - (x->begin < y->begin);
}

int repeat_finder_run(repeat_finder *finder, const int32_t *symbol, int32_t count)
{
    finder->symbol = symbol;
    finder->count = count;
    finder->repeats = 0;
    if (hash_prefixes(finder) != 0 || find_in_order(finder, false) != 0 || find_in_order(finder, true) != 0) {
        return -1;
    }
    if (finder->repeats > 0) {
        qsort(finder->found, finder->repeats, sizeof *finder->found, compare_repeats);
    }
    return 0;
}
