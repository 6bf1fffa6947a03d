/*
 * The core of a part by Gauss-Seidel sweeps. After some sweeps, what a loop that is hardly ever left keeps is put
 * right in one step: all that comes in has to go out (forward), and the work of an execution is the same counted by
 * visits and by what each visit does (backward). Where visits multiply there is no such balance, and the growth of the
 * sweeps tells whether there is a solution at all: P. Stein and R. L. Rosenberg, J. London Math. Soc. 23 (1948).
 */
#include "base/memory.h"
#include "graph/stochastic_eliminate.h"
#include <math.h>
#include <stdlib.h>

/* Sweeps between two corrections; relative error that is allowed for, estimated from the last changes. */
enum { SWEEPS = 4 };
static const double allowed_error = 1e-12, allowed_imbalance = 1e-11;

/* The core by itself: its modules by their places in the sweep, so that they are near each other in memory. */
typedef struct sweeper {
    inlay_id count;
    size_t *begin; /* of each equation in the two arrays that follow */
    inlay_id *place;
    double *share;
    double *b, *x, *pivot, *leak;
    double *weight, *entering; /* backward: visits, and those from outside of the core; NULL forward */
    double *step;              /* the last change */
    bool balanced;             /* no visit multiplies */
    double change;             /* largest relative change of the last sweep */
    double growth;             /* least growth of a change from one sweep to the next; 0 where there was no change */
} sweeper;

/* ---- Taking the core out of the matrix ---- */

static bool make_room(sweeper *s, inlay_id count, size_t entries, bool backward)
{
    size_t n = (size_t)count;
    *s = (sweeper){.count = count,
                   .balanced = true,
                   .begin = memory_array(n + 1, sizeof *s->begin),
                   .place = memory_array(entries, sizeof *s->place),
                   .share = memory_array(entries, sizeof *s->share),
                   .b = memory_array(n, sizeof *s->b),
                   .x = memory_zeroed(n, sizeof *s->x),
                   .pivot = memory_array(n, sizeof *s->pivot),
                   .leak = memory_array(n, sizeof *s->leak),
                   .weight = backward ? memory_array(n, sizeof *s->weight) : NULL,
                   .entering = backward ? memory_array(n, sizeof *s->entering) : NULL,
                   .step = memory_zeroed(n, sizeof *s->step)};
    return s->begin != NULL && s->place != NULL && s->share != NULL && s->b != NULL && s->x != NULL &&
           s->pivot != NULL && s->leak != NULL && (!backward || (s->weight != NULL && s->entering != NULL)) &&
           s->step != NULL;
}

static void clear(sweeper *s)
{
    void *arrays[] = {s->begin, s->place, s->share, s->b, s->x, s->pivot, s->leak, s->weight, s->entering, s->step};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        free(arrays[i]);
    }
}

/* @param place_of  by module */
static void take_out(sweeper *s, const sg_matrix *m, const sg_row *from, const inlay_id *core, const inlay_id *place_of,
                     const sg_flow_through *through, const double *b)
{
    size_t used = 0;
    for (inlay_id t = 0; t < s->count; t++) {
        inlay_id k = core[s->weight == NULL ? t : s->count - 1 - t];
        const sg_entry *entry = m->pool + from[k].begin;
        s->begin[t] = used;
        for (int32_t a = 0; a < from[k].count; a++) {
            s->place[used] = place_of[entry[a].id];
            s->share[used++] = entry[a].value;
        }
        s->b[t] = b[k];
        s->pivot[t] = m->pivot[k];
        s->leak[t] = m->leak[k];
        s->balanced = s->balanced && m->clean[k];
        if (s->weight != NULL) {
            s->weight[t] = through->visits[k];
            s->entering[t] = through->entering[k];
        }
    }
    s->begin[s->count] = used;
}

/* ---- Sweeps ---- */

static double taken(const sweeper *s, inlay_id t)
{
    double sum = s->b[t];
    for (size_t a = s->begin[t]; a < s->begin[t + 1]; a++) {
        sum += s->share[a] * s->x[s->place[a]];
    }
    return sum;
}

static void sweep_once(sweeper *s)
{
    s->change = 0;
    s->growth = INFINITY;
    for (inlay_id t = 0; t < s->count; t++) {
        double x = taken(s, t) / s->pivot[t], step = x - s->x[t];
        double relative = !isfinite(x) ? INFINITY : step == 0 ? 0 : fabs(step) / fabs(x);
        double growth = s->step[t] > 0 ? step / s->step[t] : 0;
        s->change = relative > s->change ? relative : s->change;
        s->growth = growth < s->growth ? growth : s->growth;
        s->step[t] = step;
        s->x[t] = x;
    }
}

/* sum of b = sum of leak x: forward. By how much, relatively, that was wrong. */
static double balance_flow(sweeper *s)
{
    double in = 0, out = 0;
    for (inlay_id t = 0; t < s->count; t++) {
        in += s->b[t];
        out += s->leak[t] * s->x[t];
    }
    double factor = in / out;
    if (!isfinite(factor) || factor <= 0) { /* nothing comes in, or nothing has come out so far */
        return in > 0 ? INFINITY : 0;
    }
    for (inlay_id t = 0; t < s->count; t++) {
        s->x[t] *= factor;
    }
    return fabs(factor - 1);
}

/* sum of entering x = sum of visits b: backward, by the same addition to all x. */
static double balance_work(sweeper *s)
{
    double by_entries = 0, by_visits = 0, entering = 0, largest = 0;
    for (inlay_id t = 0; t < s->count; t++) {
        by_entries += s->entering[t] * s->x[t];
        by_visits += s->weight[t] * s->b[t];
        entering += s->entering[t];
        largest = fabs(s->x[t]) > largest ? fabs(s->x[t]) : largest;
    }
    double shift = (by_visits - by_entries) / entering;
    for (inlay_id t = 0; t < s->count; t++) {
        s->x[t] += shift;
    }
    return shift == 0 ? 0 : fabs(shift) / largest;
}

/* Whether the changes still to come are below what is allowed, if they go on shrinking as the last one did. */
static bool is_settled(double before, double change)
{
    double rate = change / before;
    return change == 0 || (rate < 1 && change * rate / (1 - rate) <= allowed_error);
}

static sg_outcome run(sweeper *s, int most)
{
    for (int sweeps = 0; sweeps < most; sweeps += SWEEPS) {
        double before = 0;
        for (int i = 0; i < SWEEPS; i++) {
            before = s->change;
            sweep_once(s);
            if (!s->balanced && s->weight == NULL && s->growth >= 1) {
                return SG_GROWS;
            }
        }
        if (!isfinite(s->change)) {
            return SG_GROWS;
        }
        double wrong = !s->balanced ? 0 : s->weight != NULL ? balance_work(s) : balance_flow(s);
        if (wrong <= allowed_imbalance && is_settled(before, s->change)) {
            return SG_DONE;
        }
    }
    return SG_UNSETTLED;
}

sg_outcome sg_sweep(const sg_matrix *m, const inlay_id *core, inlay_id count, int sweeps,
                    const sg_flow_through *through, const double *b, double *x)
{
    const sg_row *from = through == NULL ? m->column : m->row;
    inlay_id *place_of = memory_zeroed((size_t)m->modules, sizeof *place_of);
    size_t entries = 0;
    sg_outcome outcome = SG_NO_MEMORY;
    sweeper s = {0};
    for (inlay_id t = 0; place_of != NULL && t < count; t++) {
        place_of[core[t]] = through == NULL ? t : count - 1 - t;
        entries += (size_t)from[core[t]].count;
    }
    if (place_of != NULL && make_room(&s, count, entries, through != NULL)) {
        take_out(&s, m, from, core, place_of, through, b);
        outcome = run(&s, sweeps);
    }
    for (inlay_id t = 0; outcome == SG_DONE && t < count; t++) {
        x[core[t]] = s.x[place_of[core[t]]];
    }
    free(place_of);
    clear(&s);
    return outcome;
}
