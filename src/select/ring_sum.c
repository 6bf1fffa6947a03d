/*
 * Rings: T_comm is a sum over the networks. Each network has options: so many processors, and the longest time of those
 * clusters that may be among them, which say what its processors do at most. For a time of computing, each network has
 * one option, so that together all units are done: what that takes at least lies on the lower hulls of the options, and
 * the price of speed there (a Lagrange multiplier) tells which options a better choice can have. Where few are left, all
 * choices of these are gone through; else the options of the network that the hulls take in part are halved. Times of
 * computing are halved until one is left.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "select/networks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct option {
    double cost; /* T of the network and R */
    double does;
    double above; /* the lowest option, at the price of speed */
    int32_t at;   /* in `time` */
} option;

/* A straight piece of a hull. */
typedef struct piece {
    double density, does;
    int32_t group, to; /* the option at its end */
} piece;

typedef struct cell {
    double least, most; /* T_comp */
    double bound;
} cell;

enum { DEPTH = 4400, OPTIONS = 1 << 22, FEW = 4096, FIRST = 8 /* fewer after the first halvings */ };

typedef struct ring {
    select_networks networks;
    select_best *best;
    bool convex;   /* W / S takes the place of cells: shares are fractions, no d1, nothing overlaps */
    size_t all;    /* options, dominated ones too */
    size_t *first; /* of each group's, in `time`, `does` and `sorted` */
    double *time, *does;
    int32_t *sorted;    /* places in `time`, by rising time */
    option *option;     /* those that are not dominated, group by group, by rising cost; the first is none at all */
    int32_t *begin;     /* of each group's */
    int32_t *from, *to; /* of those in question */
    int32_t *hull;      /* scratch */
    piece *piece;
    int32_t pieces;
    option *left;         /* options that a better choice can have */
    int32_t *low, *high;  /* of each group's */
    int32_t *turn;        /* groups in the order in which they are decided, those with few options left first */
    int32_t *taken;       /* of each group, an option on its hull */
    int32_t *now, *found; /* a choice: places in `time`, -1 for none */
    double gap, least;    /* of a choice: what it can be above the lowest, what the best costs */
    double lowest;        /* no choice costs less */
    int64_t choices;      /* that may still be looked at */
    int32_t *processors;
    cell *open;
    int32_t opened;
    int64_t steps;   /* that are left */
    bool unfinished; /* they were not enough for a cell */
    double unseen;
} ring;

static double limit_of(const ring *r)
{
    return r->best->cost[0] * (1 - 1e-12);
}

/* ---- Options ---- */

typedef struct timed {
    double time;
    int32_t at;
} timed;

static int by_time(const void *left, const void *right)
{
    const timed *a = left, *b = right;
    return a->time != b->time ? (a->time > b->time) - (a->time < b->time) : (a->at > b->at) - (a->at < b->at);
}

/* Members of a group by rising T_i(p). */
static void order_by_time(const select_networks *n, int32_t group, int32_t p)
{
    for (int32_t k = n->first[group]; k < n->first[group + 1]; k++) {
        int32_t at = k - n->first[group];
        double time = select_member_time(&n->member[k], p);
        for (; at > 0 && select_member_time(&n->member[n->order[at - 1]], p) > time; at--) {
            n->order[at] = n->order[at - 1];
        }
        n->order[at] = k;
    }
}

/* T of p processors whose slowest member is the n-th one; `does` with the weights that are set. */
static void work_out(ring *r, int32_t group, bool times)
{
    select_networks *n = &r->networks;
    const int32_t members = n->first[group + 1] - n->first[group];
    size_t at = r->first[group];
    for (int32_t p = 1; p <= n->all[group]; p++) {
        int32_t room = 0, count = 0;
        order_by_time(n, group, p);
        for (int32_t m = 0; m < members; m++, at++) {
            int32_t k = n->order[m];
            if (times) {
                r->time[at] = select_member_time(&n->member[k], p);
                continue;
            }
            if (n->weight[k] > 0) {
                select_networks_choose(n, k, count++);
                room += n->member[k].most;
            }
            r->does[at] = room >= p ? select_networks_do(n, count, p, NULL) : 0;
        }
    }
}

static bool sort_options(ring *r)
{
    timed *all = memory_array(r->all, sizeof *all);
    for (int32_t g = 0; all != NULL && g < r->networks.groups; g++) {
        size_t count = r->first[g + 1] - r->first[g];
        work_out(r, g, true);
        for (size_t at = 0; at < count; at++) {
            all[at] = (timed){r->time[r->first[g] + at], (int32_t)(r->first[g] + at)};
        }
        qsort(all, count, sizeof *all, by_time);
        for (size_t at = 0; at < count; at++) {
            r->sorted[r->first[g] + at] = all[at].at;
        }
    }
    free(all);
    return all != NULL;
}

/* Those that no shorter option outdoes. */
static void list_options(ring *r)
{
    const select_networks *n = &r->networks;
    int32_t count = 0;
    for (int32_t g = 0; g < n->groups; g++) {
        double most = 0;
        work_out(r, g, false);
        r->begin[g] = count;
        r->option[count++] = (option){.at = -1};
        for (size_t at = r->first[g]; at < r->first[g + 1]; at++) {
            int32_t o = r->sorted[at];
            if (r->does[o] > most) {
                most = r->does[o];
                r->option[count++] = (option){.cost = r->time[o] + n->router, .does = most, .at = o};
            }
        }
    }
    r->begin[n->groups] = count;
    memcpy(r->from, r->begin, (size_t)n->groups * sizeof *r->from);
    memcpy(r->to, r->begin + 1, (size_t)n->groups * sizeof *r->to);
}

/* ---- Hulls ---- */

static double density(const ring *r, int32_t from, int32_t to)
{
    return (r->option[to].cost - r->option[from].cost) / (r->option[to].does - r->option[from].does);
}

static int by_density(const void *left, const void *right)
{
    const piece *a = left, *b = right;
    return a->density != b->density ? (a->density > b->density) - (a->density < b->density)
                                    : (a->to > b->to) - (a->to < b->to);
}

/* Pieces of all lower hulls, by rising density; those of one group follow each other. */
static void make_hulls(ring *r)
{
    r->pieces = 0;
    for (int32_t g = 0; g < r->networks.groups; g++) {
        int32_t count = 0;
        for (int32_t o = r->from[g]; o < r->to[g]; o++) {
            while (count > 1 &&
                   density(r, r->hull[count - 1], o) <= density(r, r->hull[count - 2], r->hull[count - 1])) {
                count--;
            }
            r->hull[count++] = o;
        }
        for (int32_t at = 1; at < count; at++) {
            int32_t from = r->hull[at - 1], to = r->hull[at];
            r->piece[r->pieces++] = (piece){density(r, from, to), r->option[to].does - r->option[from].does, g, to};
        }
        r->taken[g] = r->from[g];
    }
    qsort(r->piece, (size_t)r->pieces, sizeof *r->piece, by_density);
}

/*
 * Takes pieces until all is done: the price of the last one, its group, and what that does by then. `taken` has the
 * whole ones. False where all together do not do enough.
 */
static bool fill_up(ring *r, double *price, int32_t *last, double *does)
{
    const double units = r->networks.units;
    double speed = 0, price_of_last = 0;
    for (int32_t g = 0; g < r->networks.groups; g++) {
        speed += r->option[r->from[g]].does;
    }
    *last = -1;
    for (int32_t at = 0; at < r->pieces; at++) {
        const piece *p = &r->piece[at];
        double after = speed + p->does, enough = r->convex ? sqrt(units / p->density) : units;
        if (speed >= enough) {
            break;
        }
        if (after > enough) {
            *price = p->density;
            *last = p->group;
            *does = r->option[r->taken[p->group]].does + (enough - speed);
            return true;
        }
        speed = after;
        price_of_last = p->density;
        r->taken[p->group] = p->to;
    }
    /* whole pieces: W / S tells the price, or what the last of them costs */
    *price = r->convex ? units / (speed * speed) : price_of_last;
    return r->convex ? speed > 0 : speed >= units * (1 - 1e-13);
}

/* ---- Choices ---- */

/* The configuration of `found`. */
static void offer(ring *r)
{
    select_networks *n = &r->networks;
    memset(r->processors, 0, (size_t)n->model->clusters * sizeof *r->processors);
    for (int32_t g = 0; g < n->groups; g++) {
        if (r->found[g] < 0) {
            continue;
        }
        size_t members = (size_t)(n->first[g + 1] - n->first[g]), at = (size_t)r->found[g] - r->first[g];
        int32_t p = (int32_t)(at / members) + 1, count = 0;
        order_by_time(n, g, p);
        for (size_t m = 0; m <= at % members; m++) {
            if (n->weight[n->order[m]] > 0) {
                select_networks_choose(n, n->order[m], count++);
            }
        }
        (void)select_networks_do(n, count, p, r->processors);
    }
    select_best_offer(r->best, r->processors, select_cycle(n->model, r->processors));
}

/* The best of some options beside others that cost and do so much, -1: none is enough. */
static int32_t complete(const ring *r, const option *from, int32_t count, double cost, double does, double *total)
{
    const double units = r->networks.units;
    int32_t best = -1, low = 0;
    *total = INFINITY;
    for (int32_t o = 0; r->convex && o < count; o++) {
        double all = cost + from[o].cost + units / (does + from[o].does);
        if (all < *total) {
            *total = all;
            best = o;
        }
    }
    if (r->convex) {
        return best;
    }
    for (int32_t high = count; low < high;) { /* the first that does enough */
        int32_t middle = low + (high - low) / 2;
        if (does + from[middle].does < units * (1 - 1e-13)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < count) {
        *total = cost + from[low].cost;
        best = low;
    }
    return best;
}

static void take(ring *r, double cost)
{
    r->least = cost;
    memcpy(r->found, r->now, (size_t)r->networks.groups * sizeof *r->now);
    offer(r);
}

/* The hulls' choice, with what the last group has to do. */
static void round_up(ring *r, int32_t last)
{
    double cost = 0, does = 0, total = 0;
    last = last < 0 ? 0 : last;
    for (int32_t g = 0; g < r->networks.groups; g++) {
        r->now[g] = r->option[r->taken[g]].at;
        cost += g == last ? 0 : r->option[r->taken[g]].cost;
        does += g == last ? 0 : r->option[r->taken[g]].does;
    }
    const option *from = r->option + r->from[last];
    int32_t at = complete(r, from, r->to[last] - r->from[last], cost, does, &total);
    if (total < r->least) {
        r->now[last] = from[at].at;
        take(r, total);
    }
}

/* How far each option is above the lowest of its group, at a price; gives the sum of the lowest. */
static double price_options(ring *r, double price)
{
    double sum = 0;
    for (int32_t g = 0; g < r->networks.groups; g++) {
        double lowest = INFINITY;
        for (int32_t o = r->from[g]; o < r->to[g]; o++) {
            r->option[o].above = r->option[o].cost - price * r->option[o].does;
            lowest = fmin(lowest, r->option[o].above);
        }
        for (int32_t o = r->from[g]; o < r->to[g]; o++) {
            r->option[o].above -= lowest;
        }
        sum += lowest;
    }
    return sum;
}

/* Leaves those options that a choice within the gap can have. */
static void thin_out(ring *r)
{
    int32_t count = 0;
    for (int32_t g = 0; g < r->networks.groups; g++) {
        r->low[g] = count;
        for (int32_t o = r->from[g]; o < r->to[g]; o++) {
            if (r->option[o].above <= r->gap) {
                r->left[count++] = r->option[o];
            }
        }
        r->high[g] = count;
        int32_t at = g;
        for (; at > 0 && r->high[r->turn[at - 1]] - r->low[r->turn[at - 1]] > count - r->low[g]; at--) {
            r->turn[at] = r->turn[at - 1];
        }
        r->turn[at] = g;
    }
}

/* All choices within the gap for the groups from `turn` on, beside those decided. */
// NOLINTNEXTLINE(misc-no-recursion): as deep as there are networks
static void choose(ring *r, int32_t turn, double cost, double does, double above)
{
    int32_t g = r->turn[turn];
    if (r->choices-- <= 0) {
        return;
    }
    if (turn + 1 == r->networks.groups) {
        double total = 0;
        int32_t at = complete(r, r->left + r->low[g], r->high[g] - r->low[g], cost, does, &total);
        if (total < r->least) {
            r->now[g] = r->left[r->low[g] + at].at;
            take(r, total);
        }
        return;
    }
    for (int32_t o = r->low[g]; o < r->high[g]; o++) {
        if (above + r->left[o].above <= r->gap) {
            r->now[g] = r->left[o].at;
            choose(r, turn + 1, cost + r->left[o].cost, does + r->left[o].does, above + r->left[o].above);
        }
    }
}

/* What no choice costs less than, at the price of speed. */
static double lowest(ring *r, double price)
{
    double sum = price_options(r, price), speed = 0;
    if (!r->convex) {
        return sum + price * r->networks.units;
    }
    for (int32_t g = 0; g < r->networks.groups; g++) {
        speed += r->option[r->to[g] - 1].does;
    }
    speed = price > 0 ? fmin(speed, sqrt(r->networks.units / price)) : speed;
    return sum + price * speed + r->networks.units / speed;
}

/* Where to part a group's options: whether it is used at all, or at the first one that does no less. */
static int32_t part_at(const ring *r, int32_t group, double does)
{
    int32_t at = r->from[group] + 1;
    if (r->taken[group] == r->begin[group]) {
        return at;
    }
    while (at + 1 < r->to[group] && r->option[at].does < does) {
        at++;
    }
    return at;
}

/*
 * The least cost of the options in question, as far as it is below `least`; or, unless `all`, any that is. After halving
 * options did not help so often, more choices are gone through.
 */
// NOLINTNEXTLINE(misc-no-recursion): as deep as options can be halved
static void solve(ring *r, bool all, int depth)
{
    double price = 0, does = 0, before = r->least;
    int32_t last = -1;
    if (r->steps <= 0) {
        r->unfinished = true;
        return;
    }
    r->steps -= 1 + (int64_t)(r->all / 1000);
    make_hulls(r);
    if (!fill_up(r, &price, &last, &does)) {
        return;
    }
    double floor = lowest(r, price);
    r->lowest = r->lowest < INFINITY ? r->lowest : floor; /* the first is that of all */
    if (floor < r->least) {
        round_up(r, last);
    }
    if (!(floor < r->least) || (!all && r->least < before)) {
        return;
    }
    r->gap = r->least - floor;
    const int64_t choices = r->choices = depth == 0 || depth > FIRST ? FEW : FEW >> (FIRST - depth + 1);
    thin_out(r);
    choose(r, 0, 0, 0, 0);
    r->steps -= (choices - r->choices) / 1000;
    if (r->choices >= 0 || (!all && r->least < before)) {
        return;
    }
    int32_t group = last >= 0 ? last : r->turn[r->networks.groups - 1];
    int32_t from = r->from[group], to = r->to[group],
            part = last >= 0 ? part_at(r, group, does) : from + (to - from) / 2;
    r->from[group] = part;
    solve(r, all, depth + 1);
    r->from[group] = from;
    if (all || !(r->least < before)) {
        r->to[group] = part;
        solve(r, all, depth + 1);
        r->to[group] = to;
    }
}

/* ---- Times of computing ---- */

/* The last time up to `time` at which some processor is done with a unit, or the first one after it. */
static double done_near(const ring *r, double time, bool after)
{
    const select_networks *n = &r->networks;
    double near = after ? INFINITY : 0;
    for (int32_t k = 0; k < n->members; k++) {
        const select_member *m = &n->member[k];
        double units = fmax(0, floor((time - m->start) / m->unit * (1 + 1e-13)));
        double done = m->start + (units + after) * m->unit;
        near = after ? fmin(near, done) : units > 0 ? fmax(near, done) : near;
    }
    return near;
}

/* What is left for the costs of a better choice, which have one R too many. */
static double cost_left(const ring *r, const cell *c)
{
    return r->networks.router + limit_of(r) - (r->convex || r->networks.overlap ? 0 : c->least);
}

static double bound_of(const ring *r, const cell *c, double cost)
{
    double communication = cost - r->networks.router;
    return r->convex ? communication : r->networks.overlap ? fmax(c->least, communication) : c->least + communication;
}

/* Bounds a cell, and offers what it finds; whether more in it can be better than what is known. */
static bool is_worth(ring *r, cell *c)
{
    bool one = r->convex || c->most - c->least <= 1e-13 * c->most;
    r->best->looked_at++;
    if (r->convex) {
        select_networks_speeds(&r->networks);
    } else {
        select_networks_weigh(&r->networks, c->most);
    }
    list_options(r);
    double left = r->least = cost_left(r, c);
    r->unfinished = false;
    r->lowest = INFINITY;
    solve(r, one, 0);
    c->bound = r->lowest < INFINITY ? fmax(c->bound, bound_of(r, c, r->lowest)) : c->bound;
    if (r->unfinished && one) {
        r->unseen = fmin(r->unseen, c->bound);
    }
    if (!one && !r->networks.overlap) {
        c->most = fmin(c->most, limit_of(r) - (r->lowest - r->networks.router));
    }
    return !one && (r->unfinished || r->least < left);
}

/* The halves of a cell; false: the upper one is empty. */
static bool split(const ring *r, const cell *c, cell *lower, cell *upper)
{
    double middle = c->least + (c->most - c->least) / 2;
    *lower = *upper = *c;
    lower->most = middle;
    upper->least = middle;
    if (r->networks.whole) {
        lower->most = done_near(r, middle, false);
        upper->least = done_near(r, middle, true);
        upper->most = done_near(r, c->most, false);
    }
    return upper->least <= upper->most;
}

static void search(ring *r)
{
    while (r->opened > 0) {
        cell lower, upper, c = r->open[--r->opened];
        if (!(c.bound < limit_of(r))) {
            continue;
        }
        if (r->steps <= 0) {
            r->unseen = fmin(r->unseen, c.bound);
            continue;
        }
        bool two = split(r, &c, &lower, &upper);
        bool worth_lower = lower.least <= lower.most && is_worth(r, &lower);
        bool worth_upper = two && is_worth(r, &upper);
        bool first = worth_lower && !(worth_upper && upper.bound < lower.bound);
        if (first && worth_upper) {
            r->open[r->opened++] = upper;
        }
        if (worth_lower) {
            r->open[r->opened++] = lower;
        }
        if (!first && worth_upper) {
            r->open[r->opened++] = upper;
        }
    }
}

/* ---- The whole ---- */

static bool make(ring *r, select_networks *n)
{
    size_t groups = (size_t)n->groups;
    memory_pool *arrays = &n->arrays;
    r->time = pool_array(arrays, r->all, sizeof *r->time);
    r->does = pool_array(arrays, r->all, sizeof *r->does);
    r->sorted = pool_array(arrays, r->all, sizeof *r->sorted);
    r->option = pool_array(arrays, r->all + groups, sizeof *r->option);
    r->left = pool_array(arrays, r->all + groups, sizeof *r->left);
    r->hull = pool_array(arrays, r->all + 1, sizeof *r->hull);
    r->piece = pool_array(arrays, r->all, sizeof *r->piece);
    r->begin = pool_array(arrays, groups + 1, sizeof *r->begin);
    r->from = pool_array(arrays, groups, sizeof *r->from);
    r->to = pool_array(arrays, groups, sizeof *r->to);
    r->low = pool_array(arrays, groups, sizeof *r->low);
    r->high = pool_array(arrays, groups, sizeof *r->high);
    r->turn = pool_array(arrays, groups, sizeof *r->turn);
    r->taken = pool_array(arrays, groups, sizeof *r->taken);
    r->now = pool_array(arrays, groups, sizeof *r->now);
    r->found = pool_array(arrays, groups, sizeof *r->found);
    r->processors = pool_array(arrays, (size_t)n->model->clusters, sizeof *r->processors);
    r->open = pool_array(arrays, DEPTH, sizeof *r->open);
    return !arrays->failed && sort_options(r);
}

static bool count_options(ring *r, select_networks *n)
{
    r->first = pool_array(&n->arrays, (size_t)n->groups + 1, sizeof *r->first);
    for (int32_t g = 0; r->first != NULL && g < n->groups; g++) {
        r->first[g] = r->all;
        r->all += (size_t)n->all[g] * (size_t)(n->first[g + 1] - n->first[g]);
        r->first[g + 1] = r->all;
    }
    return r->first != NULL;
}

int select_ring_sum(select_networks *networks, int64_t steps, select_best *best, inlay_diag *diag)
{
    ring r = {.networks = *networks, .best = best, .steps = steps, .unseen = INFINITY};
    bool room = count_options(&r, &r.networks);
    if (room && r.all > OPTIONS) {
        *networks = r.networks;
        return INLAY_OK;
    }
    room = room && make(&r, &r.networks);
    if (room) {
        r.convex = r.networks.plain && !r.networks.overlap;
        cell all = {.most = limit_of(&r)};
        if (is_worth(&r, &all)) {
            r.open[r.opened++] = all;
        }
        search(&r);
        best->lower_bound = fmax(best->lower_bound, fmin(best->cost[0], r.unseen));
        best->proven = !(r.unseen < best->cost[0]);
    }
    *networks = r.networks;
    return room ? INLAY_OK : diag_no_memory(diag);
}
