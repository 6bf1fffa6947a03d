/* Candidates from their recipes: the time frame in force, the placement, and the whole mapping once more. */
#include "base/diag.h"
#include "base/memory.h"
#include "cluster/method.h"
#include "cluster/reduce.h"
#include "layout/memories.h"
#include "mapping/solve.h"
#include "search/pareto.h"
#include "search/row_simulate.h"
#include <stdlib.h>

const reduction_rule pareto_rules[PARETO_RULES] = {
    {INLAY_REDUCE_H2, false}, {INLAY_REDUCE_H1, false}, {INLAY_REDUCE_H2, true}};

/* ---- The time frame in force ---- */

/*
 * T in force: that of the recipe, but no less than total work / clusters, which that work takes on so many processors.
 * @param p  whose processors do not matter
 */
static int recipe_frame(const problem *p, const recipe *r, inlay_id clusters, frame *result, inlay_diag *diag)
{
    problem on = *p;
    frame share;
    on.processors = clusters;
    int status = frame_default(&on, r->at.limit, &share, diag);
    if (status == INLAY_OK) {
        *result = r->at.value >= share.value ? r->at : share;
        result->given = false;
    }
    return status;
}

int recipe_frame_with_traffic(const problem *p, const recipe *r, inlay_id clusters, double demand, frame *result,
                              inlay_diag *diag)
{
    frame f;
    int status = recipe_frame(p, r, clusters, &f, diag);
    if (status == INLAY_OK && !(interconnect_utilisation(&p->network, demand, f.value) < p->network.u_limit)) {
        status = frame_above_saturation(p, demand, &f, diag);
    }
    if (status == INLAY_OK) {
        *result = f;
    }
    return status;
}

/* ---- The placement ---- */

int recipe_place(const problem *p, const inlay_id *cluster_of, inlay_id clusters, inlay_time limit, placement *place,
                 inlay_diag *diag)
{
    int status = placement_make(p, method_of(&p->options)->is.name, cluster_of, clusters, place, diag);
    if (status != INLAY_OK) {
        return status;
    }
    status = placement_move_blocks(p, place, limit, NULL, diag);
    status = status == INLAY_OK ? placement_lay_out(p, place, diag) : status;
    if (status != INLAY_OK) {
        placement_clear(place);
    }
    return status;
}

/* ---- The mapping ---- */

/* Modules that are not clustered; reduced where the recipe says so. */
static int take_modules(const problem *p, const recipe *r, attempt *result, inlay_diag *diag)
{
    const reduction_rule *rule = &pareto_rules[r->rule];
    partition part;
    int status = partition_make(p, &part, diag);
    if (status != INLAY_OK) {
        return status;
    }
    attempt a = {.reduced_from = -1, .next = INT64_MAX};
    if (r->method == INLAY_PARETO_REDUCED) {
        a.reduced_from = part.count;
        status = reduce_parallelism(&part, r->processors, rule->heuristic, rule->by_traffic, INT64_MAX, NULL, diag);
    }
    a.clusters = part.count;
    a.cluster_of = memory_array((size_t)p->modules, sizeof *a.cluster_of);
    if (status == INLAY_OK && a.cluster_of == NULL) {
        status = diag_no_memory(diag);
    }
    if (status == INLAY_OK) {
        partition_label(&part, a.cluster_of);
        *result = a;
    } else {
        free(a.cluster_of);
    }
    partition_clear(&part);
    return status;
}

static int make_clusters(const problem *p, const recipe *r, attempt *result, inlay_diag *diag)
{
    if (r->method >= INLAY_PARETO_REDUCED) {
        return take_modules(p, r, result, diag);
    }
    problem on = *p;
    if (r->processors > 0) {
        on.processors = r->processors;
    }
    return attempt_at(&on, &r->at, false, result, diag);
}

/* The clusters of a recipe where mapping would leave them. */
static int make_placement(const problem *p, const recipe *r, placement *place, inlay_diag *diag)
{
    attempt a;
    int status = make_clusters(p, r, &a, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_time limit = a.reduced_from < 0 ? r->at.limit : INT64_MAX;
    status = recipe_place(p, a.cluster_of, a.clusters, limit, place, diag);
    if (status == INLAY_OK) {
        place->reduced_from = a.reduced_from;
    }
    attempt_clear(&a);
    return status;
}

static int cost_placement(const problem *p, const recipe *r, placement *place, inlay_mapping **mapping,
                          inlay_diag *diag)
{
    frame f;
    double demand = 0;
    int status = memories_fill(p, place, NULL, diag);
    status = status == INLAY_OK ? placement_demand(p, place, &demand, diag) : status;
    status = status == INLAY_OK ? recipe_frame_with_traffic(p, r, place->clusters, demand, &f, diag) : status;
    return status == INLAY_OK ? mapping_cost(p, place, &f, mapping, diag) : status;
}

/* The problem with the options that the recipe stands for. */
static problem problem_of(const problem *p, const recipe *r)
{
    const reduction_rule *rule = &pareto_rules[r->rule];
    bool before = r->method == INLAY_PARETO_BEFORE || r->method == INLAY_PARETO_REDUCED;
    problem on = *p;
    on.options.reduce = r->processors == 0 ? INLAY_REDUCE_NONE : rule->heuristic;
    on.options.reduce_by_traffic = rule->by_traffic;
    on.options.reduce_when = before ? INLAY_REDUCE_BEFORE : INLAY_REDUCE_AFTER;
    return on;
}

int recipe_map(const problem *p, const recipe *r, inlay_id processors, inlay_mapping **mapping, inlay_diag *diag)
{
    placement place;
    problem on = problem_of(p, r);
    on.processors = processors;
    on.options.processors = processors;
    int status = make_placement(&on, r, &place, diag);
    if (status == INLAY_OK) {
        status = cost_placement(&on, r, &place, mapping, diag);
        placement_clear(&place);
    }
    return status;
}

int recipe_simulate(const problem *p, const recipe *r, uint64_t seed, double *simulated, inlay_diag *diag)
{
    placement place;
    const problem on = problem_of(p, r);
    int status = make_placement(&on, r, &place, diag);
    if (status == INLAY_OK) {
        status = row_simulate(&on, &place, seed, simulated) == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
        placement_clear(&place);
    }
    return status;
}
