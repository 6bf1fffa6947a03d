/*
 * Dynamic level scheduling: G. C. Sih and E. A. Lee, "A compile-time scheduling heuristic for
 * interconnection-constrained heterogeneous processor architectures", IEEE Transactions on Parallel and Distributed
 * Systems 4(2), 1993. Of all modules that are ready and all processors, the pair with the greatest dynamic level is
 * taken, again and again:
 *
 *   DL(i, p) = SL(i) - max(when i's data can be at p, when p is free) + delta(i, p)
 *
 * SL(i), the static level, is the longest path of median times from i to an exit, messages left out; delta the median
 * time of i less its time on p. Of equal levels, the one of the smaller module is taken, then that of the smaller
 * processor. Nothing is inserted. A level never rises: processors become busier and fuller.
 */
#include "base/diag.h"
#include "cluster/bids.h"
#include "cluster/method.h"
#include "graph/app.h"
#include <math.h>
#include <stdlib.h>

/* Of modules. */
typedef struct levels {
    double *median; /* of its times on the processors */
    double *level;  /* SL */
} levels;

static int compare_times(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Of an even number of processors, the mean of the two in the middle. */
static double median_time(const idle_network *network, inlay_id module, double *times)
{
    size_t n = (size_t)network->p->processors;
    if (network->p->kinds.count == 1) {
        return idle_time(network, module, 0);
    }
    for (size_t q = 0; q < n; q++) {
        times[q] = idle_time(network, module, (inlay_id)q);
    }
    qsort(times, n, sizeof *times, compare_times);
    return (times[(n - 1) / 2] + times[n / 2]) / 2;
}

static int find_levels(schedule *s, levels *result, inlay_diag *diag)
{
    const inlay_app *app = s->p->app;
    double *times = pool_array(&s->pool, (size_t)s->p->processors, sizeof *times);
    result->median = pool_array(&s->pool, (size_t)s->p->modules, sizeof *result->median);
    result->level = pool_array(&s->pool, (size_t)s->p->modules, sizeof *result->level);
    if (s->pool.failed) {
        return diag_no_memory(diag);
    }
    for (inlay_id k = s->p->modules - 1; k >= 0; k--) {
        inlay_id i = app->topological[k];
        double behind = 0;
        for (int64_t l = app->out_begin[i]; l < app->out_begin[i + 1]; l++) {
            bool follows = !(app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY);
            behind = follows ? fmax(behind, result->level[app->out_to[l]]) : behind;
        }
        result->median[i] = median_time(&s->network, i, times);
        result->level[i] = result->median[i] + behind;
    }
    return INLAY_OK;
}

/* The level without the start. */
static double worth(const schedule *s, inlay_id module, inlay_id processor, const void *own)
{
    const levels *l = own;
    return l->level[module] + (l->median[module] - idle_time(&s->network, module, processor));
}

static schedule_bid bid(const schedule *s, inlay_id module, const void *own)
{
    schedule_bid best = {-INFINITY, -1};
    schedule_range range = schedule_range_of(s, module);
    for (inlay_id q = range.first; q < range.end; q++) {
        double time = idle_time(&s->network, module, q);
        double start = schedule_slot(s, module, q, schedule_ready(s, module, q), time);
        double level = worth(s, module, q, own) - start;
        if ((best.processor < 0 || level > best.value) && schedule_may(s, module, q)) {
            best = (schedule_bid){level, q};
        }
    }
    return best;
}

static int place(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    schedule s;
    levels l;
    int status = schedule_make(p, false, processor_of, &s, diag);
    if (status != INLAY_OK) {
        return status;
    }
    status = find_levels(&s, &l, diag);
    if (status == INLAY_OK) {
        const bid_rule rule = {bid, worth, NULL, &l};
        status = schedule_by_bids(&s, &rule, diag);
    }
    return schedule_finish(&s, status, order, diag);
}

const cluster_method dls_method = {
    .is = {.name = "dls",
           .description = "dynamic level scheduling: the ready module and the processor of the greatest level, again "
                          "and again",
           .memory = true,
           .pins = true,
           .unlike = true,
           .types = true,
           .distance = true,
           .cores = true,
           .places = true},
    .place = place,
};
