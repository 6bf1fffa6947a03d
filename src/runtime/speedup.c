/* Elapsed time against cores. */
#include <inlay/speedup.h>
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "graph/app.h"
#include "problem/kinds.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_CORES = 1024 };

struct inlay_speedup_result {
    const inlay_app *app;
    inlay_machine *own; /* where none was given */
    const char *machine;
    const char *scheduler;
    double work, path;
    int64_t replications;
    inlay_speedup_point *point;
    size_t points;
};

void inlay_speedup_free(inlay_speedup_result *result)
{
    if (result != NULL) {
        inlay_machine_free(result->own);
        free(result->point);
        free(result);
    }
}

/* ---- Which numbers of cores ---- */

/* Every one up to 32, then two to an octave. */
static inlay_id after(inlay_id processors)
{
    bool octave = (processors & (processors - 1)) == 0;
    return processors < 32 ? processors + 1 : processors + processors / (octave ? 2 : 3);
}

static inlay_id next_count(inlay_id processors, inlay_id last)
{
    inlay_id next = 1;
    while (next <= processors) {
        next = after(next);
    }
    return next < last || processors == last ? next : last;
}

/* ---- The machine ---- */

/* How many cores are looked at where nobody says: as many as can be busy at once, or have to be, but not without end. */
static inlay_id default_cores(const inlay_app *app, const inlay_app_info *info)
{
    inlay_id cores = info->exact_width >= 0 ? info->exact_width : info->level_width, most = 1;
    cores = cores < MOST_CORES ? cores : MOST_CORES;
    for (inlay_id i = 0; i < app->modules; i++) {
        most = inlay_app_cores(app, i) > most ? inlay_app_cores(app, i) : most;
    }
    return cores > most ? cores : most;
}

/* Cores of one host. */
static int make_host(inlay_id cores, inlay_machine **machine, inlay_diag *diag)
{
    text_buffer text = {0};
    text_addf(&text, "star:1,cores=%" PRId32, cores);
    int status = text.failed ? diag_no_memory(diag) : inlay_machine_parse(text.data, machine, diag);
    text_clear(&text);
    return status;
}

/* ---- Points ---- */

/* What the bounds of more and more cores have in common. */
typedef struct bounding {
    kinds kinds;
    bool seen[KINDS_MOST]; /* kinds of the cores so far */
    double *least,
        *longest; /* of every module: its least time on one of these, and the longest chain of such up to it */
    double path;  /* the longest of all */
} bounding;

static void see(bounding *b, const inlay_app *app, inlay_id processors)
{
    for (inlay_id p = 0; p < processors; p++) {
        const processor_kind *k = kinds_of(&b->kinds, p);
        bool *seen = &b->seen[k - b->kinds.kind];
        for (inlay_id i = 0; !*seen && i < app->modules; i++) {
            double time = inlay_app_in_units(app, kind_time(app, k, i)) / k->speed;
            b->least[i] = kind_runs(k, i) ? fmin(b->least[i], time) : b->least[i];
        }
        *seen = true;
    }
}

/* The longest chain of least times, or all of them over the cores. */
static double lower_bound(bounding *b, const inlay_app *app, inlay_id processors)
{
    double work = 0;
    see(b, app, processors);
    b->path = 0;
    for (inlay_id at = 0; at < app->modules; at++) {
        inlay_id i = app->topological[at];
        b->longest[i] = 0;
        for (int64_t l = app->in_begin[i]; l < app->in_begin[i + 1]; l++) {
            b->longest[i] = fmax(b->longest[i], b->longest[app->in_from[l]]);
        }
        b->longest[i] += b->least[i];
        b->path = fmax(b->path, b->longest[i]);
        work += b->least[i] * inlay_app_cores(app, i);
    }
    return fmax(b->path, work / processors);
}

static void add_memories(inlay_speedup_point *at, const inlay_scheduled *run)
{
    const inlay_scheduled_summary *sum = inlay_scheduled_result(run);
    double unit = inlay_unit_seconds(inlay_app_unit(inlay_scheduled_app(run))), waiting = 0;
    for (inlay_id k = 0; k < sum->processors; k++) {
        waiting += inlay_scheduled_core_at(run, k).fetching;
    }
    at->has_memories = true;
    at->winner = sum->winner;
    at->moved = sum->moved;
    at->least_moved = sum->least_moved;
    at->evictions = sum->evictions;
    at->write_backs = sum->write_backs;
    at->waiting = sum->makespan > 0 ? waiting / (sum->makespan * sum->processors) : 0;
    bool known = sum->operations > 0 && sum->makespan > 0 && unit > 0;
    at->rate = known ? sum->operations / (sum->makespan * unit) : NAN;
}

static int run_point(inlay_speedup_result *s, const inlay_machine *machine, const inlay_scheduled_options *options,
                     bounding *bounds, inlay_diag *diag)
{
    inlay_scheduled *run;
    int status = inlay_simulate_scheduled(s->app, machine, options, &run, diag);
    if (status != INLAY_OK) {
        return status;
    }
    const inlay_scheduled_summary *sum = inlay_scheduled_result(run);
    double speedup = sum->makespan > 0 ? s->work / sum->makespan : NAN;
    double bound = lower_bound(bounds, s->app, options->processors);
    s->point[s->points++] =
        (inlay_speedup_point){.processors = options->processors,
                              .elapsed = sum->makespan,
                              .p05 = sum->p05,
                              .p95 = sum->p95,
                              .lower_bound = sum->has_memories ? fmax(sum->path_bound, sum->area_bound) : bound,
                              .speedup = speedup,
                              .efficiency = speedup / options->processors};
    if (sum->has_memories) {
        add_memories(&s->point[s->points - 1], run);
    }
    s->scheduler = sum->scheduler;
    s->path = bounds->path;
    s->replications = sum->replications;
    inlay_scheduled_free(run);
    return INLAY_OK;
}

static int run_points(inlay_speedup_result *s, const inlay_machine *machine, const inlay_speedup_options *options,
                      inlay_id from, inlay_id to, inlay_diag *diag)
{
    size_t count = 1;
    for (inlay_id p = from; p < to; p = next_count(p, to)) {
        count++;
    }
    size_t n = (size_t)s->app->modules;
    bounding bounds = {.least = memory_array(n, sizeof *bounds.least),
                       .longest = memory_array(n, sizeof *bounds.longest)};
    s->point = memory_array(count, sizeof *s->point);
    bool room = bounds.least != NULL && bounds.longest != NULL && s->point != NULL;
    int status = room ? kinds_make(s->app, machine, &bounds.kinds, diag) : diag_no_memory(diag);
    for (size_t i = 0; room && i < n; i++) {
        bounds.least[i] = INFINITY;
    }
    inlay_scheduled_options run = options->run;
    for (inlay_id p = from; status == INLAY_OK && p <= to; p = next_count(p, to)) {
        run.processors = p;
        status = run_point(s, machine, &run, &bounds, diag);
    }
    kinds_clear(&bounds.kinds);
    free(bounds.least);
    free(bounds.longest);
    return status;
}

/* ---- The call ---- */

static int find_range(const inlay_machine *machine, const inlay_speedup_options *o, inlay_id cores, inlay_id *from,
                      inlay_id *to, inlay_diag *diag)
{
    inlay_id most = machine == NULL ? INT32_MAX : inlay_machine_processors(machine);
    *from = o->from > 0 ? o->from : 1;
    *to = o->to > 0 ? o->to : cores < most ? cores : most;
    *to = *to < *from && o->to == 0 ? *from : *to;
    return o->from >= 0 && *to >= *from && *to <= most
               ? INLAY_OK
               : diag_fail(diag, INLAY_BAD_ARGUMENT,
                           "%" PRId32 " to %" PRId32 " cores are asked for; expected numbers from 1 to %" PRId32, *from,
                           *to, most);
}

static int make(inlay_speedup_result *s, const inlay_machine *machine, const inlay_speedup_options *options,
                inlay_diag *diag)
{
    inlay_app_info info;
    inlay_id from = 0, to = 0;
    int status = inlay_app_describe(s->app, &info, diag);
    if (status == INLAY_OK) {
        s->work = inlay_app_in_units(s->app, info.work);
        status = find_range(machine, options, default_cores(s->app, &info), &from, &to, diag);
    }
    if (status == INLAY_OK && machine == NULL) {
        status = make_host(to, &s->own, diag);
    }
    if (status == INLAY_OK) {
        s->machine = machine == NULL ? "cores of one host" : inlay_machine_text(machine);
        status = run_points(s, machine == NULL ? s->own : machine, options, from, to, diag);
    }
    return status;
}

int inlay_speedup(const inlay_app *app, const inlay_machine *machine, const inlay_speedup_options *options,
                  inlay_speedup_result **result, inlay_diag *diag)
{
    DIAG_CALL(diag);
    static const inlay_speedup_options defaults = {0};
    if (app == NULL || result == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a speed-up is that of an application");
    }
    inlay_speedup_result *s = memory_zeroed(1, sizeof *s);
    if (s == NULL) {
        return diag_no_memory(diag);
    }
    s->app = app;
    int status = make(s, machine, options == NULL ? &defaults : options, diag);
    if (status != INLAY_OK) {
        inlay_speedup_free(s);
        return status;
    }
    *result = s;
    return INLAY_OK;
}

const inlay_app *inlay_speedup_app(const inlay_speedup_result *result)
{
    return result->app;
}

const char *inlay_speedup_machine(const inlay_speedup_result *result)
{
    return result->machine;
}

const char *inlay_speedup_scheduler(const inlay_speedup_result *result)
{
    return result->scheduler;
}

double inlay_speedup_work(const inlay_speedup_result *result)
{
    return result->work;
}

double inlay_speedup_path(const inlay_speedup_result *result)
{
    return result->path;
}

int64_t inlay_speedup_replications(const inlay_speedup_result *result)
{
    return result->replications;
}

size_t inlay_speedup_points(const inlay_speedup_result *result)
{
    return result->points;
}

inlay_speedup_point inlay_speedup_point_at(const inlay_speedup_result *result, size_t point)
{
    return result->point[point];
}
