/* A priority queue of candidate pairs: sorted runs and a heap. */
#include "cluster/pair_heap.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

void pair_heap_clear(pair_heap *heap)
{
    for (int r = 0; r < PAIR_RUNS; r++) {
        free(heap->runs[r].items);
    }
    free(heap->items);
    *heap = (pair_heap){0};
}

bool pair_heap_append(pair_heap *heap, pair item)
{
    if (!memory_grow((void **)&heap->items, &heap->capacity, heap->size + 1, sizeof *heap->items)) {
        return false;
    }
    heap->items[heap->size++] = item;
    heap->count++;
    heap->operations++;
    return true;
}

/* ---- The heap: four children a node, which are neighbours in memory ---- */

enum { CHILDREN = 4, WORTH_SORTING = 8192 };

bool pair_heap_push(pair_heap *heap, pair item)
{
    if (!pair_heap_append(heap, item)) {
        return false;
    }
    size_t at = heap->size - 1;
    while (at > 0 && pair_before(&item, &heap->items[(at - 1) / CHILDREN])) {
        heap->items[at] = heap->items[(at - 1) / CHILDREN];
        at = (at - 1) / CHILDREN;
    }
    heap->items[at] = item;
    return true;
}

static void sift_down(pair_heap *heap, size_t at, pair item)
{
    for (;;) {
        size_t child = CHILDREN * at + 1;
        if (child >= heap->size) {
            break;
        }
        size_t end = child + CHILDREN < heap->size ? child + CHILDREN : heap->size;
        size_t first = child;
        for (child++; child < end; child++) {
            first = pair_before(&heap->items[child], &heap->items[first]) ? child : first;
        }
        if (!pair_before(&heap->items[first], &item)) {
            break;
        }
        heap->items[at] = heap->items[first];
        at = first;
    }
    heap->items[at] = item;
}

/* ---- The runs ---- */

static const pair *next_of(const pair_run *run)
{
    return &run->items[run->left - 1];
}

static void find_first(pair_heap *heap)
{
    heap->first = -1;
    for (int r = 0; r < PAIR_RUNS; r++) {
        const pair_run *run = &heap->runs[r];
        if (run->left > 0 && (heap->first < 0 || pair_before(next_of(run), next_of(&heap->runs[heap->first])))) {
            heap->first = r;
        }
    }
}

/* Where half of a run is used up, its memory goes back. */
static pair take_sorted(pair_heap *heap)
{
    pair_run *run = &heap->runs[heap->first];
    pair top = run->items[--run->left];
    if (run->left > WORTH_SORTING && run->left <= run->held / 2) {
        pair *kept = realloc(run->items, run->left * sizeof *kept);
        if (kept != NULL) {
            run->items = kept;
            run->held = run->left;
        }
    }
    find_first(heap);
    return top;
}

/* Without runs `first` may be 0, as in a heap that is all zeros. */
static bool next_is_sorted(const pair_heap *heap)
{
    const pair_run *run = heap->first < 0 ? NULL : &heap->runs[heap->first];
    return run != NULL && run->left > 0 && (heap->size == 0 || pair_before(next_of(run), &heap->items[0]));
}

pair pair_heap_pop(pair_heap *heap)
{
    heap->count--;
    heap->operations++;
    if (next_is_sorted(heap)) {
        return take_sorted(heap);
    }
    pair top = heap->items[0];
    pair last = heap->items[--heap->size];
    if (heap->size > 0) {
        sift_down(heap, 0, last);
    }
    return top;
}

/* ---- Sorting: by digits, least significant first ---- */

enum { DIGIT_BITS = 11, DIGIT_VALUES = 1 << DIGIT_BITS, DIGITS = 6 };

/* Keys as unsigned numbers that fall in the order of pairs: the first pair comes to stand at the end. */
typedef uint64_t (*key_of)(const pair *item);

static uint64_t key_members(const pair *item)
{
    return ~((uint64_t)(uint32_t)item->low << 32 | (uint32_t)item->high);
}

static uint64_t key_work(const pair *item)
{
    return ~((uint64_t)item->work ^ (uint64_t)1 << 63);
}

static uint64_t key_traffic(const pair *item)
{
    return (uint64_t)item->traffic ^ (uint64_t)1 << 63;
}

typedef struct sorting {
    pair *from, *to;
    size_t count;
    size_t (*counts)[DIGIT_VALUES]; /* DIGITS rows */
} sorting;

static size_t digit(uint64_t key, int number)
{
    return key >> (number * DIGIT_BITS) & (DIGIT_VALUES - 1);
}

/* Where the pairs of each value of a digit begin; false where all have one value. */
static bool find_starts(size_t *counts, size_t count)
{
    size_t start = 0;
    for (size_t v = 0; v < DIGIT_VALUES; v++) {
        size_t here = counts[v];
        if (here == count) {
            return false;
        }
        counts[v] = start;
        start += here;
    }
    return true;
}

static bool in_order(const sorting *s, key_of key)
{
    for (size_t i = 1; i < s->count; i++) {
        if (key(&s->from[i - 1]) > key(&s->from[i])) {
            return false;
        }
    }
    return true;
}

/* A stable sort by one key. */
static void sort_by(sorting *s, key_of key)
{
    if (in_order(s, key)) {
        return;
    }
    memset(s->counts, 0, DIGITS * sizeof *s->counts);
    for (size_t i = 0; i < s->count; i++) {
        uint64_t k = key(&s->from[i]);
        for (int d = 0; d < DIGITS; d++) {
            s->counts[d][digit(k, d)]++;
        }
    }
    for (int d = 0; d < DIGITS; d++) {
        size_t *at = s->counts[d];
        if (!find_starts(at, s->count)) {
            continue;
        }
        for (size_t i = 0; i < s->count; i++) {
            s->to[at[digit(key(&s->from[i]), d)]++] = s->from[i];
        }
        pair *swap = s->from;
        s->from = s->to;
        s->to = swap;
    }
}

/* Pairs are gathered in the order of their members, more or less: turned round, they are sorted by them already. */
static void reverse(pair *items, size_t count)
{
    for (size_t low = 0, high = count; low + 1 < high; low++) {
        pair swap = items[low];
        items[low] = items[--high];
        items[high] = swap;
    }
}

/* The last `count` of the unsorted items become a run; where they stood is the sort's second array. */
static bool sort_last(pair_heap *heap, size_t count, pair_run *run)
{
    pair *last = heap->items + (heap->size - count);
    sorting s = {.from = last, .count = count};
    s.to = memory_array(count, sizeof *s.to);
    s.counts = memory_array(DIGITS, sizeof *s.counts);
    bool fine = s.to != NULL && s.counts != NULL;
    if (fine) {
        *run = (pair_run){.items = s.to, .left = count, .held = count};
        reverse(last, count);
        sort_by(&s, key_members);
        sort_by(&s, key_work);
        sort_by(&s, key_traffic);
        if (s.from == last) {
            memcpy(run->items, last, count * sizeof *last);
        }
        heap->size -= count;
    } else {
        free(s.to);
    }
    free(s.counts);
    return fine;
}

static bool sort_all(pair_heap *heap)
{
    for (int r = 0; r < PAIR_RUNS; r++) {
        if (!sort_last(heap, heap->size / (size_t)(PAIR_RUNS - r), &heap->runs[r])) {
            return false;
        }
        pair *kept = heap->size > 0 ? realloc(heap->items, heap->size * sizeof *kept) : NULL;
        if (kept != NULL) {
            heap->items = kept;
            heap->capacity = heap->size;
        }
    }
    free(heap->items);
    heap->items = NULL;
    heap->capacity = 0;
    find_first(heap);
    return true;
}

bool pair_heap_order(pair_heap *heap)
{
    if (heap->size >= WORTH_SORTING) {
        return sort_all(heap);
    }
    for (size_t at = heap->size / CHILDREN + 1; at-- > 0;) {
        if (at < heap->size) {
            sift_down(heap, at, heap->items[at]);
        }
    }
    return true;
}
