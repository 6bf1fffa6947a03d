/* Modules by time or by rank: a binary heap, the least first; of equal times the least rank. */
#ifndef SIMULATE_DATAFLOW_HEAP_H
#define SIMULATE_DATAFLOW_HEAP_H

#include <inlay/app.h>

typedef struct heap_entry {
    double time; /**< 0 where the rank alone counts */
    inlay_id rank, module;
} heap_entry;

typedef struct module_heap {
    heap_entry *entry;
    size_t count;
} module_heap;

bool module_heap_make(module_heap *heap, inlay_id room); /**< for so many modules; false when out of memory */
void module_heap_clear(module_heap *heap);

void module_heap_put(module_heap *heap, heap_entry put);
heap_entry module_heap_take(module_heap *heap); /**< the least; there is one */

#endif
