/* Branch and bound over all schedules of a small application. */
#include "search/exact.h"
#include "base/clock.h"
#include "base/splitmix.h"
#include "graph/app.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * SEEN, SEEN_LONG: states that are remembered, where there is time for many; powers of two. LEAF: steps that a simulation
 * counts as, for each module. LOOK: states between looks at the clock.
 */
enum { SEEN = 1 << 17, SEEN_LONG = 1 << 22, LEAF = 8, LOOK = 1024 };

/* A schedule is not shorter by less than this part of it. */
static const double ROUNDING = 1e-9;

/* A module next on a place. */
typedef struct option {
    inlay_id module, place;
    double start, least; /* no schedule that goes on so is shorter */
} option;

/* A predecessor or successor that is not taken. */
typedef struct neighbour {
    double apart, time, rank; /* what it takes from elsewhere; where the module is: its own time, its turn */
} neighbour;

/* A state that was looked at, and the latest start in it. */
typedef struct seen {
    uint64_t one, two; /* what it is known by */
    double now;
} seen;

typedef struct tree {
    exact *e;
    const terms *t;
    inlay_id modules, places, taken;
    bool alike;    /* all places are */
    double *time;  /* the least that a module takes */
    double *tail;  /* the least from its start to the end of all */
    double *delay; /* of every link, the least from one place to another */

    /* What is taken so far. */
    inlay_id *order, *place_of;
    inlay_id *missing;              /* predecessors that are not taken */
    double *start;                  /* of what is taken; of others the soonest */
    double *free, now;              /* when places are free; the latest start */
    inlay_id *last;                 /* of every place, -1 none */
    double work;                    /* least times of what is not taken */
    int64_t *room;                  /* bytes left, of every host; NULL: nothing needs any */
    inlay_id *by_start;             /* scratch */
    neighbour *neighbour, *by_rank; /* scratch */
    uint64_t *content;              /* of every place: what stands there, as far as it matters from now on */
    bool *repeats;                  /* of every place: whether another does as well */

    option **options; /* of every depth: modules x places */
    size_t seen_mask;
    seen *seen;  /* NULL: other schedules than the states tell may follow */
    double open; /* the least bound of what was left out when the looks were used up */
    int looks, status;
} tree;

/* ---- Bounds ---- */

/* Of times, which are numbers: fmax() and fmin() would be calls, for they know what is none. */
static double later(double a, double b)
{
    return a > b ? a : b;
}

static double sooner(double a, double b)
{
    return a < b ? a : b;
}

static double lag_of(const tree *x, inlay_id from, int64_t out)
{
    const terms *t = x->t;
    return t->lag == NULL ? t->time[x->place_of[from]][from] : t->lag[x->place_of[from]][out];
}

/* When what is taken lets a module begin on a place, which may be busy then. */
static double due_at(const tree *x, inlay_id module, inlay_id place)
{
    const terms *t = x->t;
    double due = 0;
    for (int64_t k = t->in_begin[module]; k < t->in_begin[module + 1]; k++) {
        const term_link *l = &t->in[k];
        inlay_id from = x->place_of[l->other];
        if (from >= 0) {
            due = later(due, x->start[l->other] + lag_of(x, l->other, l->twin) + terms_delay(t, l, from, place));
        }
    }
    return due;
}

/* Falling by what they take from elsewhere. */
static void insert_neighbour(neighbour *all, inlay_id count, neighbour new)
{
    inlay_id to = count;
    for (; to > 0 && all[to - 1].apart < new.apart; to--) {
        all[to] = all[to - 1];
    }
    all[to] = new;
}

/*
 * What a module waits for, at the least, of neighbours that are elsewhere or run one after the other where it does: as many
 * as pays of those that take longest from elsewhere. `there` goes through neighbours that are there, by `rank`.
 */
static double least_of_neighbours(tree *x, inlay_id count, double begin,
                                  double (*there)(const tree *, inlay_id, double))
{
    double least = INFINITY;
    for (inlay_id near = 0; near <= count; near++) {
        double serial = there(x, near, begin);
        least = sooner(least, later(serial, near < count ? x->neighbour[near].apart : 0));
        if (serial >= least || near == count) {
            break;
        }
        inlay_id to = near;
        for (; to > 0 && x->by_rank[to - 1].rank > x->neighbour[near].rank; to--) {
            x->by_rank[to] = x->by_rank[to - 1];
        }
        x->by_rank[to] = x->neighbour[near];
    }
    return least;
}

/* The end of those that are there and not taken, which begin as soon as they can. */
static double end_of_predecessors(const tree *x, inlay_id near, double begin)
{
    double at = begin;
    for (inlay_id k = 0; k < near; k++) {
        at = later(at, x->by_rank[k].rank) + x->by_rank[k].time;
    }
    return at;
}

/* The end of all where those that are there come first that have the most behind them. */
static double end_of_successors(const tree *x, inlay_id near, double begin)
{
    double at = begin, end = begin;
    for (inlay_id k = 0; k < near; k++) {
        at += x->by_rank[k].time;
        end = later(end, at - x->by_rank[k].rank); /* the rank is what follows, negative */
    }
    return end;
}

/* The soonest start of a module on a place. */
static double soonest_at(tree *x, inlay_id module, inlay_id place)
{
    const terms *t = x->t;
    double free = later(x->free[place], x->now), due = later(free, due_at(x, module, place));
    inlay_id count = 0;
    for (int64_t k = t->in_begin[module]; x->missing[module] > 0 && k < t->in_begin[module + 1]; k++) {
        inlay_id from = t->in[k].other;
        int64_t out = t->in[k].twin;
        if (x->place_of[from] < 0) {
            double lag = t->lag == NULL ? x->time[from] : terms_least(t, t->lag, out);
            insert_neighbour(x->neighbour, count++,
                             (neighbour){x->start[from] + lag + x->delay[out], x->time[from], x->start[from]});
        }
    }
    return count == 0 ? due : later(due, least_of_neighbours(x, count, free, end_of_predecessors));
}

/* All that is not taken starts from a moment on: what places have left after it has room for that, and for the least of
 * what follows. Modules rise by their soonest start. */
static double least_of_work(const tree *x, inlay_id waiting)
{
    double gone = 0, least = 0, behind = 0;
    for (inlay_id c = 0; c < x->places; c++) {
        gone += later(x->free[c], x->now);
    }
    least = (gone + x->work) / x->places;
    double shortest = INFINITY;
    for (inlay_id k = waiting; k-- > 0;) {
        inlay_id i = x->by_start[k];
        behind += x->time[i];
        shortest = sooner(shortest, x->tail[i] - x->time[i]);
        least = later(least, x->start[i] + behind / x->places + shortest);
    }
    return least;
}

/* The soonest starts of what is not taken, and what follows from them. */
static double least_of(tree *x)
{
    const terms *t = x->t;
    double least = 0;
    inlay_id waiting = 0;
    for (inlay_id c = 0; c < x->places; c++) {
        least = later(least, x->free[c]);
    }
    for (inlay_id k = 0; k < x->modules; k++) {
        inlay_id i = t->p->app->topological[k];
        if (x->place_of[i] >= 0) {
            continue;
        }
        double soonest = INFINITY;
        for (inlay_id c = 0; c < x->places; c++) {
            soonest = x->repeats[c] ? soonest : sooner(soonest, soonest_at(x, i, c));
            x->e->steps -= !x->repeats[c];
        }
        x->start[i] = soonest;
        least = later(least, x->start[i] + x->tail[i]);
        inlay_id to = waiting++;
        for (; to > 0 && x->start[x->by_start[to - 1]] > x->start[i]; to--) {
            x->by_start[to] = x->by_start[to - 1];
        }
        x->by_start[to] = i;
    }
    return later(least, least_of_work(x, waiting));
}

/* ---- States ---- */

/* A moment as far as it matters: all that is past is one. */
static uint64_t moment(const tree *x, double when)
{
    uint64_t bits = 0;
    if (when >= x->now) {
        memcpy(&bits, &when, sizeof bits);
        bits += 1;
    }
    return bits;
}

/* Until when it matters where a module was: its last message has come to wherever it may be asked for. */
static double matters_until(const tree *x, inlay_id module)
{
    const terms *t = x->t;
    double until = -1;
    for (int64_t k = t->out_begin[module]; k < t->out_begin[module + 1]; k++) {
        const term_link *l = &t->out[k];
        for (inlay_id c = 0; x->place_of[l->other] < 0 && c < (t->per == NULL ? 1 : x->places); c++) {
            double delay = t->per == NULL ? l->size : terms_delay(t, l, x->place_of[module], c);
            until = later(until, x->start[module] + lag_of(x, module, k) + delay);
        }
    }
    return until;
}

static void find_contents(tree *x)
{
    const terms *t = x->t;
    for (inlay_id c = 0; c < x->places; c++) {
        uint64_t room = x->room == NULL ? 0 : (uint64_t)x->room[t->host[c]];
        x->content[c] = splitmix_hash(moment(x, x->free[c]) + splitmix_hash(room + (x->alike ? 0 : (uint64_t)c)));
    }
    for (inlay_id k = 0; k < x->taken; k++) {
        inlay_id i = x->order[k];
        if (matters_until(x, i) >= x->now) {
            uint64_t bits;
            memcpy(&bits, &x->start[i], sizeof bits);
            x->content[x->place_of[i]] += splitmix_hash(splitmix_hash(bits) + (uint64_t)i);
        }
    }
}

/* Whether the same was looked at before, no later: all that may follow here has followed there. */
static bool was_seen(tree *x)
{
    uint64_t one = 0, two = 0;
    for (inlay_id k = 0; k < x->taken; k++) {
        one += splitmix_hash((uint64_t)x->order[k]);
    }
    two = splitmix_hash(one);
    for (inlay_id c = 0; c < x->places; c++) {
        one += splitmix_hash(x->content[c]);
        two += splitmix_hash(~x->content[c]);
    }
    seen *s = &x->seen[one & x->seen_mask];
    if (s->one == one && s->two == two && s->now <= x->now) {
        return true;
    }
    *s = (seen){one, two, x->now};
    return false;
}

/* ---- What comes next ---- */

/* Which places are as good as one before them, so that they need not be tried. */
static void find_repeats(tree *x)
{
    for (inlay_id place = 0; place < x->places; place++) {
        x->repeats[place] = false;
        for (inlay_id c = 0; x->alike && !x->repeats[place] && c < place; c++) {
            x->repeats[place] =
                x->seen != NULL ? x->content[c] == x->content[place] : x->last[c] < 0 && x->last[place] < 0;
        }
    }
}

/* Of two that start at once and have nothing to do with each other the smaller comes first. */
static bool is_swapped(const tree *x, inlay_id module, inlay_id place, double start)
{
    if (x->taken == 0 || x->seen != NULL || start > x->now) {
        return false;
    }
    inlay_id before = x->order[x->taken - 1];
    bool follows = false;
    for (int64_t k = x->t->in_begin[module]; k < x->t->in_begin[module + 1]; k++) {
        follows |= x->t->in[k].other == before;
    }
    return module < before && x->place_of[before] != place && !follows;
}

static bool has_room(const tree *x, inlay_id module, inlay_id place)
{
    const problem *p = x->t->p;
    inlay_id pin = inlay_app_pin(p->app, module);
    return (pin < 0 || pin == place) && problem_runs_on(p, module, place) &&
           (x->room == NULL || x->room[x->t->host[place]] >= p->memory[module]);
}

static int compare_options(const void *a, const void *b)
{
    const option *x = a, *y = b;
    if (x->least < y->least || x->least > y->least) {
        return x->least < y->least ? -1 : 1;
    }
    if (x->start < y->start || x->start > y->start) {
        return x->start < y->start ? -1 : 1;
    }
    return x->module != y->module ? (x->module > y->module) - (x->module < y->module)
                                  : (x->place > y->place) - (x->place < y->place);
}

/* A schedule whose bound is not below this is no shorter than the shortest known. */
static double limit_of(const tree *x)
{
    double known = x->e->elapsed, less = known * (1 - ROUNDING);
    return x->t->whole ? sooner(less, known - 1 + known * ROUNDING) : less;
}

static size_t find_options(const tree *x, double least, option *all)
{
    size_t count = 0;
    for (inlay_id c = 0; c < x->places; c++) {
        for (inlay_id i = 0; !x->repeats[c] && i < x->modules; i++) {
            if (x->place_of[i] >= 0 || x->missing[i] > 0 || !has_room(x, i, c)) {
                continue;
            }
            double start = later(x->free[c], due_at(x, i, c)), time = x->t->time[c][i];
            double behind = x->t->lag == NULL ? x->tail[i] - x->time[i] + time : later(time, x->tail[i]);
            double whole = later(least, start + behind);
            if (start >= x->now && whole < limit_of(x) && !is_swapped(x, i, c, start)) {
                all[count++] = (option){i, c, start, whole};
            }
        }
    }
    qsort(all, count, sizeof *all, compare_options);
    return count;
}

static void take(tree *x, const option *o)
{
    const terms *t = x->t;
    inlay_id i = o->module;
    x->order[x->taken++] = i;
    x->place_of[i] = o->place;
    x->start[i] = x->now = o->start;
    x->free[o->place] = o->start + t->time[o->place][i];
    x->last[o->place] = i;
    x->work -= x->time[i];
    if (x->room != NULL) {
        x->room[t->host[o->place]] -= t->p->memory[i];
    }
    for (int64_t k = t->out_begin[i]; k < t->out_begin[i + 1]; k++) {
        x->missing[t->out[k].other]--;
    }
}

static void give_back(tree *x, const option *o, double now, double free, inlay_id last)
{
    const terms *t = x->t;
    inlay_id i = o->module;
    for (int64_t k = t->out_begin[i]; k < t->out_begin[i + 1]; k++) {
        x->missing[t->out[k].other]++;
    }
    if (x->room != NULL) {
        x->room[t->host[o->place]] += t->p->memory[i];
    }
    x->work += x->time[i];
    x->last[o->place] = last;
    x->free[o->place] = free;
    x->now = now;
    x->place_of[i] = -1;
    x->taken--;
}

/* ---- The search ---- */

static void judge(tree *x)
{
    exact *e = x->e;
    double elapsed;
    e->steps -= (int64_t)LEAF * x->modules;
    x->status = rerun_schedule(e->rerun, x->place_of, x->order, NULL, INFINITY, &elapsed);
    if (x->status == INLAY_OVERFLOW) {
        x->status = INLAY_OK;
    }
    if (elapsed < e->elapsed) {
        e->elapsed = elapsed;
        memcpy(e->place_of, x->place_of, (size_t)x->modules * sizeof *e->place_of);
        memcpy(e->order, x->order, (size_t)x->modules * sizeof *e->order);
    }
}

static bool used_up(tree *x)
{
    exact *e = x->e;
    if (e->until > 0 && --x->looks <= 0) {
        x->looks = LOOK;
        e->steps = clock_seconds() > e->until ? 0 : e->steps;
    }
    return e->steps <= 0;
}

static void branch(tree *x) /* NOLINT(misc-no-recursion): as deep as there are modules */
{
    if (x->taken == x->modules) {
        judge(x);
        return;
    }
    if (x->seen != NULL) {
        find_contents(x);
    }
    find_repeats(x);
    double least = least_of(x);
    if (least >= limit_of(x)) {
        return;
    }
    if (used_up(x)) {
        x->open = sooner(x->open, least);
        return;
    }
    if (x->seen != NULL && was_seen(x)) {
        return;
    }
    option *all = x->options[x->taken];
    size_t count = find_options(x, least, all);
    for (size_t k = 0; x->status == INLAY_OK && k < count && all[k].least < limit_of(x); k++) {
        double now = x->now, free = x->free[all[k].place];
        inlay_id last = x->last[all[k].place];
        if (x->e->steps <= 0) {
            x->open = sooner(x->open, all[k].least);
            continue;
        }
        take(x, &all[k]);
        branch(x);
        give_back(x, &all[k], now, free, last);
    }
}

/* ---- The whole ---- */

static bool are_alike(const terms *t)
{
    bool alike = t->anywhere && t->p->app->pin == NULL && t->p->memory == NULL;
    for (inlay_id c = 1; alike && c < t->places; c++) {
        alike = t->time[c] == t->time[0];
    }
    return alike;
}

static void find_delays(tree *x)
{
    const terms *t = x->t;
    for (int64_t e = 0; e < t->out_begin[x->modules]; e++) {
        x->delay[e] = t->per == NULL ? t->out[e].size : INFINITY;
        for (inlay_id a = 0; t->per != NULL && a < t->places; a++) {
            for (inlay_id b = 0; b < t->places; b++) {
                x->delay[e] = a == b ? x->delay[e] : sooner(x->delay[e], terms_delay(t, &t->out[e], a, b));
            }
        }
    }
}

/* The least times, and the least that follows them. */
static void find_tails(tree *x)
{
    const terms *t = x->t;
    for (inlay_id k = x->modules - 1; k >= 0; k--) {
        inlay_id i = t->p->app->topological[k], count = 0;
        x->time[i] = terms_least(t, t->time, i);
        x->work += x->time[i];
        for (int64_t e = t->out_begin[i]; e < t->out_begin[i + 1]; e++) {
            inlay_id to = t->out[e].other;
            double lag = t->lag == NULL ? x->time[i] : terms_least(t, t->lag, e);
            insert_neighbour(x->neighbour, count++,
                             (neighbour){lag + x->delay[e] + x->tail[to], x->time[to], x->time[to] - x->tail[to]});
        }
        x->tail[i] = later(x->time[i], least_of_neighbours(x, count, x->time[i], end_of_successors));
    }
}

static int begin(tree *x, memory_pool *pool)
{
    const terms *t = x->t;
    size_t n = (size_t)x->modules, places = (size_t)x->places;
    size_t hosts = (size_t)inlay_machine_hosts(t->p->machine);
    x->time = pool_array(pool, n, sizeof *x->time);
    x->tail = pool_array(pool, n, sizeof *x->tail);
    x->delay = pool_array(pool, (size_t)t->out_begin[n], sizeof *x->delay);
    x->neighbour = pool_array(pool, n, sizeof *x->neighbour);
    x->by_rank = pool_array(pool, n, sizeof *x->by_rank);
    x->order = pool_array(pool, n, sizeof *x->order);
    x->place_of = pool_array(pool, n, sizeof *x->place_of);
    x->missing = pool_array(pool, n, sizeof *x->missing);
    x->start = pool_zeroed(pool, n, sizeof *x->start);
    x->by_start = pool_array(pool, n, sizeof *x->by_start);
    x->free = pool_zeroed(pool, places, sizeof *x->free);
    x->last = pool_array(pool, places, sizeof *x->last);
    x->content = pool_zeroed(pool, places, sizeof *x->content);
    x->repeats = pool_zeroed(pool, places, sizeof *x->repeats);
    x->room = t->p->memory == NULL ? NULL : pool_array(pool, hosts, sizeof *x->room);
    x->options = pool_array(pool, n, sizeof *x->options);
    option *all = pool_array(pool, n * n * places, sizeof *all);
    x->seen = t->exact ? pool_zeroed(pool, x->seen_mask + 1, sizeof *x->seen) : NULL;
    if (pool->failed) {
        return INLAY_NO_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        x->place_of[i] = -1;
        x->missing[i] = (inlay_id)(t->in_begin[i + 1] - t->in_begin[i]);
        x->options[i] = all + i * n * places;
    }
    for (size_t c = 0; c < places; c++) {
        x->last[c] = -1;
        if (x->room != NULL) {
            int64_t limit = kinds_of(&t->p->kinds, (inlay_id)c)->memory;
            x->room[t->host[c]] = limit < 0 ? INT64_MAX : limit;
        }
    }
    find_delays(x);
    find_tails(x);
    return INLAY_OK;
}

int exact_run(exact *e)
{
    memory_pool pool = {0};
    tree x = {.e = e,
              .t = e->t,
              .modules = e->t->modules,
              .places = e->t->places,
              .alike = are_alike(e->t),
              .seen_mask = (e->until > 0 ? SEEN_LONG : SEEN) - 1,
              .open = INFINITY};
    x.status = begin(&x, &pool);
    if (x.status == INLAY_OK) {
        branch(&x);
    }
    double open = x.t->whole ? ceil(x.open * (1 - ROUNDING)) : x.open;
    e->least = sooner(open, e->elapsed);
    pool_clear(&pool);
    return x.status;
}
