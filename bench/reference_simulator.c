#include "reference_simulator.h"
#include <stdlib.h>

typedef enum event_kind { MODULE_ENDS, TRANSFER_ENDS, MESSAGE_ARRIVES } event_kind;

typedef struct event {
    double time;
    event_kind kind;
    inlay_id subject; /* processor, or of an arrival the module that waits for it */
} event;

typedef struct processor {
    inlay_cluster_info info;
    inlay_id at; /* position of the module that runs or comes next */
    bool running, sending;
    inlay_id send_at; /* position of the module whose links are being sent */
    int64_t link;     /* the next of them */
    inlay_id to;      /* of the message that is under way */
    int64_t bytes;
} processor;

typedef struct reference {
    const inlay_mapping *mapping;
    const inlay_app *app;
    reference_network network;
    event *heap;
    size_t count, capacity;
    bool full; /* no memory for an event */
    inlay_id processors;
    processor *processor;
    inlay_id *cluster; /* of every module */
    int64_t *missing;  /* inputs of every module */
    double *time;      /* m of every module */
    inlay_id *line;    /* processors that wait for the bus, a ring */
    inlay_id first, waiting;
    bool bus_taken;
} reference;

/* ---- The heap ---- */

static bool before(const event *a, const event *b)
{
    return a->time != b->time ? a->time < b->time : a->kind != b->kind ? a->kind < b->kind : a->subject < b->subject;
}

static void push(reference *r, double time, event_kind kind, inlay_id subject)
{
    if (r->count == r->capacity) {
        size_t wanted = r->capacity == 0 ? 256 : 2 * r->capacity;
        event *moved = realloc(r->heap, wanted * sizeof *moved);
        if (moved == NULL) {
            r->full = true;
            return;
        }
        r->heap = moved;
        r->capacity = wanted;
    }
    event added = {time, kind, subject};
    size_t at = r->count++;
    for (; at > 0 && before(&added, &r->heap[(at - 1) / 2]); at = (at - 1) / 2) {
        r->heap[at] = r->heap[(at - 1) / 2];
    }
    r->heap[at] = added;
}

static event pop(reference *r)
{
    event top = r->heap[0], last = r->heap[--r->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < r->count; at = child) {
        child += child + 1 < r->count && before(&r->heap[child + 1], &r->heap[child]);
        if (!before(&r->heap[child], &last)) {
            break;
        }
        r->heap[at] = r->heap[child];
    }
    r->heap[at] = last;
    return top;
}

/* ---- Events ---- */

static void try_start(reference *r, inlay_id p, double now)
{
    processor *w = &r->processor[p];
    if (!w->running && w->at < w->info.modules && r->missing[w->info.module[w->at]] == 0) {
        w->running = true;
        push(r, now + r->time[w->info.module[w->at]], MODULE_ENDS, p);
    }
}

static void satisfy(reference *r, inlay_id module, double now)
{
    if (--r->missing[module] == 0) {
        try_start(r, r->cluster[module], now);
    }
}

static void serve(reference *r, double now)
{
    if (!r->bus_taken && r->waiting > 0) {
        inlay_id p = r->line[r->first];
        r->first = r->first + 1 == r->processors ? 0 : r->first + 1;
        r->waiting--;
        r->bus_taken = true;
        push(r, now + (double)r->processor[p].bytes / r->network.capacity, TRANSFER_ENDS, p);
    }
}

/* The next link of a processor that goes to another one asks for the bus. */
static void send(reference *r, inlay_id p, double now)
{
    processor *w = &r->processor[p];
    for (; w->send_at < w->at; w->send_at++, w->link = 0) {
        inlay_links out = inlay_app_out(r->app, w->info.module[w->send_at]);
        while (w->link < out.count) {
            int64_t l = w->link++;
            if (r->cluster[out.module[l]] != p) {
                w->to = out.module[l];
                w->bytes = out.bytes[l];
                w->sending = true;
                r->line[(r->first + r->waiting++) % r->processors] = p;
                serve(r, now);
                return;
            }
        }
    }
    w->sending = false;
}

static void end_module(reference *r, inlay_id p, double now)
{
    processor *w = &r->processor[p];
    inlay_links out = inlay_app_out(r->app, w->info.module[w->at++]);
    for (int64_t l = 0; l < out.count; l++) {
        if (r->network.free || r->cluster[out.module[l]] == p) {
            satisfy(r, out.module[l], now);
        }
    }
    w->running = false;
    if (!r->network.free && !w->sending) {
        send(r, p, now);
    }
    try_start(r, p, now);
}

static double run(reference *r)
{
    double now = 0;
    for (inlay_id p = 0; p < r->processors; p++) {
        try_start(r, p, 0);
    }
    while (r->count > 0 && !r->full) {
        event next = pop(r);
        now = next.time;
        if (next.kind == MODULE_ENDS) {
            end_module(r, next.subject, now);
        } else if (next.kind == TRANSFER_ENDS) {
            r->bus_taken = false;
            push(r, now + r->network.latency, MESSAGE_ARRIVES, r->processor[next.subject].to);
            send(r, next.subject, now);
            serve(r, now);
        } else {
            satisfy(r, next.subject, now);
        }
    }
    return now;
}

/* ---- The whole ---- */

static bool make(reference *r)
{
    size_t modules = (size_t)inlay_app_modules(r->app), processors = (size_t)r->processors;
    r->processor = calloc(processors, sizeof *r->processor);
    r->line = malloc(processors * sizeof *r->line);
    r->cluster = malloc(modules * sizeof *r->cluster);
    r->missing = malloc(modules * sizeof *r->missing);
    r->time = malloc(modules * sizeof *r->time);
    if (r->processor == NULL || r->line == NULL || r->cluster == NULL || r->missing == NULL || r->time == NULL) {
        return false;
    }
    for (inlay_id i = 0; i < inlay_app_modules(r->app); i++) {
        r->cluster[i] = inlay_mapping_cluster_of(r->mapping, i);
        r->time[i] = inlay_app_in_units(r->app, inlay_app_time(r->app, i));
        (void)inlay_app_predecessors(r->app, i, &r->missing[i]);
    }
    for (inlay_id p = 0; p < r->processors; p++) {
        r->processor[p].info = inlay_mapping_cluster(r->mapping, p);
    }
    return true;
}

int reference_simulate(const inlay_mapping *mapping, const reference_network *network, double *elapsed)
{
    reference r = {.mapping = mapping, .app = inlay_mapping_app(mapping), .network = *network};
    r.processors = inlay_mapping_summary(mapping)->clusters;
    bool made = make(&r);
    if (made) {
        *elapsed = run(&r);
    }
    free(r.heap);
    free(r.processor);
    free(r.line);
    free(r.cluster);
    free(r.missing);
    free(r.time);
    return made && !r.full ? INLAY_OK : INLAY_NO_MEMORY;
}
