/*
 * The core of a part by Gauss-Seidel sweeps, and by BiCGSTAB where they do not settle soon. After some sweeps, what a
 * loop that is hardly ever left keeps is put right in one step: all that comes in has to go out (forward), and the work
 * of an execution is the same counted by visits and by what each visit does (backward). Where visits multiply there is
 * no such balance, and the growth of the sweeps tells whether there is a solution at all: P. Stein and R. L. Rosenberg,
 * J. London Math. Soc. 23 (1948).
 */
#include "base/memory.h"
#include "graph/stochastic_krylov.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Sweeps between two balances, before BiCGSTAB, and how often it is called; relative error that is allowed for,
 * estimated from the last changes, and where visits multiply and rounding does not let it become that small; share of
 * visits that are not multiplied at least, for a solution to be trusted.
 */
enum { SWEEPS = 4, FIRST_SWEEPS = 32, CORRECTIONS = 8 };
static const double allowed_error = 1e-12, allowed_imbalance = 1e-11, allowed_noise = 1e-9, least_loss = 1e-11;

/* The core by itself: its modules by their places in the sweep, so that they are near each other in memory. */
typedef struct sweeper {
    memory_pool arrays; /**< owns them */
    sg_equations e;
    double *x;
    double *weight, *entering; /* backward: visits, and those from outside of the core; NULL forward */
    double *step;              /* the last change */
    double change;             /* largest relative change of the last sweep */
    double growth;             /* least growth of a change from one sweep to the next; 0 where there was no change */
} sweeper;

/* ---- Taking the core out of the matrix ---- */

static bool make_room(sweeper *s, inlay_id count, size_t entries, bool backward)
{
    size_t n = (size_t)count;
    memory_pool *arrays = &s->arrays;
    *s = (sweeper){.e = {.count = count, .balanced = true, .backward = backward}};
    s->e.begin = pool_array(arrays, n + 1, sizeof *s->e.begin);
    s->e.place = pool_array(arrays, entries, sizeof *s->e.place);
    s->e.share = pool_array(arrays, entries, sizeof *s->e.share);
    s->e.b = pool_array(arrays, n, sizeof *s->e.b);
    s->e.pivot = pool_array(arrays, n, sizeof *s->e.pivot);
    s->e.leak = pool_array(arrays, n, sizeof *s->e.leak);
    s->x = pool_zeroed(arrays, n, sizeof *s->x);
    s->weight = backward ? pool_array(arrays, n, sizeof *s->weight) : NULL;
    s->entering = backward ? pool_array(arrays, n, sizeof *s->entering) : NULL;
    s->step = pool_zeroed(arrays, n, sizeof *s->step);
    return !arrays->failed;
}

/* @param place_of  by module */
static void take_out(sweeper *s, const sg_matrix *m, const sg_row *from, const inlay_id *core, const inlay_id *place_of,
                     const sg_flow_through *through, const double *b)
{
    size_t used = 0;
    for (inlay_id t = 0; t < s->e.count; t++) {
        inlay_id k = core[s->weight == NULL ? t : s->e.count - 1 - t];
        const sg_entry *entry = m->pool + from[k].begin;
        s->e.begin[t] = used;
        for (int32_t a = 0; a < from[k].count; a++) {
            s->e.place[used] = place_of[entry[a].id];
            s->e.share[used++] = entry[a].value;
        }
        s->e.b[t] = b[k];
        s->e.pivot[t] = m->pivot[k];
        s->e.leak[t] = m->leak[k];
        s->e.balanced = s->e.balanced && m->clean[k];
        if (s->weight != NULL && through != NULL) { /* both or none */
            s->weight[t] = through->visits[k];
            s->entering[t] = through->entering[k];
        }
    }
    s->e.begin[s->e.count] = used;
}

/* ---- Sweeps ---- */

static double taken(const sweeper *s, inlay_id t)
{
    double sum = s->e.b[t];
    for (size_t a = s->e.begin[t]; a < s->e.begin[t + 1]; a++) {
        sum += s->e.share[a] * s->x[s->e.place[a]];
    }
    return sum;
}

static void sweep_once(sweeper *s)
{
    s->change = 0;
    s->growth = INFINITY;
    for (inlay_id t = 0; t < s->e.count; t++) {
        double x = taken(s, t) / s->e.pivot[t], step = x - s->x[t];
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
    for (inlay_id t = 0; t < s->e.count; t++) {
        in += s->e.b[t];
        out += s->e.leak[t] * s->x[t];
    }
    double factor = in / out;
    if (!isfinite(factor) || factor <= 0) { /* nothing comes in, or nothing has come out so far */
        return in > 0 ? INFINITY : 0;
    }
    for (inlay_id t = 0; t < s->e.count; t++) {
        s->x[t] *= factor;
    }
    return fabs(factor - 1);
}

/* sum of entering x = sum of visits b: backward, by the same addition to all x. */
static double balance_work(sweeper *s)
{
    double by_entries = 0, by_visits = 0, entering = 0, largest = 0;
    for (inlay_id t = 0; t < s->e.count; t++) {
        by_entries += s->entering[t] * s->x[t];
        by_visits += s->weight[t] * s->e.b[t];
        entering += s->entering[t];
        largest = fabs(s->x[t]) > largest ? fabs(s->x[t]) : largest;
    }
    double shift = (by_visits - by_entries) / entering;
    for (inlay_id t = 0; t < s->e.count; t++) {
        s->x[t] += shift;
    }
    return shift == 0 ? 0 : fabs(shift) / largest;
}

/* By how much the balance was wrong, where there is one. */
static double balance(sweeper *s)
{
    return !s->e.balanced ? 0 : s->weight != NULL ? balance_work(s) : balance_flow(s);
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
            if (!s->e.balanced && s->weight == NULL && s->growth >= 1) {
                return SG_GROWS;
            }
        }
        if (!isfinite(s->change)) {
            return SG_GROWS;
        }
        if (balance(s) <= allowed_imbalance && is_settled(before, s->change)) {
            return SG_DONE;
        }
    }
    return SG_UNSETTLED;
}

/* ---- BiCGSTAB, again and again ---- */

/* By how much x has changed, relatively, at most; infinity where it is no solution: visits are positive. */
static double compare(const sweeper *s, const double *before)
{
    double most = 0;
    for (inlay_id t = 0; t < s->e.count; t++) {
        double x = s->x[t], change = fabs(x - before[t]);
        if (!isfinite(x) || (s->weight == NULL && x <= 0)) {
            return INFINITY;
        }
        double relative = change == 0 ? 0 : change / fabs(x);
        most = relative > most ? relative : most;
    }
    return most;
}

/* Where visits multiply and hardly any are lost, rounding may hide that they grow. */
static bool is_doubtful(const sweeper *s)
{
    double in = 0, through = 0;
    for (inlay_id t = 0; t < s->e.count; t++) {
        in += s->e.b[t];
        through += s->e.pivot[t] * s->x[t];
    }
    return !s->e.balanced && s->weight == NULL && !(in > least_loss * through);
}

/* Corrections until they are as small as wanted or, where visits multiply, as rounding lets them be. */
static sg_outcome correct(sweeper *s, sg_krylov *k, double *kept)
{
    double before = 1;
    for (int i = 0; i < CORRECTIONS; i++) {
        for (inlay_id t = 0; t < s->e.count; t++) {
            kept[t] = s->x[t];
        }
        if (sg_krylov_correct(k, s->x) != SG_DONE) {
            return SG_UNSETTLED;
        }
        balance(s);
        sweep_once(s);
        double change = compare(s, kept);
        if (is_settled(before, change) || (!s->e.balanced && change > before / 4 && change <= allowed_noise)) {
            return is_doubtful(s) ? SG_UNSETTLED : SG_DONE;
        }
        if (!isfinite(change)) {
            return SG_UNSETTLED;
        }
        before = change;
    }
    return SG_UNSETTLED;
}

/*
 * Forward, it settles on visits that are positive, from entries that are not negative, only where they are finite (I -
 * P^T of a core is irreducible: Berman and Plemmons, chapter 6). x is as before where it does not settle.
 */
static sg_outcome refine(sweeper *s)
{
    size_t n = (size_t)s->e.count;
    sg_krylov k = {0};
    double *begun = memory_array(n, sizeof *begun), *kept = memory_array(n, sizeof *kept);
    sg_outcome outcome = begun != NULL && kept != NULL && sg_krylov_open(&k, &s->e) ? SG_DONE : SG_NO_MEMORY;
    if (outcome == SG_DONE) {
        memcpy(begun, s->x, n * sizeof *begun);
        outcome = correct(s, &k, kept);
    }
    if (outcome == SG_UNSETTLED) {
        memcpy(s->x, begun, n * sizeof *begun);
        memset(s->step, 0, n * sizeof *s->step); /* so that nothing is taken for growth */
    }
    free(begun);
    free(kept);
    sg_krylov_clear(&k);
    return outcome;
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
        outcome = run(&s, FIRST_SWEEPS);
        outcome = outcome == SG_UNSETTLED ? refine(&s) : outcome;
        outcome = outcome == SG_UNSETTLED ? run(&s, sweeps) : outcome;
    }
    for (inlay_id t = 0; outcome == SG_DONE && t < count; t++) {
        x[core[t]] = s.x[place_of[core[t]]];
    }
    free(place_of);
    pool_clear(&s.arrays);
    return outcome;
}
