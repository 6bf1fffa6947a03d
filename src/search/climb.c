/* Local search on the simulated time of a schedule. */
#include "search/climb.h"
#include "base/clock.h"
#include <math.h>
#include <string.h>

/*
 * HOTTEST: what a schedule may be longer by with probability 1/e, in parts of the first, at the beginning. BLINK: of
 * 2^16 seats so many are overlooked. MOST_OUT: modules taken out at once. LOOK: evaluations between looks at the clock.
 * EACH: evaluations a module that are enough to begin so hot.
 */
enum { BLINK = 1000, MOST_OUT = 8, LOOK = 16, EACH = 8 };
static const double HOTTEST = 0.004, ROUNDING = 1e-9;

typedef struct search {
    climb *c;
    const terms *t;
    draft base, trial;
    double elapsed, scale;         /* of the base, as simulated; of the first */
    inlay_id *critical, criticals; /* modules of the base on a longest way */
    inlay_id out[MOST_OUT];
    int outs;
} search;

/*
 * A number whose distribution is exponential but for what a straight line differs from the logarithm between powers of two:
 * without functions that are not the same on every computer.
 */
static double exponential(uint64_t *state)
{
    static const double ln2 = 0.69314718055994531;
    uint64_t drawn = splitmix_next(state) | 1;
    int zeros = 0;
    for (; !(drawn >> 63); drawn <<= 1) {
        zeros++;
    }
    return ln2 * (zeros + 2 - (double)(drawn >> 11) * 0x1p-52); /* the mantissa is from 1 to 2 */
}

static void find_critical(search *s)
{
    const draft *d = &s->base;
    s->criticals = 0;
    for (inlay_id i = 0; i < s->t->modules; i++) {
        if (d->start[i] + d->tail[i] >= d->elapsed * (1 - ROUNDING)) {
            s->critical[s->criticals++] = i;
        }
    }
}

/* ---- What is taken out ---- */

static bool is_out(const search *s, inlay_id module)
{
    for (int k = 0; k < s->outs; k++) {
        if (s->out[k] == module) {
            return true;
        }
    }
    return false;
}

/* One that has to do with a module: beside it on its processor or in the order, or a neighbour by a link. */
static inlay_id relative(search *s, inlay_id module)
{
    const terms *t = s->t;
    uint64_t *state = &s->c->state;
    int64_t ins = t->in_begin[module + 1] - t->in_begin[module];
    int64_t outs = t->out_begin[module + 1] - t->out_begin[module];
    switch (splitmix_below(state, 5)) {
    case 0: return s->base.before[module];
    case 1: return s->base.behind[module];
    case 2: return ins == 0 ? -1 : t->in[t->in_begin[module] + splitmix_below(state, (inlay_id)ins)].other;
    case 3: return outs == 0 ? -1 : t->out[t->out_begin[module] + splitmix_below(state, (inlay_id)outs)].other;
    default: {
        inlay_id at = s->base.at[module] + splitmix_below(state, 4 * MOST_OUT + 1) - 2 * MOST_OUT;
        return at < 0 || at >= t->modules ? -1 : s->base.order[at];
    }
    }
}

static void choose_out(search *s)
{
    uint64_t *state = &s->c->state;
    inlay_id n = s->t->modules;
    bool critical = splitmix_below(state, 4) > 0;
    int most = 1;
    if (splitmix_below(state, 2) == 0) {
        most = 2 + splitmix_below(state, MOST_OUT - 1);
    }
    s->outs = 1;
    s->out[0] = critical ? s->critical[splitmix_below(state, s->criticals)] : splitmix_below(state, n);
    for (int tries = 0; s->outs < most && tries < 2 * most; tries++) {
        inlay_id other = relative(s, s->out[splitmix_below(state, s->outs)]);
        if (other >= 0 && !is_out(s, other)) {
            s->out[s->outs++] = other;
        }
    }
}

/* In the order of the schedule, or in any. */
static void sort_out(search *s)
{
    uint64_t *state = &s->c->state;
    bool sorted = splitmix_below(state, 2) == 0;
    for (int k = 1; k < s->outs; k++) {
        inlay_id i = s->out[k];
        int to = k;
        if (sorted) {
            for (; to > 0 && s->base.at[s->out[to - 1]] > s->base.at[i]; to--) {
                s->out[to] = s->out[to - 1];
            }
        } else {
            to = splitmix_below(state, k + 1);
            s->out[k] = s->out[to];
        }
        s->out[to] = i;
    }
}

/* ---- One step ---- */

/* False where something finds no seat. */
static bool change(search *s)
{
    draft *d = &s->trial;
    inlay_id from = s->t->modules, until = -1;
    seat skip = {.place = -1};
    choose_out(s);
    if (s->outs == 1) {
        skip = (seat){s->base.place_of[s->out[0]], s->base.before[s->out[0]], 0};
    }
    sort_out(s);
    draft_copy(&s->base, d);
    for (int k = 0; k < s->outs; k++) {
        inlay_id at = d->at[s->out[k]];
        from = at < from ? at : from;
        until = at > until ? at : until;
        draft_take_out(d, s->out[k]);
    }
    for (int k = 0; k < s->outs; k++) {
        seat best;
        draft_times(d, from, until);
        if (!draft_seat(d, s->out[k], &skip, BLINK, &s->c->state, &best) ||
            !draft_put(d, s->out[k], &best, &from, &until)) {
            return false;
        }
    }
    draft_times(d, from, until);
    return true;
}

/* The trial's time as simulated; INFINITY where it is above `limit`. */
static int judge(search *s, double limit, double *elapsed)
{
    const draft *d = &s->trial;
    *elapsed = d->elapsed;
    return s->t->exact || d->elapsed > limit * (1 + ROUNDING)
               ? INLAY_OK
               : rerun_schedule(s->c->rerun, d->place_of, d->order, d->tail, limit * (1 + ROUNDING), elapsed);
}

static int keep(search *s)
{
    climb *c = s->c;
    const draft *d = &s->trial;
    double elapsed;
    int status = rerun_schedule(c->rerun, d->place_of, d->order, NULL, INFINITY, &elapsed);
    if (status == INLAY_OK && elapsed < c->elapsed) {
        c->elapsed = elapsed;
        memcpy(c->place_of, d->place_of, (size_t)s->t->modules * sizeof *c->place_of);
        memcpy(c->order, d->order, (size_t)s->t->modules * sizeof *c->order);
    }
    return status;
}

static int step(search *s, double heat)
{
    double elapsed, limit = s->elapsed + heat * s->scale * exponential(&s->c->state);
    s->c->evaluations++;
    if (!change(s)) {
        return INLAY_OK;
    }
    int status = judge(s, limit, &elapsed);
    if (status == INLAY_OK && elapsed < s->c->elapsed) {
        status = keep(s);
    }
    if (status == INLAY_OK && elapsed <= limit) {
        draft swap = s->base;
        s->base = s->trial;
        s->trial = swap;
        s->elapsed = elapsed;
        find_critical(s);
    }
    return status;
}

/* With few evaluations for each module there is no time to cool. */
static double hottest_of(const climb *c)
{
    double needed = (double)EACH * c->t->modules, evaluations = (double)c->effort.evaluations;
    return c->effort.until > 0 || evaluations > needed ? HOTTEST : HOTTEST * evaluations / needed;
}

/* How much of the effort is spent. */
static double spent(const climb *c)
{
    const climb_effort *e = &c->effort;
    return e->until > 0 ? (clock_seconds() - e->from) / (e->until - e->from)
                        : (double)c->evaluations / (double)e->evaluations;
}

/* What the seats of modules may not change; places as they are now, for those of the best schedule go on changing. */
static void keep_as_given(search *s, memory_pool *pool)
{
    size_t bytes = (size_t)s->t->modules * sizeof(inlay_id);
    s->base.in_order = s->trial.in_order = s->c->kept == INLAY_KEEP_ORDER;
    if (s->c->kept == INLAY_KEEP_PLACES) {
        inlay_id *home = pool_array(pool, (size_t)s->t->modules, sizeof *home);
        if (home != NULL) {
            memcpy(home, s->c->place_of, bytes);
        }
        s->base.home = s->trial.home = home;
    }
}

int climb_run(climb *c)
{
    memory_pool pool = {0};
    search s = {.c = c, .t = c->t, .elapsed = c->elapsed, .scale = c->elapsed};
    draft_make(c->t, &pool, &s.base);
    draft_make(c->t, &pool, &s.trial);
    s.critical = pool_array(&pool, (size_t)c->t->modules, sizeof *s.critical);
    int status = pool.failed ? INLAY_NO_MEMORY : INLAY_OK;
    if (status == INLAY_OK) {
        keep_as_given(&s, &pool);
        status = pool.failed ? INLAY_NO_MEMORY : INLAY_OK;
    }
    if (status == INLAY_OK) {
        draft_set(&s.base, c->place_of, c->order);
        find_critical(&s);
    }
    double part = 0, hottest = hottest_of(c), heat = hottest;
    while (status == INLAY_OK && c->elapsed > c->t->least * (1 + ROUNDING)) {
        if (c->evaluations % LOOK == 0) {
            part = spent(c);
            heat = hottest * (1 - part) * (1 - part) * (1 - part);
        }
        if (part >= 1 || (c->effort.until <= 0 && c->evaluations >= c->effort.evaluations)) {
            break;
        }
        status = step(&s, heat);
    }
    pool_clear(&pool);
    return status == INLAY_OVERFLOW ? INLAY_OK : status; /* the best so far has its time */
}
