/* The heap of modules. */
#include "simulate/dataflow_heap.h"
#include "base/memory.h"
#include <stdlib.h>

static inline bool before(const heap_entry *a, const heap_entry *b)
{
    return a->time < b->time || (a->time == b->time && a->rank < b->rank);
}

bool module_heap_make(module_heap *heap, inlay_id room)
{
    *heap = (module_heap){.entry = memory_array((size_t)room, sizeof *heap->entry)};
    return heap->entry != NULL;
}

void module_heap_clear(module_heap *heap)
{
    free(heap->entry);
    *heap = (module_heap){0};
}

void module_heap_put(module_heap *heap, heap_entry put)
{
    size_t at = heap->count++;
    for (; at > 0 && before(&put, &heap->entry[(at - 1) / 2]); at = (at - 1) / 2) {
        heap->entry[at] = heap->entry[(at - 1) / 2];
    }
    heap->entry[at] = put;
}

heap_entry module_heap_take(module_heap *heap)
{
    heap_entry first = heap->entry[0], put = heap->entry[--heap->count];
    size_t at = 0;
    for (size_t below; (below = 2 * at + 1) < heap->count; at = below) {
        below += below + 1 < heap->count && before(&heap->entry[below + 1], &heap->entry[below]);
        if (!before(&heap->entry[below], &put)) {
            break;
        }
        heap->entry[at] = heap->entry[below];
    }
    heap->entry[at] = put;
    return first;
}
