/*
 * A priority queue of candidate pairs of clusters: the pair to merge first comes out first. Keys are never changed in
 * place: a pair whose key has changed is found out when it comes up.
 *
 * The pairs that are there at the beginning, which are most, are sorted once, in a few runs, and then read in order;
 * those that come later wait in a heap. Both sit in memory in the order in which they are used, as far as can be: in
 * large graphs a heap of all of them would wait for memory at every step. One run would need twice the memory for a
 * moment.
 */
#ifndef CLUSTER_PAIR_HEAP_H
#define CLUSTER_PAIR_HEAP_H

#include <inlay/app.h>
#include <stddef.h>

/** Most traffic first, then the smaller sum of work, then the smaller member numbers. */
typedef struct pair {
    int64_t traffic;
    inlay_time work;    /**< sum */
    inlay_id low, high; /**< smallest modules of the two clusters, low < high */
} pair;

enum { PAIR_RUNS = 4 };

/* Sorted pairs, the next one last. */
typedef struct pair_run {
    pair *items;
    size_t left; /**< of them */
    size_t held; /**< as many as memory is held for */
} pair_run;

typedef struct pair_heap {
    size_t count;       /**< pairs waiting */
    int64_t operations; /**< pairs put in and taken out so far */
    pair_run runs[PAIR_RUNS];
    int first;   /**< the run that has the next pair of all; -1: all are empty */
    pair *items; /**< the others: a heap of `size` */
    size_t size, capacity;
} pair_heap;

static inline bool pair_before(const pair *a, const pair *b)
{
    if (a->traffic != b->traffic) {
        return a->traffic > b->traffic;
    }
    if (a->work != b->work) {
        return a->work < b->work;
    }
    return a->low != b->low ? a->low < b->low : a->high < b->high;
}

static inline bool pair_same(const pair *a, const pair *b)
{
    return !pair_before(a, b) && !pair_before(b, a);
}

bool pair_heap_push(pair_heap *heap, pair item); /**< false when out of memory */
pair pair_heap_pop(pair_heap *heap);             /**< the heap must not be empty */

/** Append without order; pair_heap_order() then brings all in order, once. Both false when out of memory. */
bool pair_heap_append(pair_heap *heap, pair item);
bool pair_heap_order(pair_heap *heap);
void pair_heap_clear(pair_heap *heap);

#endif
