/* The front of elapsed time against processors: what method "best" finds, count by count. */
#include "base/diag.h"
#include "base/memory.h"
#include "mapping/feasible.h"
#include "problem/remedy.h"
#include "search/best.h"
#include "search/elapsed.h"
#include <inlay/pareto.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The schedule of a point, and how it was found. */
typedef struct kept_schedule {
    inlay_id *processor_of,
        *order; /* owned, in one array: all modules, then all modules; NULL: the point before has it */
    inlay_winner winner;
    double least; /* of this point, as in the winner */
} kept_schedule;

struct inlay_pareto_result {
    const inlay_app *app;
    const inlay_machine *machine;
    inlay_options options;
    inlay_pareto_summary summary;
    inlay_pareto_point *points;
    kept_schedule
        *schedules;  /* of the points whose schedule is not that of the point before; else both arrays are NULL */
    double shortest; /* of all points so far */
    size_t count, room, schedule_room;
};

/* ---- One point ---- */

static inlay_pareto_point point_of(const inlay_mapping *mapping, inlay_id processors)
{
    const inlay_summary *s = inlay_mapping_summary(mapping);
    return (inlay_pareto_point){.processors = processors,
                                .clusters = s->clusters,
                                .elapsed = s->elapsed,
                                .elapsed_is = s->elapsed_is,
                                .lower_bound = s->lower_bound,
                                .gap = s->gap,
                                .speedup = s->speedup,
                                .efficiency = s->efficiency,
                                .price = s->price,
                                .energy = s->energy,
                                .messages = s->messages,
                                .traffic = s->traffic,
                                .load = s->load};
}

/* The schedule that a point has. */
static const kept_schedule *schedule_of(const inlay_pareto_result *r, size_t point)
{
    while (r->schedules[point].processor_of == NULL) {
        point--;
    }
    return &r->schedules[point];
}

static int make_mapping(const inlay_pareto_result *r, size_t point, const problem *p, inlay_mapping **mapping,
                        inlay_diag *diag)
{
    const kept_schedule *of = schedule_of(r, point);
    inlay_winner winner = of->winner;
    winner.least = r->schedules[point].least;
    int status = mapping_of_places(p, of->processor_of, of->order, &winner, mapping, diag);
    if (status == INLAY_OK) {
        status = mapping_time(*mapping, diag);
        if (status != INLAY_OK) {
            inlay_mapping_free(*mapping);
            *mapping = NULL;
        }
    }
    return status;
}

static int keep_schedule(const best_schedule *found, kept_schedule *to)
{
    size_t n = (size_t)found->p->modules;
    to->winner = *found->winner;
    to->processor_of = memory_array(2 * n, sizeof *to->processor_of);
    if (to->processor_of == NULL) {
        return INLAY_NO_MEMORY;
    }
    to->order = to->processor_of + n;
    memcpy(to->processor_of, found->processor_of, n * sizeof *to->processor_of);
    memcpy(to->order, found->order, n * sizeof *to->order);
    return INLAY_OK;
}

static int add_mapping(inlay_pareto_result *r, const best_schedule *found)
{
    inlay_mapping *mapping = NULL;
    int status = make_mapping(r, r->count, found->p, &mapping, NULL);
    if (status == INLAY_OK) {
        inlay_pareto_point *point = &r->points[r->count];
        *point = point_of(mapping, found->p->processors);
        point->method = schedule_of(r, r->count++)->winner.method;
        point->front = r->count == 1 || point->elapsed < r->shortest;
        r->shortest = point->front ? point->elapsed : r->shortest;
    }
    inlay_mapping_free(mapping);
    return status;
}

static int add_point(void *context, const best_schedule *found)
{
    inlay_pareto_result *r = context;
    if (found->p->processors < r->summary.from) {
        return INLAY_OK;
    }
    if (!memory_grow((void **)&r->points, &r->room, r->count + 1, sizeof *r->points) ||
        !memory_grow((void **)&r->schedules, &r->schedule_room, r->count + 1, sizeof *r->schedules)) {
        return INLAY_NO_MEMORY;
    }
    bool other = r->count == 0 || found->winner->elapsed < r->summary.winner.elapsed;
    r->schedules[r->count] = (kept_schedule){.least = found->winner->least};
    int status = other ? keep_schedule(found, &r->schedules[r->count]) : INLAY_OK;
    if (status == INLAY_OK && (status = add_mapping(r, found)) != INLAY_OK) {
        free(r->schedules[r->count].processor_of);
    }
    r->summary.winner = *found->winner;
    return status;
}

/* ---- The whole ---- */

/*
 * The cost of a run, processors times its time, times its time again: least where efficiency over time is largest. Of
 * equal ones that of fewer processors, which stands first.
 */
static void find_knee(inlay_pareto_result *r)
{
    double least = INFINITY;
    for (size_t i = 0; i < r->count; i++) {
        const inlay_pareto_point *point = &r->points[i];
        double cost = point->clusters * point->elapsed * point->elapsed;
        r->summary.front += point->front;
        if (cost < least) {
            least = cost;
            r->summary.knee = i;
        }
    }
}

static bool has_pins(const inlay_app *app)
{
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        if (inlay_app_pin(app, i) >= 0) {
            return true;
        }
    }
    return false;
}

/* What all modules together hold: processors beyond stay empty, unless modules are pinned to them. */
static inlay_id most_held(const inlay_app *app, bool ignore_cores, inlay_id most)
{
    int64_t held = 0;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        held += ignore_cores ? 1 : inlay_app_cores(app, i);
    }
    return held < most ? (inlay_id)held : most;
}

static int set_range(const inlay_app *app, const inlay_machine *machine, const inlay_pareto_options *asked,
                     inlay_pareto_summary *s, inlay_diag *diag)
{
    inlay_id most = inlay_machine_processors(machine);
    inlay_id held = most_held(app, asked->mapping.ignore_cores, most);
    s->from = asked->from > 0 ? asked->from : 1;
    s->to = asked->to > 0 ? asked->to : most;
    if (s->from > s->to) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "from %d processors, but no more than %d; expected a number that is not above the other",
                         s->from, s->to);
    }
    if (s->to <= most && s->to > held && !has_pins(app)) {
        s->to = held > s->from ? held : s->from;
    }
    return INLAY_OK;
}

/* Where nothing is found mapping finds nothing either, and says why and what would work. */
static int refuse(const problem *p, inlay_diag *diag)
{
    inlay_mapping *mapping = NULL;
    int status = mapping_find(p->app, p->machine, &p->options, &mapping, diag);
    if (status == INLAY_OK) {
        inlay_mapping_free(mapping);
        status = diag_fail(diag, INLAY_NO_ANSWER, "no mapping on at most %d processors can be run", p->processors);
    }
    return status;
}

static int search(const problem *p, inlay_pareto_result *r, inlay_diag *diag)
{
    size_t n = (size_t)p->modules;
    memory_pool pool = {0};
    inlay_winner winner;
    const cluster_method *method = method_of(&p->options);
    const best_search with = {.only = method->choose != NULL ? NULL : method, .each = add_point, .context = r};
    inlay_id *processor_of = pool_array(&pool, n, sizeof *processor_of), *order = pool_array(&pool, n, sizeof *order);
    int status = pool.failed ? INLAY_NO_MEMORY : check_feasible(p, diag);
    status = status == INLAY_OK ? method_check(p, diag) : status;
    if (status == INLAY_OK) {
        status = best_find(p, &with, processor_of, order, &winner);
        status = status == INLAY_OK && r->count == 0 ? INLAY_NO_ANSWER : status;
        status = status == INLAY_NO_ANSWER ? refuse(p, diag) : status;
    }
    pool_clear(&pool);
    find_knee(r);
    return status == INLAY_NO_MEMORY ? diag_no_memory(diag) : status;
}

static int check_options(const inlay_pareto_options *options, inlay_diag *diag)
{
    if (options->mapping.has_time_frame) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a front has no time frame; expected none in the options");
    }
    return options->from < 0 || options->to < 0
               ? diag_fail(diag, INLAY_BAD_ARGUMENT, "fewer than no processors; expected 1 or more, or 0")
               : INLAY_OK;
}

static int search_once(const inlay_app *app, const inlay_machine *machine, const inlay_pareto_options *asked,
                       inlay_pareto_result **result, inlay_diag *diag)
{
    problem p;
    inlay_pareto_summary summary = {0};
    inlay_options options = asked->mapping;
    int status = set_range(app, machine, asked, &summary, diag);
    if (status != INLAY_OK) {
        return status;
    }
    options.method = options.method != NULL ? options.method : &best_method.is;
    options.processors = summary.to;
    status = problem_make(app, machine, &options, &p, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_pareto_result *made = memory_zeroed(1, sizeof *made);
    if (made != NULL) {
        summary.traffic_in_bytes = p.network.in_bytes;
        *made = (inlay_pareto_result){.app = app, .machine = machine, .options = p.options, .summary = summary};
    }
    status = made == NULL ? diag_no_memory(diag) : search(&p, made, diag);
    problem_clear(&p);
    if (status != INLAY_OK) {
        inlay_pareto_free(made);
        return status;
    }
    *result = made;
    return INLAY_OK;
}

static int ask_again(const void *context, const inlay_machine *machine, const inlay_options *options,
                     const inlay_diag *with, inlay_diag *diag)
{
    inlay_mapping *mapping = NULL;
    (void)with;
    int status = mapping_find(context, machine, options, &mapping, diag);
    inlay_mapping_free(mapping);
    return status;
}

int inlay_pareto(const inlay_app *app, const inlay_machine *machine, const inlay_pareto_options *options,
                 inlay_pareto_result **result, inlay_diag *diag)
{
    DIAG_CALL(diag);
    static const inlay_pareto_options defaults;
    options = options != NULL ? options : &defaults;
    if (app == NULL || machine == NULL || result == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a front is that of an application on a machine");
    }
    int status = check_options(options, diag);
    status = status == INLAY_OK ? search_once(app, machine, options, result, diag) : status;
    inlay_options asked = options->mapping;
    asked.method = asked.method != NULL ? asked.method : &best_method.is;
    asked.processors = options->to;
    return remedy_prove(status, machine, &asked, ask_again, app, diag);
}

void inlay_pareto_free(inlay_pareto_result *result)
{
    for (size_t i = 0; result != NULL && i < result->count; i++) {
        free(result->schedules[i].processor_of);
    }
    if (result != NULL) {
        free(result->points);
        free(result->schedules);
        free(result);
    }
}

/* ---- What it says ---- */

size_t inlay_pareto_points(const inlay_pareto_result *result)
{
    return result->count;
}

const inlay_pareto_point *inlay_pareto_point_at(const inlay_pareto_result *result, size_t point)
{
    return &result->points[point];
}

int inlay_pareto_mapping(const inlay_pareto_result *result, size_t point, inlay_mapping **mapping, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (result == NULL || mapping == NULL || point >= result->count) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "the front has no such point");
    }
    problem p;
    inlay_options options = result->options;
    options.processors = result->points[point].processors;
    int status = problem_make(result->app, result->machine, &options, &p, diag);
    if (status != INLAY_OK) {
        return status;
    }
    status = make_mapping(result, point, &p, mapping, diag);
    problem_clear(&p);
    return status;
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
