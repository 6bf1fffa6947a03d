/* The table of lower bounds, and those that are a line each. */
#include "mapping/bounds.h"
#include "base/diag.h"
#include "base/memory.h"
#include "mapping/mapping.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int critical_path(const bounds_question *q, inlay_bound *bound)
{
    bound->value = bounds_units(q, q->timing->critical_path);
    return INLAY_OK;
}

static int longest_module(const bounds_question *q, inlay_bound *bound)
{
    inlay_time longest = 0;
    for (inlay_id i = 0; i < q->app->modules; i++) {
        longest = q->timing->m[i] > longest ? q->timing->m[i] : longest;
    }
    bound->value = bounds_units(q, longest);
    return INLAY_OK;
}

/* What the search for the mapping has proven. */
static int branch_and_bound(const bounds_question *q, inlay_bound *bound)
{
    if (q->m != NULL && q->m->summary.winner.least > 0) {
        bound->value = q->m->summary.winner.least;
    }
    return INLAY_OK;
}

typedef struct bound_rule {
    const char *name, *words, *holds;
    bool of_placement;
    bounds_function *find;
} bound_rule;

/* Where several are the largest the first of them is named. */
static const bound_rule rules[] = {
    {"critical_path", "critical path", "any mapping: least times, messages free", false, critical_path},
    {"work", "work / processors", "any mapping on at most P processors: what they do in a unit of time", false,
     bounds_work},
    {"longest_module", "longest module", "any mapping: its least time", false, longest_module},
    {"transfer_path", "critical path with transfers",
     "any mapping that keeps pins and memory: least times, and messages between modules that cannot be together", false,
     bounds_path},
    {"fernandez_bussell", "Fernandez and Bussell",
     "any mapping on at most P processors: work that must lie in an interval", false, bounds_interval},
    {"one_sender", "one sender", "any mapping on at most P processors: what one module sends, or keeps at home", false,
     bounds_sender},
    {"one_receiver", "one receiver", "any mapping on at most P processors: what one module receives, or has at home",
     false, bounds_receiver},
    {"branch_and_bound", "branch and bound",
     "any mapping on at most P processors that keeps pins and memory: all were tried, or excluded by what they bound",
     false, branch_and_bound},
    {"compute", "busiest processor", "this placement: the modules of one processor", true, bounds_processor},
    {"sender", "busiest sender", "this placement: the messages that one processor sends, one after the other", true,
     bounds_one_queue},
    {"bus", "buses", "this placement: all messages over all buses", true, bounds_bus},
    {"memory", "busiest memory", "this placement: reads of the data blocks in one common memory", true, bounds_memory},
    {"link", "busiest link", "this placement: the messages over one link, or one output of a switch", true,
     bounds_link},
};
enum { RULES = sizeof rules / sizeof *rules };
_Static_assert((int)RULES <= (int)BOUNDS_MOST, "room for all bounds");

size_t inlay_bounds(void)
{
    return RULES;
}

/* ---- What modules wait for, at the least ---- */

/* Where modules finish first, timing has both. */
static int stream_times(bounds_question *q)
{
    const inlay_app *app = q->app;
    const timing *t = q->timing;
    q->own_earliest = memory_zeroed((size_t)app->modules, sizeof *q->own_earliest);
    q->own_tail = memory_array((size_t)app->modules, sizeof *q->own_tail);
    if (q->own_earliest == NULL || q->own_tail == NULL) {
        return INLAY_NO_MEMORY;
    }
    inlay_time *earliest = q->own_earliest, *tail = q->own_tail;
    for (inlay_id k = 0; k < app->modules; k++) {
        inlay_id j = app->topological[k];
        for (int64_t l = app->in_begin[j]; l < app->in_begin[j + 1]; l++) {
            inlay_time due = earliest[app->in_from[l]] + timing_lag(t, app->in_from[l], j);
            earliest[j] = due > earliest[j] ? due : earliest[j];
        }
    }
    memcpy(tail, t->m, (size_t)app->modules * sizeof *tail);
    for (inlay_id k = app->modules - 1; k >= 0; k--) {
        inlay_id j = app->topological[k];
        for (int64_t l = app->in_begin[j]; l < app->in_begin[j + 1]; l++) {
            inlay_time whole = timing_lag(t, app->in_from[l], j) + tail[j];
            tail[app->in_from[l]] = whole > tail[app->in_from[l]] ? whole : tail[app->in_from[l]];
        }
    }
    q->earliest = earliest;
    q->tail = tail;
    return INLAY_OK;
}

/* Nothing is claimed. */
static void begin_rows(bounds_found *found)
{
    for (size_t i = 0; i < RULES; i++) {
        found->of[i] = (inlay_bound){.name = rules[i].name,
                                     .words = rules[i].words,
                                     .holds = rules[i].holds,
                                     .of_placement = rules[i].of_placement,
                                     .value = NAN,
                                     .at = -1};
    }
}

int bounds_find(bounds_question *q)
{
    int status = INLAY_OK;
    q->earliest = q->timing->b;
    q->tail = q->timing->bottom;
    if (q->timing->streamed) {
        status = stream_times(q);
    }
    begin_rows(q->found);
    for (size_t i = 0; status == INLAY_OK && i < RULES; i++) {
        status = rules[i].find(q, &q->found->of[i]);
    }
    free(q->own_earliest);
    free(q->own_tail);
    return status;
}

/* ---- Together or apart ---- */

/* What stands for where a module is pinned; -1: it is not. */
static inline inlay_id pinned_to(const bounds_question *q, inlay_id module)
{
    inlay_id pin = inlay_app_pin(q->app, module);
    return pin >= 0 && inlay_machine_has_links(q->p->machine) ? inlay_machine_host(q->p->machine, pin) : pin;
}

bool bounds_apart(const bounds_question *q, inlay_id a, inlay_id b)
{
    if (q->p == NULL || !q->keeps) {
        return false;
    }
    inlay_id one = pinned_to(q, a), other = pinned_to(q, b);
    if (one >= 0 && other >= 0 && one != other) {
        return true;
    }
    int64_t needed = q->app->memory == NULL ? 0 : inlay_app_memory(q->app, a) + inlay_app_memory(q->app, b);
    return q->p->memory_limit >= 0 && needed > q->p->memory_limit;
}

/* Memory that the modules take of each place; false where it is more than that has. */
static bool keeps_memory(const problem *p, const inlay_mapping *m, int64_t *taken)
{
    bool links = inlay_machine_has_links(p->machine);
    for (inlay_id i = 0; i < p->modules; i++) {
        inlay_id at = m->clusters[m->cluster_of[i]].processor;
        int64_t limit = kinds_of(&p->kinds, at)->memory;
        inlay_id place = links ? inlay_machine_host(p->machine, at) : at;
        taken[place] += inlay_app_memory(p->app, i);
        if (limit >= 0 && taken[place] > limit) {
            return false;
        }
    }
    return true;
}

/* A placement of the user's own may break both. */
static int find_breaches(const problem *p, const inlay_mapping *m, bool *keeps)
{
    *keeps = true;
    for (inlay_id i = 0; p->app->pin != NULL && i < p->modules; i++) {
        inlay_id pin = p->app->pin[i];
        *keeps &= pin < 0 || pin == m->clusters[m->cluster_of[i]].processor;
    }
    if (!*keeps || p->app->memory == NULL || p->memory_limit < 0) {
        return INLAY_OK;
    }
    int64_t *taken = memory_zeroed((size_t)inlay_machine_processors(p->machine), sizeof *taken);
    *keeps = taken != NULL && keeps_memory(p, m, taken);
    free(taken);
    return taken == NULL ? INLAY_NO_MEMORY : INLAY_OK;
}

/* ---- Of a problem and of a mapping ---- */

static bounds_question question_of(const problem *p, bounds_found *found)
{
    return (bounds_question){.app = p->app,
                             .timing = &p->timing,
                             .cores = p->cores,
                             .processors = p->processors,
                             .speed = p->kinds.speed,
                             .p = p,
                             .keeps = true,
                             .found = found};
}

int bounds_of_problem(const problem *p, bounds_found *found)
{
    *found = (bounds_found){0};
    bounds_question q = question_of(p, found);
    return bounds_find(&q);
}

int bounds_of_mapping(const problem *p, inlay_mapping *m)
{
    inlay_summary *s = &m->summary;
    bounds_question q = question_of(p, &m->bounds);
    q.m = m;
    int status = find_breaches(p, m, &q.keeps);
    if (status == INLAY_OK) {
        status = bounds_find(&q);
    }
    s->bound_critical_path = m->bounds.of[0].value;
    s->bound_work = m->bounds.of[1].value;
    s->bound_longest = m->bounds.of[2].value;
    s->lower_bound = bounds_largest(&m->bounds, false).value;
    return status;
}

int bounds_of_placement(const problem *p, inlay_mapping *m)
{
    bounds_question q = question_of(p, &m->bounds);
    int status = INLAY_OK;
    q.m = m;
    begin_rows(q.found);
    for (size_t i = 0; status == INLAY_OK && i < RULES; i++) {
        status = rules[i].of_placement ? rules[i].find(&q, &q.found->of[i]) : INLAY_OK;
    }
    return status;
}

inlay_bound inlay_mapping_bound(const inlay_mapping *mapping, size_t i)
{
    return mapping->bounds.of[i];
}

const double *inlay_mapping_work_weights(const inlay_mapping *mapping, size_t *count)
{
    *count = (size_t)mapping->bounds.weights;
    return mapping->bounds.weights > 0 ? mapping->bounds.weight : NULL;
}

/* Whether a bound is larger by more than the last digits, or the first that is claimed. */
static bool is_larger(const inlay_bound *bound, const inlay_bound *than)
{
    static const double hair = 1e-12;
    return isnan(than->value) ? !isnan(bound->value) : bound->value > than->value * (1 + hair);
}

inlay_bound bounds_largest(const bounds_found *found, bool of_placement)
{
    const inlay_bound *largest = NULL;
    for (size_t i = 0; i < RULES; i++) {
        const inlay_bound *bound = &found->of[i];
        if (bound->of_placement == of_placement && (largest == NULL || is_larger(bound, largest))) {
            largest = bound;
        }
    }
    return *largest;
}

inlay_bound inlay_mapping_largest_bound(const inlay_mapping *mapping, bool of_placement)
{
    return bounds_largest(&mapping->bounds, of_placement);
}

/* ---- Of an application by itself ---- */

int inlay_app_bounds(const inlay_app *app, inlay_id processors, inlay_bound *bounds, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (app == NULL || bounds == NULL || processors < 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "bounds need an application, and processors or none");
    }
    timing t;
    int status = timing_make(app, NULL, app->blocking != NULL, &t, diag);
    if (status != INLAY_OK) {
        return status;
    }
    bounds_found found = {0};
    bounds_question q = {
        .app = app, .timing = &t, .cores = app->cores, .processors = processors, .speed = 1, .found = &found};
    status = bounds_find(&q) == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
    memcpy(bounds, found.of, RULES * sizeof *bounds);
    timing_clear(&t);
    return status;
}
