/* A mapping that is there already, improved by local search: its order, its places, or both. */
#include "base/diag.h"
#include "base/memory.h"
#include "cluster/cluster_list.h"
#include "mapping/mapping.h"
#include "problem/order.h"
#include "search/improve.h"
#include "search/trial.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a graph for which method best would make none. */
enum { FEWEST_EVALUATIONS = 200 };

/* The first so many processors: all, or up to the last that is used. */
static inlay_id places_of(const inlay_mapping *mapping, inlay_kept kept)
{
    inlay_id last = kept == INLAY_KEEP_PLACES ? 1 : inlay_machine_processors(mapping->machine) - 1;
    for (inlay_id c = 0; c < mapping->summary.clusters; c++) {
        last = mapping->clusters[c].processor > last ? mapping->clusters[c].processor : last;
    }
    return last + 1;
}

static int make_problem(const inlay_mapping *mapping, inlay_kept kept, const inlay_effort *effort, problem *p,
                        inlay_diag *diag)
{
    inlay_options options = mapping->summary.options;
    options.effort = effort != NULL ? *effort : (inlay_effort){0};
    options.processors = 0;
    options.max_events = options.max_events != 0 ? options.max_events : INLAY_MAX_EVENTS;
    /* what making the problem warns of was told with the mapping */
    int status = problem_make(mapping->app, mapping->machine, &options, p, NULL);
    if (status != INLAY_OK) {
        return diag_fail(diag, status, "%s", inlay_status_text(status));
    }
    if (!improve_suits(p)) { /* unless it is no more than too large for an effort of its own */
        p->options.effort.evaluations = effort == NULL ? FEWEST_EVALUATIONS : p->options.effort.evaluations;
    }
    if (!improve_suits(p) || places_of(mapping, kept) > IMPROVE_PLACES) {
        problem_clear(p);
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "local search is of applications without data blocks and modules of several cores, on 2 to %d "
                         "processors, without trees of broadcasts and an order by a rule",
                         IMPROVE_PLACES);
    }
    return INLAY_OK;
}

/* The schedule where it can be run: behind all that are no longer. */
static int add_start(const problem *p, improve_count *count, const inlay_id *processor_of, inlay_id *order)
{
    trial found;
    int status = trial_judge(p, processor_of, order, p->options.max_events, &found);
    if (status != INLAY_OK || isnan(found.elapsed)) {
        return status;
    }
    int at = count->schedules++;
    for (; at > 0 && count->schedule[at - 1].elapsed > found.elapsed; at--) {
        count->schedule[at] = count->schedule[at - 1];
    }
    count->schedule[at] = (improve_schedule){.elapsed = found.elapsed, .unimproved = found.elapsed, .order = order};
    return INLAY_OK;
}

/* The order as given; where it may change that of a list that books messages, and that of the rule, too. */
static int find_orders(const problem *p, const inlay_mapping *mapping, inlay_kept kept, const inlay_id *processor_of,
                       memory_pool *pool, improve_count *count)
{
    size_t n = (size_t)p->modules;
    inlay_id *given = pool_array(pool, n, sizeof *given), *listed = pool_array(pool, n, sizeof *listed);
    inlay_id *ruled = pool_array(pool, n, sizeof *ruled);
    if (pool->failed) {
        return INLAY_NO_MEMORY;
    }
    int status = execution_order(p, &mapping->lists, given, NULL);
    status = status == INLAY_OK ? add_start(p, count, processor_of, given) : status;
    if (status != INLAY_OK || kept == INLAY_KEEP_ORDER) {
        return status;
    }
    status = execution_order(p, NULL, ruled, NULL);
    status = status == INLAY_OK ? add_start(p, count, processor_of, ruled) : status;
    if (status == INLAY_NO_MEMORY) {
        return status;
    }
    status = cluster_list_order(p, processor_of, listed, NULL);
    status = status == INLAY_OK ? add_start(p, count, processor_of, listed) : status;
    return status == INLAY_NO_MEMORY ? status : INLAY_OK;
}

/* Each with processors of its own, which the search changes. */
static int find_starts(const problem *p, const inlay_mapping *mapping, inlay_kept kept, memory_pool *pool,
                       improve_count *count)
{
    size_t n = (size_t)p->modules;
    inlay_id *processor_of = pool_array(pool, n, sizeof *processor_of);
    for (inlay_id i = 0; !pool->failed && i < p->modules; i++) {
        processor_of[i] = mapping->clusters[mapping->cluster_of[i]].processor;
    }
    int status = pool->failed ? INLAY_NO_MEMORY : find_orders(p, mapping, kept, processor_of, pool, count);
    for (int k = 0; status == INLAY_OK && k < count->schedules; k++) {
        count->schedule[k].processor_of = pool_array(pool, n, sizeof *processor_of);
        if (pool->failed) {
            return INLAY_NO_MEMORY;
        }
        memcpy(count->schedule[k].processor_of, processor_of, n * sizeof *processor_of);
    }
    return status;
}

/* The schedule as a placement of the caller's would be costed. */
static int deliver(const inlay_mapping *mapping, const problem *p, const improve_schedule *best, memory_pool *pool,
                   inlay_mapping **result, inlay_diag *diag)
{
    size_t n = (size_t)p->modules;
    inlay_task_schedule schedule = {.entries = p->modules, .module = best->order, .ordered = true};
    inlay_options options = mapping->summary.options;
    schedule.processor = pool_array(pool, n, sizeof *schedule.processor);
    if (pool->failed) {
        return diag_no_memory(diag);
    }
    for (size_t k = 0; k < n; k++) {
        schedule.processor[k] = best->processor_of[best->order[k]];
    }
    options.has_time_frame = mapping->summary.time_frame_given;
    return inlay_evaluate_schedule(mapping->app, mapping->machine, &schedule, &options, result, diag);
}

int inlay_improve(const inlay_mapping *mapping, inlay_kept kept, const inlay_effort *effort, inlay_mapping **result,
                  inlay_diag *diag)
{
    DIAG_CALL(diag);
    problem p;
    memory_pool pool = {0};
    if (mapping == NULL || result == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "what is improved is a mapping");
    }
    int status = make_problem(mapping, kept, effort, &p, diag);
    if (status != INLAY_OK) {
        return status;
    }
    improve_count count = {.processors = places_of(mapping, kept)};
    improvement of = improve_begin(&p, p.options.max_events);
    of.count = &count;
    of.counts = of.room = 1;
    of.kept = kept;
    status = find_starts(&p, mapping, kept, &pool, &count);
    status = status == INLAY_OK && count.schedules > 0 ? improve_all(&of, of.end) : status;
    if (status != INLAY_OK) {
        status = diag_fail(diag, status, "%s", inlay_status_text(status));
    } else if (count.schedules == 0) {
        status = diag_fail(diag, INLAY_NO_ANSWER, "the mapping's simulation takes too many events for a search");
    } else {
        status = deliver(mapping, &p, &count.schedule[0], &pool, result, diag);
    }
    pool_clear(&pool);
    problem_clear(&p);
    return status;
}
