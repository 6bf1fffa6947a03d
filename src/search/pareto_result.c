/* What a front answers: points, front and knee. */
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include "search/pareto.h"
#include <math.h>
#include <stdlib.h>

/* ---- One point ---- */

/* The critical path, the longest module: no number of processors goes below. */
static inlay_time longest_path(const problem *p)
{
    inlay_time longest = p->timing.critical_path;
    for (inlay_id i = 0; i < p->modules; i++) {
        longest = p->timing.m[i] > longest ? p->timing.m[i] : longest;
    }
    return longest;
}

static void fill_method(const candidate *c, inlay_pareto_point *to)
{
    const recipe *r = &c->recipe;
    bool reduced = c->reduced_from >= 0, clustered = r->method < INLAY_PARETO_REDUCED;
    to->method = r->method;
    to->reduce = reduced ? pareto_rules[r->rule].heuristic : INLAY_REDUCE_NONE;
    to->reduce_by_traffic = reduced && pareto_rules[r->rule].by_traffic;
    to->reduced_from = c->reduced_from;
    to->reduced_to = reduced ? r->processors : -1;
    to->clustered_at = clustered ? r->at.value : NAN;
    if (clustered) {
        decimal_text(r->at.exact, to->clustered_text);
    }
    to->time_frame = c->in_force.value;
    decimal_text(c->in_force.exact, to->time_frame_text);
}

static void fill_times(const problem *p, inlay_time longest, const candidate *c, inlay_pareto_point *to)
{
    double total = inlay_app_in_units(p->app, p->total_time) / p->kinds.speed;
    to->elapsed = c->elapsed;
    to->estimate = c->cost.estimate;
    to->estimate_fixed_point = c->fixed_point;
    to->simulated = NAN;
    to->lower_bound =
        fmax(inlay_app_in_units(p->app, longest) / p->kinds.speed, problem_shared_time(p, to->processors));
    to->gap = to->lower_bound > 0 ? to->elapsed / to->lower_bound - 1 : to->elapsed > 0 ? NAN : 0;
    to->speedup = to->elapsed > 0 ? total / to->elapsed : NAN;
    to->efficiency = to->speedup / to->clusters;
}

static void fill_point(const problem *p, inlay_time longest, const candidate *c, const candidate *all,
                       inlay_pareto_point *to)
{
    to->clusters = c->clusters;
    fill_method(c, to);
    fill_times(p, longest, c, to);
    to->messages = c->messages;
    to->traffic = c->traffic;
    to->weighted_traffic = c->weighted;
    to->u = c->cost.u;
    to->load = c->cost.load;
    to->delay = c->cost.delay;
    to->tau = c->cost.tau;
    to->elapsed_all = all != NULL && all->exists ? all->elapsed : NAN;
}

/* ---- All points ---- */

static bool is_listed(const pareto_plan *plan, inlay_id processors, size_t *at)
{
    while (*at < plan->processor_count && plan->processors[*at] < processors) {
        ++*at;
    }
    return *at < plan->processor_count && plan->processors[*at] == processors;
}

static bool allocate(const pareto_plan *plan, inlay_pareto_result *result)
{
    size_t most = (size_t)(plan->to - plan->from) + 1;
    result->points = memory_zeroed(most, sizeof *result->points);
    result->recipes = memory_zeroed(most, sizeof *result->recipes);
    return result->points != NULL && result->recipes != NULL;
}

/*
 * The cost of a run, processors times its time, times its time again: least where efficiency over time is largest. Of
 * equal ones that of fewer processors, which stands first.
 */
static void find_knee(inlay_pareto_result *result)
{
    double least = INFINITY;
    for (size_t i = 0; i < result->count; i++) {
        const inlay_pareto_point *point = &result->points[i];
        double cost = point->clusters * point->elapsed * point->elapsed;
        result->summary.front += point->front;
        if (cost < least) {
            least = cost;
            result->summary.knee = i;
        }
    }
}

int pareto_fill_points(const problem *p, const pareto_plan *plan, const board *best, inlay_pareto_result *result,
                       inlay_diag *diag)
{
    const candidate *shortest = NULL;
    inlay_time longest = longest_path(p);
    size_t listed = 0;
    if (!allocate(plan, result)) {
        return diag_no_memory(diag);
    }
    for (inlay_id number = 1; number <= plan->to; number++) {
        const candidate *here = best->best[number].exists ? &best->best[number] : NULL;
        bool shorter = here != NULL && (shortest == NULL || here->elapsed < shortest->elapsed);
        shortest = shorter ? here : shortest;
        if (shortest == NULL || number < plan->from || (!is_listed(plan, number, &listed) && !shorter)) {
            continue;
        }
        inlay_pareto_point *point = &result->points[result->count];
        *point = (inlay_pareto_point){.processors = number, .front = shorter || result->count == 0};
        fill_point(p, longest, shortest, here, point);
        result->recipes[result->count++] = shortest->recipe;
    }
    find_knee(result);
    return result->count > 0 ? INLAY_OK : INLAY_NO_ANSWER;
}

/* ---- Simulation ---- */

/* Points without gain are the mapping of the last one on the front. */
int pareto_simulate_points(const problem *p, int64_t most, uint64_t seed, inlay_pareto_result *result, inlay_diag *diag)
{
    double transfers = inlay_machine_transfers(p->machine);
    int status = INLAY_OK;
    for (size_t i = 0; i < result->count && status == INLAY_OK; i++) {
        inlay_pareto_point *point = &result->points[i];
        if (!point->front) {
            point->simulated = result->points[i - 1].simulated;
        } else if (most > 0 && (double)point->messages * transfers <= (double)most) {
            status = recipe_simulate(p, &result->recipes[i], seed, &point->simulated, diag);
        }
    }
    return status;
}

/* ---- Questions ---- */

void inlay_pareto_free(inlay_pareto_result *result)
{
    if (result != NULL) {
        free(result->points);
        free(result->recipes);
        free(result);
    }
}

const char *inlay_pareto_method_name(inlay_pareto_method method)
{
    static const char *const names[] = {"clustered", "clustered, reduced", "reduced, clustered", "reduced", "apart"};
    return names[method];
}

const char *inlay_pareto_method_words(const inlay_pareto_point *point)
{
    static const char *const after[] = {"H2 after", "H1 after", "H2 by traffic after"};
    static const char *const before[] = {"H2 before", "H1 before", "H2 by traffic before"};
    static const char *const alone[] = {"H2 alone", "H1 alone", "H2 by traffic alone"};
    int rule = point->reduce == INLAY_REDUCE_H1 ? 1 : point->reduce_by_traffic ? 2 : 0;
    switch (point->method) {
    case INLAY_PARETO_AFTER: return after[rule];
    case INLAY_PARETO_BEFORE: return before[rule];
    case INLAY_PARETO_REDUCED: return alone[rule];
    case INLAY_PARETO_CLUSTERED:
    case INLAY_PARETO_APART: break;
    }
    return inlay_pareto_method_name(point->method);
}

size_t inlay_pareto_points(const inlay_pareto_result *result)
{
    return result->count;
}

const inlay_pareto_point *inlay_pareto_point_at(const inlay_pareto_result *result, size_t point)
{
    return &result->points[point];
}

const inlay_pareto_summary *inlay_pareto_summary_of(const inlay_pareto_result *result)
{
    return &result->summary;
}

const inlay_app *inlay_pareto_app(const inlay_pareto_result *result)
{
    return result->app;
}

const inlay_machine *inlay_pareto_machine(const inlay_pareto_result *result)
{
    return result->machine;
}

int inlay_pareto_mapping(const inlay_pareto_result *result, size_t point, inlay_mapping **mapping, inlay_diag *diag)
{
    DIAG_CALL(diag);
    problem p;
    if (point >= result->count) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "point %zu of a front of %zu", point, result->count);
    }
    int status = problem_make(result->app, result->machine, &result->options, &p, diag);
    if (status == INLAY_OK) {
        status = recipe_map(&p, &result->recipes[point], result->points[point].clusters, mapping, diag);
        problem_clear(&p);
    }
    return status;
}
