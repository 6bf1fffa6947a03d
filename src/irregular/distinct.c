/*
 * Bits where the numbers lie close enough together that these take no more memory than the list itself; else a sorted
 * list with a directory of about as many entries as values.
 */
#include "irregular/distinct.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/radix.h"
#include <stdbool.h>
#include <stdlib.h>

void distinct_clear(distinct *set)
{
    free(set->value);
    free(set->bit);
    free(set->below);
    *set = (distinct){0};
}

/* ---- Many: bits ---- */

static bool mark(const int64_t *g, int64_t count, size_t words, distinct *set)
{
    set->bit = memory_zeroed(words, sizeof *set->bit);
    set->below = memory_array(words, sizeof *set->below);
    if (set->bit == NULL || set->below == NULL) {
        return false;
    }
    for (int64_t i = 0; i < count; i++) {
        uint64_t at = (uint64_t)(g[i] - set->base);
        set->bit[at >> 6] |= (uint64_t)1 << (at & 63);
    }
    uint32_t below = 0;
    for (size_t w = 0; w < words; w++) {
        set->below[w] = below;
        below += (uint32_t)__builtin_popcountll(set->bit[w]);
    }
    set->count = below;
    return true;
}

static bool list_marked(size_t words, distinct *set)
{
    set->value = memory_array((size_t)set->count, sizeof *set->value);
    if (set->value == NULL) {
        return false;
    }
    int64_t next = 0;
    for (size_t w = 0; w < words; w++) {
        for (uint64_t rest = set->bit[w]; rest != 0; rest &= rest - 1) {
            set->value[next++] = set->base + (int64_t)w * 64 + __builtin_ctzll(rest);
        }
    }
    return true;
}

/* ---- Few: a sorted list ---- */

static bool sort(const int64_t *g, int64_t count, int bits, distinct *set)
{
    set->value = memory_array((size_t)count, sizeof *set->value);
    uint64_t *spare = memory_array((size_t)count, sizeof *spare);
    if (set->value == NULL || spare == NULL) {
        free(spare);
        return false;
    }
    for (int64_t i = 0; i < count; i++) {
        set->value[i] = g[i] - set->base;
    }
    uint64_t *list = (uint64_t *)set->value, *sorted = radix_sort(list, spare, count, 1, 0, 0, bits);
    free(sorted == list ? spare : list);
    set->value = (int64_t *)sorted;
    for (int64_t i = 0; i < count; i++) {
        int64_t value = set->value[i] + set->base;
        if (set->count == 0 || set->value[set->count - 1] != value) {
            set->value[set->count++] = value;
        }
    }
    return true;
}

static bool write_directory(int bits, distinct *set)
{
    int entry_bits = radix_bits((uint64_t)set->count);
    set->shift = bits > entry_bits ? bits - entry_bits : 0;
    size_t entries = ((size_t)1 << (bits - set->shift)) + 1;
    set->below = memory_zeroed(entries, sizeof *set->below);
    if (set->below == NULL) {
        return false;
    }
    for (int64_t i = 0; i < set->count; i++) {
        set->below[((set->value[i] - set->base) >> set->shift) + 1]++;
    }
    for (size_t i = 1; i < entries; i++) {
        set->below[i] += set->below[i - 1];
    }
    return true;
}

int32_t distinct_search(const distinct *set, int64_t g)
{
    int64_t entry = (g - set->base) >> set->shift;
    uint32_t low = set->below[entry], high = set->below[entry + 1];
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (set->value[middle] <= g) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (int32_t)low;
}

int distinct_make(const int64_t *g, int64_t count, distinct *set, inlay_diag *diag)
{
    enum { NUMBERS_A_REFERENCE = 40 }; /* 8 bytes of the list are as much as bits and `below` of 42 numbers */
    int64_t least = count == 0 ? 0 : INT64_MAX, most = 0;
    for (int64_t i = 0; i < count; i++) {
        least = g[i] < least ? g[i] : least;
        most = g[i] > most ? g[i] : most;
    }
    distinct made = {.base = least};
    uint64_t span = (uint64_t)(most - least) + 1;
    bool complete;
    if (span / NUMBERS_A_REFERENCE <= (uint64_t)count) {
        size_t words = (size_t)(span / 64 + 1);
        complete = mark(g, count, words, &made) && list_marked(words, &made);
    } else {
        int bits = radix_bits(span);
        complete = sort(g, count, bits, &made) && write_directory(bits, &made);
    }
    if (!complete) {
        distinct_clear(&made);
        return diag_no_memory(diag);
    }
    *set = made;
    return INLAY_OK;
}
