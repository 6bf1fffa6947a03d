/*
 * Binary heaps in arrays of any type: what comes first stands in front. The functions are inline, so that a compiler
 * sees the size of an element and the order as constants.
 */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/** Whether element `a` comes before element `b`; `context` is the heap's. */
typedef bool heap_before(const void *context, const void *a, const void *b);

/** An array with `size` bytes an element. */
typedef struct heap {
    void *items;
    size_t size;
    heap_before *before;
    const void *context;
} heap;

enum { HEAP_ELEMENT = 64 /* bytes at most */ };

static inline char *heap_at(heap h, size_t at)
{
    return (char *)h.items + at * h.size;
}

/** Put the element that stands behind `count` others in its place among them. */
__attribute__((always_inline)) static inline void heap_put(heap h, size_t count)
{
    char moved[HEAP_ELEMENT];
    size_t at = count;
    memcpy(moved, heap_at(h, at), h.size);
    for (; at > 0 && h.before(h.context, moved, heap_at(h, (at - 1) / 2)); at = (at - 1) / 2) {
        memcpy(heap_at(h, at), heap_at(h, (at - 1) / 2), h.size);
    }
    memcpy(heap_at(h, at), moved, h.size);
}

/** Put an element in its place among `count`, which may be further behind. */
__attribute__((always_inline)) static inline void heap_sink(heap h, size_t count, size_t at)
{
    char moved[HEAP_ELEMENT];
    memcpy(moved, heap_at(h, at), h.size);
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && h.before(h.context, heap_at(h, child + 1), heap_at(h, child));
        if (!h.before(h.context, heap_at(h, child), moved)) {
            break;
        }
        memcpy(heap_at(h, at), heap_at(h, child), h.size);
    }
    memcpy(heap_at(h, at), moved, h.size);
}

/** Drop the first element: `count` others are left. */
__attribute__((always_inline)) static inline void heap_drop(heap h, size_t count)
{
    if (count > 0) {
        memcpy(h.items, heap_at(h, count), h.size);
        heap_sink(h, count, 0);
    }
}

/** Make a heap of an array. */
__attribute__((always_inline)) static inline void heap_order(heap h, size_t count)
{
    for (size_t at = count / 2; at-- > 0;) {
        heap_sink(h, count, at);
    }
}

#endif
