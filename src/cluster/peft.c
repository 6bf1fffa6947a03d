/*
 * Predict earliest finish time: H. Arabnejad and J. G. Barbosa, "List scheduling algorithm for heterogeneous systems by an
 * optimistic cost table", IEEE Transactions on Parallel and Distributed Systems 25(3), 2014.
 *
 *   OCT(i, p) = max over successors j of min over q of ( OCT(j, q) + time of j on q + mean message if q is not p )
 *
 * The ready module with the greatest mean of OCT goes to the processor where its end plus OCT is least, into the first gap
 * there that takes it. Of equal means the smaller module goes first; of equal sums the lower processor is taken.
 *
 * Processors of one kind have one OCT. It is kept times the scale of means (idle.h).
 */
#include "base/diag.h"
#include "cluster/method.h"
#include "cluster/schedule.h"
#include "graph/app.h"
#include <math.h>

typedef struct prediction {
    idle_means means;
    double *cost; /* OCT by module and kind */
    int kinds;
} prediction;

/* What `j` and all behind it cost where it is on that kind. */
static double cost_from(const prediction *t, inlay_id j, int k)
{
    const processor_kind *kind = &t->means.network.p->kinds.kind[k];
    return t->cost[(size_t)j * (size_t)t->kinds + (size_t)k] +
           t->means.scale * idle_time_on_kind(&t->means.network, kind, j);
}

/* The row of a module, and its mean times the scale again. */
static double find_cost(const prediction *t, inlay_id i)
{
    const inlay_app *app = t->means.network.p->app;
    double *cost = &t->cost[(size_t)i * (size_t)t->kinds], mean = 0;
    for (int64_t l = app->out_begin[i]; l < app->out_begin[i + 1]; l++) {
        if (app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY) {
            continue;
        }
        double elsewhere = INFINITY;
        for (int k = 0; k < t->kinds; k++) {
            elsewhere = t->means.weight[k] > 0 ? fmin(elsewhere, cost_from(t, app->out_to[l], k)) : elsewhere;
        }
        elsewhere += idle_mean_message(&t->means, l);
        for (int k = 0; k < t->kinds; k++) {
            cost[k] = fmax(cost[k], fmin(elsewhere, cost_from(t, app->out_to[l], k)));
        }
    }
    for (int k = 0; k < t->kinds; k++) {
        mean += t->means.weight[k] * cost[k];
    }
    return mean;
}

static inlay_id choose(schedule *s, inlay_id module, const void *own)
{
    const prediction *t = own;
    const kinds *all = &s->p->kinds;
    schedule_range range = schedule_range_of(s, module);
    inlay_id best = -1;
    double least = 0;
    for (inlay_id q = range.first; q < range.end; q++) {
        double time = idle_time(&s->network, module, q), ready = schedule_ready(s, module, q);
        double behind = t->cost[(size_t)module * (size_t)t->kinds + (all->of == NULL ? 0 : all->of[q])];
        if ((best >= 0 && (ready + time) * t->means.scale + behind >= least) || !schedule_may(s, module, q)) {
            continue;
        }
        double sum = (schedule_slot(s, module, q, ready, time) + time) * t->means.scale + behind;
        if (best < 0 || sum < least) {
            best = q;
            least = sum;
        }
    }
    return best;
}

static int place(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    schedule s;
    int status = schedule_make(p, true, processor_of, &s, diag);
    if (status != INLAY_OK) {
        return status;
    }
    size_t n = (size_t)p->modules;
    double *priority = pool_array(&s.pool, n, sizeof *priority);
    prediction t = {.means = idle_means_of(&s.network), .kinds = p->kinds.count};
    t.cost = pool_zeroed(&s.pool, n, (size_t)t.kinds * sizeof *t.cost);
    if (s.pool.failed) {
        status = diag_no_memory(diag);
    } else {
        for (inlay_id k = p->modules - 1; k >= 0; k--) {
            inlay_id i = p->app->topological[k];
            priority[i] = find_cost(&t, i);
        }
        status = schedule_by_priority(&s, priority, choose, &t, diag);
    }
    return schedule_finish(&s, status, order, diag);
}

const cluster_method peft_method = {
    .is = {.name = "peft",
           .description = "predict earliest finish time: as heft, with an optimistic cost of what comes behind",
           .memory = true,
           .pins = true,
           .unlike = true,
           .types = true,
           .distance = true,
           .cores = true,
           .places = true},
    .place = place,
};
