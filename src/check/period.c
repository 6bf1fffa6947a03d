/* How closely runs of the mapping can follow each other, worked out anew. */
#include "check/check.h"

#include <inlay/sdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Up to so many steps a cycle's ratio is proven; beyond it stands as the library has it. */
static const double MOST_STEPS = 2e8;

/* Firing `to` waits for firing `from`, so many iterations before. */
typedef struct wait {
    int64_t from, to, before;
} wait;

typedef struct waits {
    const inlay_sdf *sdf;
    int64_t *first; /* firing of every actor */
    wait *all;
    size_t count, room;
    bool failed;
} waits;

/* ---- Who waits for whom ---- */

static void add_wait(waits *w, int64_t from, int64_t to, int64_t before)
{
    if (w->count == w->room) {
        size_t room = w->room * 2 + 64;
        wait *grown = realloc(w->all, room * sizeof *grown);
        if (!grown) {
            w->failed = true;
            return;
        }
        w->all = grown;
        w->room = room;
    }
    w->all[w->count++] = (wait){from, to, before};
}

/* Firing `to` takes the tokens [begin, end), counted in the order in which the producer puts them from iteration 0 on. */
static void add_tokens(waits *w, const inlay_sdf_channel *c, int64_t to, int64_t begin, int64_t end)
{
    int64_t firings = inlay_sdf_repetitions(w->sdf, c->from), phases = inlay_sdf_phases(w->sdf, c->from), each = 0;
    for (int64_t f = 0; f < firings; f++)
        each += c->produced[f % phases];
    if (each == 0) return; /* then nobody takes any */
    int64_t iteration = begin / each - (begin % each < 0), at = iteration * each;
    for (; at < end && !w->failed; iteration++)
        for (int64_t f = 0; f < firings; at += c->produced[f++ % phases])
            if (at < end && at + c->produced[f % phases] > begin && c->produced[f % phases] > 0)
                add_wait(w, w->first[c->from] + f, w->first[c->to] + to, -iteration);
}

static void add_channel(waits *w, const inlay_sdf_channel *c)
{
    int64_t taken = -c->tokens, phases = inlay_sdf_phases(w->sdf, c->to);
    for (int64_t f = 0; f < inlay_sdf_repetitions(w->sdf, c->to); f++) {
        int64_t end = taken + c->consumed[f % phases];
        if (end > taken) add_tokens(w, c, f, taken, end);
        taken = end;
    }
}

/* ---- Cycles ---- */

/* Whether some cycle's times are above `period` for each iteration (R. Bellman, L. R. Ford); time of every firing. */
static bool exceeds(const waits *w, int64_t firings, const long double *time, long double period, long double *length)
{
    memset(length, 0, (size_t)firings * sizeof *length);
    for (int64_t round = 0; round <= firings; round++) {
        bool longer = false;
        for (size_t i = 0; i < w->count; i++) {
            const wait *a = &w->all[i];
            long double through = length[a->from] + time[a->from] - period * (long double)a->before;
            if (through > length[a->to] + 1e-15L * fabsl(length[a->to])) {
                length[a->to] = through;
                longer = true;
            }
        }
        if (!longer) return false;
    }
    return true;
}

static void fill_times(const inlay_sdf *sdf, long double *time)
{
    for (inlay_id a = 0; a < inlay_sdf_actors(sdf); a++)
        for (int64_t f = 0; f < inlay_sdf_repetitions(sdf, a); f++) {
            inlay_decimal given = inlay_sdf_time(sdf, a, (int32_t)(f % inlay_sdf_phases(sdf, a)));
            *time++ = (long double)given.digits / powl(10, given.scale);
        }
}

/* Whether the least period of the graph is what the library says, or there is nothing to be told. */
static void prove_cycle(check *k, waits *w, inlay_sdf_period said, long double *time, long double *length)
{
    static const long double rounding = 1e-9L;
    int64_t firings = inlay_sdf_firings(w->sdf);
    for (int64_t c = 0; c < inlay_sdf_channels(w->sdf) && !w->failed; c++) {
        const inlay_sdf_channel channel = inlay_sdf_channel_at(w->sdf, c);
        add_channel(w, &channel);
    }
    if (w->failed || (double)w->count * (double)firings > MOST_STEPS) {
        check_believed(k, 1);
        return;
    }
    fill_times(w->sdf, time);
    if (!said.bounded) {
        for (int64_t f = 0; f < firings; f++)
            time[f] = 1;
        if (exceeds(w, firings, time, 0, length)) check_find(k, "period: the dataflow graph has a cycle");
        return;
    }
    long double period = (long double)said.numerator / (long double)said.denominator;
    bool more = exceeds(w, firings, time, period * (1 + rounding), length);
    bool less = period > 0 && !exceeds(w, firings, time, period * (1 - rounding), length);
    if (more || less)
        check_find(k, "period: the dataflow graph's cycles take %s than %.15Lg", more ? "more" : "less", period);
}

static int cycle_of_graph(check *k, const inlay_sdf *sdf, double *period)
{
    int64_t firings = inlay_sdf_firings(sdf);
    inlay_sdf_period said = inlay_sdf_least_period(sdf);
    waits w = {.sdf = sdf, .first = calloc((size_t)inlay_sdf_actors(sdf) + 1, sizeof *w.first)};
    long double *time = malloc((size_t)firings * sizeof *time), *length = malloc((size_t)firings * sizeof *length);
    bool room = w.first && time && length;
    for (inlay_id a = 0; room && a < inlay_sdf_actors(sdf); a++)
        w.first[a + 1] = w.first[a] + inlay_sdf_repetitions(sdf, a);
    if (room) prove_cycle(k, &w, said, time, length);
    room = room && !w.failed;
    free(w.first);
    free(w.all);
    free(time);
    free(length);
    *period = said.bounded ? (double)said.numerator / (double)said.denominator : NAN;
    return room ? INLAY_OK : INLAY_NO_MEMORY;
}

/* Least share of its general time that a module takes: where it is, or anywhere. */
static double least_share(const check *k, bool here)
{
    double least = INFINITY;
    for (inlay_id i = 0; i < k->modules; i++) {
        double general = check_units(k, inlay_app_time(k->app, i));
        const check_class *class = check_class_of(k, k->cluster[k->cluster_of[i]].processor);
        double own =
            here ? check_units(k, check_time_on(k, i, class)) / class->speed : check_units(k, k->time[i]) / k->speed;
        if (general > 0) least = fmin(least, own / general);
    }
    return isinf(least) ? 0 : least;
}

/* ---- Comparing ---- */

typedef struct limit {
    const char *name;
    double value; /* NaN: none */
} limit;

/* The largest; which of several that are as large the file names does not matter. */
static double compare_limits(check *k, const json_t *period, const char *name, const char *of, const limit *limits)
{
    const json_t *named = check_field(k, "period", period, of, CHECK_STRING);
    double largest = NAN;
    bool met = false;
    for (const limit *l = limits; l->name; l++)
        largest = isnan(largest) ? l->value : fmax(largest, l->value);
    for (const limit *l = limits; named && l->name; l++)
        met = met ||
              (strcmp(json_string_value(named), l->name) == 0 && (isnan(largest) || l->value >= largest * (1 - 1e-9)));
    check_counted(k, 1);
    if (named && !met)
        check_find(k, "period: %s is '%.100s', which is no limit of %.15g", of, json_string_value(named), largest);
    check_number(k, "period", period, name, largest);
    return largest;
}

int check_period(check *k)
{
    const inlay_sdf *sdf = inlay_app_sdf(k->app);
    double wanted = inlay_app_period(k->app), cycle = NAN, iterations = fmax(1, inlay_app_iterations(k->app));
    bool told = k->by_period || wanted > 0 || sdf;
    const json_t *period = json_object_get(k->root, "period");
    if (!told && period) check_find(k, "period: nothing asks for one");
    if (!told || !check_field(k, NULL, k->root, "period", CHECK_OBJECT)) return INLAY_OK;
    int status = sdf ? cycle_of_graph(k, sdf, &cycle) : INLAY_OK;
    if (status != INLAY_OK) return status;
    const json_t *placed = json_object_get(json_object_get(k->root, "makespan"), "placement_bound_of");
    const limit here[] = {
        {json_is_string(placed) ? json_string_value(placed) : "compute", k->bound_placement / iterations},
        {"cycle", cycle * least_share(k, true)},
        {NULL, 0}};
    const limit anywhere[] = {{"work", k->bound_work / iterations},
                              {"longest_module", check_units(k, k->longest) / k->speed / iterations},
                              {"cycle", cycle * least_share(k, false)},
                              {NULL, 0}};
    double least = compare_limits(k, period, "least", "least_of", here);
    double any = compare_limits(k, period, "lower_bound", "lower_bound_of", anywhere);
    double gap = any > 0 ? least / any - 1 : least > 0 ? NAN : 0;
    check_number_within(k, "period", period, "gap", gap, 1e-9 * (1 + fabs(gap)));
    if (wanted > 0) {
        check_number(k, "period", period, "wanted", wanted);
        double said = json_number_value(json_object_get(period, "least"));
        check_flag(k, "period", period, "kept", said <= wanted);
    }
    return INLAY_OK;
}
