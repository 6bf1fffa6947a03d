/* The events of a recorded simulation in the order of time, merged from the orders that are known. */
#include "base/heap.h"
#include "base/memory.h"
#include "io/trace/trace.h"
#include <stdlib.h>

/* ---- The heap ---- */

static bool is_before(const void *context, const void *left, const void *right)
{
    const trace_event *a = left, *b = right;
    (void)context;
    if (a->time != b->time) {
        return a->time < b->time;
    }
    return a->kind != b->kind ? a->kind < b->kind : a->index < b->index;
}

static heap heap_of(const trace_walk *walk)
{
    return (heap){walk->heap, sizeof *walk->heap, is_before, NULL};
}

static void push(trace_walk *walk, trace_event event)
{
    if (!memory_grow((void **)&walk->heap, &walk->capacity, walk->count + 1, sizeof *walk->heap)) {
        walk->failed = true;
        return;
    }
    walk->heap[walk->count] = event;
    heap_put(heap_of(walk), walk->count++);
}

/* ---- What follows what ---- */

static void push_module(trace_walk *walk, inlay_id cluster)
{
    inlay_cluster_info info = inlay_mapping_cluster(walk->mapping, cluster);
    if (walk->taken[cluster] < info.modules) {
        inlay_id module = info.module[walk->taken[cluster]++];
        push(walk, (trace_event){inlay_simulation_start(walk->simulation, module), TRACE_START, module});
    }
}

static void push_message(trace_walk *walk)
{
    if (walk->next_message < walk->message_count) {
        const inlay_simulated_message *message = &walk->messages[walk->next_message];
        push(walk, (trace_event){message->request, TRACE_REQUEST, (int64_t)walk->next_message++});
    }
}

static void push_followers(trace_walk *walk, const trace_event *event)
{
    inlay_id module = (inlay_id)event->index;
    switch (event->kind) {
    case TRACE_START:
        push(walk, (trace_event){inlay_simulation_end(walk->simulation, module), TRACE_END, module});
        break;
    case TRACE_END: push_module(walk, inlay_mapping_cluster_of(walk->mapping, module)); break;
    case TRACE_REQUEST:
        push(walk, (trace_event){walk->messages[event->index].begin, TRACE_BEGIN, event->index});
        push_message(walk);
        break;
    case TRACE_BEGIN:
        push(walk, (trace_event){walk->messages[event->index].arrival, TRACE_ARRIVAL, event->index});
        break;
    case TRACE_ARRIVAL: break;
    }
}

/* ---- The walk ---- */

void trace_walk_open(trace_walk *walk, const inlay_simulation *simulation)
{
    *walk = (trace_walk){.simulation = simulation, .mapping = inlay_simulation_mapping(simulation)};
    inlay_id clusters = inlay_mapping_summary(walk->mapping)->clusters;
    walk->messages = inlay_simulation_messages(simulation, &walk->message_count);
    walk->taken = memory_zeroed((size_t)clusters, sizeof *walk->taken);
    walk->failed = walk->taken == NULL;
    for (inlay_id c = 0; c < clusters && !walk->failed; c++) {
        push_module(walk, c);
    }
    push_message(walk);
}

bool trace_walk_next(trace_walk *walk, trace_event *event)
{
    if (walk->failed || walk->count == 0) {
        return false;
    }
    *event = walk->heap[0];
    heap_drop(heap_of(walk), --walk->count);
    push_followers(walk, event);
    return !walk->failed;
}

void trace_walk_close(trace_walk *walk)
{
    free(walk->taken);
    free(walk->heap);
    *walk = (trace_walk){0};
}
