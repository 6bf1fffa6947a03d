/* A binary heap of candidate pairs. */
#include "mapping/pair_heap.h"
#include "base/memory.h"
#include <stdlib.h>

void pair_heap_clear(pair_heap *heap)
{
    free(heap->items);
    *heap = (pair_heap){0};
}

bool pair_heap_append(pair_heap *heap, pair item)
{
    if (!memory_grow((void **)&heap->items, &heap->capacity, heap->count + 1, sizeof *heap->items)) {
        return false;
    }
    heap->items[heap->count++] = item;
    return true;
}

bool pair_heap_push(pair_heap *heap, pair item)
{
    if (!pair_heap_append(heap, item)) {
        return false;
    }
    size_t at = heap->count - 1;
    while (at > 0 && pair_before(&item, &heap->items[(at - 1) / 2])) {
        heap->items[at] = heap->items[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap->items[at] = item;
    return true;
}

static void sift_down(pair_heap *heap, size_t at)
{
    pair item = heap->items[at];
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= heap->count) {
            break;
        }
        child += child + 1 < heap->count && pair_before(&heap->items[child + 1], &heap->items[child]);
        if (!pair_before(&heap->items[child], &item)) {
            break;
        }
        heap->items[at] = heap->items[child];
        at = child;
    }
    heap->items[at] = item;
}

pair pair_heap_pop(pair_heap *heap)
{
    pair top = heap->items[0];
    heap->items[0] = heap->items[--heap->count];
    if (heap->count > 0) {
        sift_down(heap, 0);
    }
    return top;
}

void pair_heap_order(pair_heap *heap)
{
    for (size_t at = heap->count / 2; at-- > 0;) {
        sift_down(heap, at);
    }
}
