/*
 * Modified critical path: M.-Y. Wu and D. D. Gajski, "Hypertool: a programming aid for message-passing systems", IEEE
 * Transactions on Parallel and Distributed Systems 1(3), 1990. Modules go by their latest start that lengthens nothing, the
 * least first, each to the processor where it starts first, into the first gap there that takes it.
 *
 * The latest start is the longest way of all less the upward rank. Of equal ones the module with the successor of the greater
 * rank goes first (the paper compares all that comes behind), then the smaller one. Of equal starts the one that ends first
 * counts, then the lower processor.
 */
#include "base/diag.h"
#include "cluster/method.h"
#include "cluster/schedule.h"
#include "graph/app.h"
#include <stdlib.h>

typedef struct entry {
    double rank, next; /* next: of its successors, the greatest */
    inlay_id module;
} entry;

static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return x->rank > y->rank   ? -1
           : x->rank < y->rank ? 1
           : x->next > y->next ? -1
           : x->next < y->next ? 1
                               : (x->module > y->module) - (x->module < y->module);
}

/* Ranks become places from the back. */
static int find_priority(const schedule *s, double *rank, inlay_diag *diag)
{
    const inlay_app *app = s->p->app;
    const idle_means means = idle_means_of(&s->network);
    entry *all = memory_array((size_t)app->modules, sizeof *all);
    if (all == NULL) {
        return diag_no_memory(diag);
    }
    idle_upward(&means, true, rank);
    for (inlay_id i = 0; i < app->modules; i++) {
        all[i] = (entry){rank[i], 0, i};
        for (int64_t l = app->out_begin[i]; l < app->out_begin[i + 1]; l++) {
            double next = app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY ? 0 : rank[app->out_to[l]];
            all[i].next = next > all[i].next ? next : all[i].next;
        }
    }
    qsort(all, (size_t)app->modules, sizeof *all, compare_entries);
    for (inlay_id k = 0; k < app->modules; k++) {
        rank[all[k].module] = app->modules - k;
    }
    free(all);
    return INLAY_OK;
}

static inlay_id choose(schedule *s, inlay_id module, const void *own)
{
    double start;
    (void)own;
    return schedule_earliest_start(s, module, &start);
}

static int place(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    schedule s;
    int status = schedule_make(p, true, processor_of, &s, diag);
    if (status != INLAY_OK) {
        return status;
    }
    double *rank = pool_array(&s.pool, (size_t)p->modules, sizeof *rank);
    status = rank == NULL ? diag_no_memory(diag) : find_priority(&s, rank, diag);
    if (status == INLAY_OK) {
        status = schedule_by_priority(&s, rank, choose, NULL, diag);
    }
    return schedule_finish(&s, status, order, diag);
}

const cluster_method mcp_method = {
    .is = {.name = "mcp",
           .description =
               "modified critical path: modules by their latest start, each to the processor where it starts first",
           .memory = true,
           .pins = true,
           .unlike = true,
           .types = true,
           .distance = true,
           .cores = true,
           .places = true},
    .place = place,
};
