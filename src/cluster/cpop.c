/*
 * Critical path on a processor: H. Topcuoglu, S. Hariri and M.-Y. Wu, IEEE Transactions on Parallel and Distributed Systems
 * 13(3), 2002. A module's priority is its upward and its downward rank together. The critical path begins with the source of
 * the greatest priority and goes on to the successor of the greatest; all of it goes to the processor that takes least for
 * it, and where the widest of it has all its cores. The ready module of the greatest priority comes next; one that is not critical goes where it ends first, and so does
 * a critical one that its processor has no room for. Gaps are used.
 *
 * Of equal priorities the smaller module is taken; of equal ends, and for the critical path, the lower processor.
 */
#include "base/diag.h"
#include "cluster/method.h"
#include "cluster/schedule.h"
#include "graph/app.h"
#include <math.h>

typedef struct critical {
    bool *on; /* of every module: it is on the path */
    inlay_id processor;
} critical;

static inlay_id greater(const double *priority, inlay_id i, inlay_id j)
{
    return i < 0 || priority[j] > priority[i] || (!(priority[j] < priority[i]) && j < i) ? j : i;
}

static void find_path(const inlay_app *app, const double *priority, bool *on)
{
    inlay_id at = -1;
    for (inlay_id i = 0; i < app->modules; i++) {
        at = app->in_begin[i] == app->in_begin[i + 1] ? greater(priority, at, i) : at;
    }
    while (at >= 0) {
        inlay_id next = -1;
        on[at] = true;
        for (int64_t l = app->out_begin[at]; l < app->out_begin[at + 1]; l++) {
            bool follows = !(app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY);
            next = follows ? greater(priority, next, app->out_to[l]) : next;
        }
        at = next;
    }
}

/* Where the path takes least time. */
static inlay_id find_processor(const schedule *s, const bool *on)
{
    const processor_kind *kind = NULL;
    inlay_id best = 0, widest = -1;
    double least = INFINITY;
    for (inlay_id i = 0; i < s->p->modules; i++) {
        widest = on[i] && (widest < 0 || problem_cores(s->p, i) > problem_cores(s->p, widest)) ? i : widest;
    }
    for (inlay_id q = 0; q < s->p->processors; q++) {
        /* most stand beside their like */
        if (kind == kinds_of(&s->p->kinds, q) || !problem_has_seat(s->p, widest, q)) {
            continue;
        }
        double total = 0;
        kind = kinds_of(&s->p->kinds, q);
        for (inlay_id i = 0; i < s->p->modules; i++) {
            total += on[i] ? idle_time_on_kind(&s->network, kind, i) : 0;
        }
        if (total < least) {
            least = total;
            best = q;
        }
    }
    return best;
}

static inlay_id choose(schedule *s, inlay_id module, const void *own)
{
    const critical *c = own;
    return c->on[module] && schedule_may(s, module, c->processor) ? c->processor
                                                                  : schedule_earliest_finish(s, module, NULL);
}

static int place(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    schedule s;
    int status = schedule_make(p, true, processor_of, &s, diag);
    if (status != INLAY_OK) {
        return status;
    }
    double *upward = pool_array(&s.pool, (size_t)p->modules, sizeof *upward);
    double *priority = pool_array(&s.pool, (size_t)p->modules, sizeof *priority);
    critical path = {pool_zeroed(&s.pool, (size_t)p->modules, sizeof *path.on), 0};
    if (s.pool.failed) {
        status = diag_no_memory(diag);
    } else {
        const idle_means means = idle_means_of(&s.network);
        idle_upward(&means, true, upward);
        idle_downward(&means, priority);
        for (inlay_id i = 0; i < p->modules; i++) {
            priority[i] += upward[i];
        }
        find_path(p->app, priority, path.on);
        path.processor = find_processor(&s, path.on);
        status = schedule_by_priority(&s, priority, choose, &path, diag);
    }
    return schedule_finish(&s, status, order, diag);
}

const cluster_method cpop_method = {
    .is = {.name = "cpop",
           .description = "critical path on a processor: the longest way on the one that is fastest for it, the others "
                          "where they end first",
           .memory = true,
           .pins = true,
           .unlike = true,
           .types = true,
           .distance = true,
           .cores = true,
           .places = true},
    .place = place,
};
