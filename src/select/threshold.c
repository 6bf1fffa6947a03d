/*
 * Lines and trees: cells of the longest communication. Of a line one number says all, the longest time of a network; of
 * a tree two do, that of the root's network and that of the others. In a cell, no time is shorter than its least, and no
 * network has more processors than its most allows: what the fastest of these do bounds T_comp. A cell is halved until
 * one time is left, which gives a configuration that nothing in it is better than.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "select/networks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times of the root's network and of the others; both ends are times that some network can take. */
typedef struct cell {
    double least[2], most[2]; /* [0]: the others, [1]: the root */
    double bound;             /* no T_c in the cell is below */
    int32_t root;             /* its group; -1: none */
} cell;

enum { OTHERS, ROOT, DEPTH = 4400 /* halving doubles ends before */ };

typedef struct sweep {
    select_networks networks;
    select_best *best;
    int32_t root;  /* of the cell in question */
    double *does;  /* of each group: what its processors do together */
    double *speed; /* of the first groups in rank, together */
    int32_t *rank; /* groups, the root and then the others by what they do, falling */
    int32_t *processors;
    cell *open;
    int32_t opened;
} sweep;

static double limit_of(const sweep *s)
{
    return s->best->cost[0] * (1 - 1e-12);
}

static int side_of(const sweep *s, int32_t group)
{
    return group == s->root ? ROOT : OTHERS;
}

/* ---- Times that can be ---- */

/* Sets the caps, and lowers the most of both sides to times that can be; false where the cell is empty. */
static bool settle(sweep *s, cell *c)
{
    select_networks *n = &s->networks;
    double most[2] = {0, 0};
    for (int32_t g = 0; g < n->groups; g++) {
        int side = side_of(s, g);
        for (int32_t k = n->first[g]; k < n->first[g + 1]; k++) {
            n->cap[k] = select_member_within(&n->member[k], n->all[g], c->most[side]);
            most[side] = n->cap[k] > 0 ? fmax(most[side], select_member_time(&n->member[k], n->cap[k])) : most[side];
        }
    }
    c->most[OTHERS] = most[OTHERS];
    c->most[ROOT] = most[ROOT];
    return most[OTHERS] >= c->least[OTHERS] && most[ROOT] >= c->least[ROOT];
}

/* The least time beyond `time`; infinite where there is none. */
static double next_time(const sweep *s, int side, double time)
{
    const select_networks *n = &s->networks;
    double next = INFINITY;
    for (int32_t g = 0; g < n->groups; g++) {
        for (int32_t k = n->first[g]; side_of(s, g) == side && k < n->first[g + 1]; k++) {
            int32_t p = select_member_within(&n->member[k], n->all[g], time);
            next = p < n->all[g] ? fmin(next, select_member_time(&n->member[k], p + 1)) : next;
        }
    }
    return next;
}

/* ---- What a cell can do ---- */

/* By the weights that are set; gives how many networks do anything. */
static int32_t rank_groups(sweep *s)
{
    const select_networks *n = &s->networks;
    int32_t count = 0;
    if (s->root >= 0) {
        s->does[s->root] = select_networks_fill(n, s->root, NULL);
        s->rank[count++] = s->root;
    }
    for (int32_t g = 0; g < n->groups; g++) {
        if (g == s->root || !((s->does[g] = select_networks_fill(n, g, NULL)) > 0)) {
            continue;
        }
        int32_t at = count++;
        for (; at > (s->root >= 0) && s->does[s->rank[at - 1]] < s->does[g]; at--) {
            s->rank[at] = s->rank[at - 1];
        }
        s->rank[at] = g;
    }
    return count;
}

/* The configuration of the first `used` in rank, by the weights that are set. */
static void offer(sweep *s, int32_t used)
{
    const select_networks *n = &s->networks;
    memset(s->processors, 0, (size_t)n->model->clusters * sizeof *s->processors);
    for (int32_t at = 0; at < used; at++) {
        (void)select_networks_fill(n, s->rank[at], s->processors);
    }
    select_best_offer(s->best, s->processors, select_cycle(n->model, s->processors));
}

/* Whether `used` networks do all units by `time`. */
static bool done_by(sweep *s, int32_t used, double time)
{
    double sum = 0;
    if (!(time > 0)) {
        return false;
    }
    select_networks_weigh(&s->networks, time);
    int32_t count = rank_groups(s);
    for (int32_t at = 0; at < used && at < count; at++) {
        sum += s->does[s->rank[at]];
    }
    return sum >= s->networks.units * (1 - 1e-13);
}

/* What is left for T_comp of a better cycle. */
static double time_left(const sweep *s, double communication)
{
    return !s->networks.overlap ? limit_of(s) - communication : communication < limit_of(s) ? limit_of(s) : 0;
}

static bool is_one(const cell *c)
{
    return c->least[OTHERS] == c->most[OTHERS] && c->least[ROOT] == c->most[ROOT];
}

/* The least time in which `used` networks do all, where the cell has one time alone. */
static void close_in(sweep *s, int32_t used, double communication, double from)
{
    double to = time_left(s, communication);
    for (int step = 0; step < 60 && to - from > 1e-13 * to; step++) {
        double middle = from + (to - from) / 2;
        if (done_by(s, used, middle)) {
            offer(s, used);
            to = fmin(middle, time_left(s, communication));
        } else {
            from = middle;
        }
    }
}

/* Where shares are whole, or clusters have a d1, speeds alone do not say what can be done. */
static bool look_closer(sweep *s, const cell *c, int32_t used, double communication)
{
    if (!done_by(s, used, time_left(s, communication))) {
        return false;
    }
    offer(s, used);
    if (is_one(c)) {
        close_in(s, used, communication, s->networks.units / s->speed[used]);
        return false;
    }
    return true;
}

static double combined(const sweep *s, double computation, double communication)
{
    return s->networks.overlap ? fmax(computation, communication) : computation + communication;
}

static double communication_of(const sweep *s, const cell *c, int32_t used)
{
    return c->least[OTHERS] + c->least[ROOT] + s->networks.router * (used - 1);
}

/* Bounds a cell, and offers what it finds; whether more in it can be better than what is known. */
static bool is_worth(sweep *s, cell *c)
{
    select_networks *n = &s->networks;
    s->root = c->root;
    if (!settle(s, c)) {
        return false;
    }
    s->best->looked_at++;
    select_networks_speeds(n);
    int32_t count = rank_groups(s), best = 0;
    int32_t fewest = n->router == 0 ? count : c->root >= 0 && c->least[OTHERS] > 0 ? 2 : 1;
    double least = INFINITY;
    s->speed[0] = 0;
    for (int32_t used = 1; used <= count; used++) {
        s->speed[used] = s->speed[used - 1] + s->does[s->rank[used - 1]];
        double cost = combined(s, n->units / s->speed[used], communication_of(s, c, used));
        if (used >= fewest && cost < least) {
            least = cost;
            best = used;
        }
    }
    c->bound = fmax(c->bound, least);
    if (!(c->bound < limit_of(s))) {
        return false;
    }
    if (n->plain) {
        offer(s, best);
        return !is_one(c);
    }
    bool open = false;
    for (int32_t used = fewest; used <= count; used++) {
        double communication = communication_of(s, c, used);
        if (combined(s, n->units / s->speed[used], communication) < limit_of(s)) {
            open = look_closer(s, c, used, communication) || open;
        }
    }
    return open;
}

/* ---- The search ---- */

/* The two halves of a cell by the side whose times are further apart; false: no time is in the upper one. */
static bool split(const sweep *s, const cell *c, cell *lower, cell *upper)
{
    int side = c->most[ROOT] - c->least[ROOT] > c->most[OTHERS] - c->least[OTHERS] ? ROOT : OTHERS;
    double middle = c->least[side] + (c->most[side] - c->least[side]) / 2;
    middle = middle < c->most[side] ? middle : c->least[side];
    *lower = *upper = *c;
    lower->most[side] = middle;
    upper->least[side] = next_time(s, side, middle);
    if (c->root >= 0) {
        upper->least[ROOT] = fmax(upper->least[ROOT], upper->least[OTHERS]);
    }
    return upper->least[side] <= upper->most[side];
}

/* The cells of all roots, the most promising last. */
static void begin(sweep *s)
{
    bool tree = s->networks.pattern == INLAY_PATTERN_TREE;
    for (int32_t root = tree ? 0 : -1; root < (tree ? s->networks.groups : 0); root++) {
        cell c = {.most = {INFINITY, tree ? INFINITY : 0}, .root = root};
        if (is_worth(s, &c)) {
            int32_t at = s->opened++;
            for (; at > 0 && s->open[at - 1].bound < c.bound; at--) {
                s->open[at] = s->open[at - 1];
            }
            s->open[at] = c;
        }
    }
}

/* Depth first, the better half first; gives what no cell falls below that has been left when the steps are over. */
static double search(sweep *s, int64_t steps)
{
    double unseen = INFINITY;
    while (s->opened > 0) {
        cell lower, upper, c = s->open[--s->opened];
        if (!(c.bound < limit_of(s))) {
            continue;
        }
        if ((steps -= 2) < 0) {
            unseen = fmin(unseen, c.bound);
            continue;
        }
        s->root = c.root;
        bool two = split(s, &c, &lower, &upper);
        bool worth_lower = is_worth(s, &lower);
        bool worth_upper = two && is_worth(s, &upper);
        if (worth_lower && !(worth_upper && upper.bound < lower.bound)) {
            if (worth_upper) {
                s->open[s->opened++] = upper;
            }
            s->open[s->opened++] = lower;
        } else if (worth_upper) {
            if (worth_lower) {
                s->open[s->opened++] = lower;
            }
            s->open[s->opened++] = upper;
        }
    }
    return unseen;
}

static bool make(const select_model *model, select_best *best, sweep *s)
{
    *s = (sweep){.best = best};
    size_t m = (size_t)model->clusters;
    if (!select_networks_make(model, &s->networks)) {
        return false;
    }
    memory_pool *arrays = &s->networks.arrays;
    s->does = pool_array(arrays, m, sizeof *s->does);
    s->speed = pool_array(arrays, m + 1, sizeof *s->speed);
    s->rank = pool_array(arrays, m, sizeof *s->rank);
    s->processors = pool_array(arrays, m, sizeof *s->processors);
    s->open = pool_array(arrays, m + DEPTH, sizeof *s->open);
    return !arrays->failed;
}

int select_thresholds(const select_model *model, int64_t steps, select_best *best, inlay_diag *diag)
{
    sweep s;
    bool room = make(model, best, &s);
    if (room && s.networks.pattern == INLAY_PATTERN_RING) {
        int status = select_ring_sum(&s.networks, steps, best, diag);
        select_networks_clear(&s.networks);
        return status;
    }
    if (room) {
        begin(&s);
        double unseen = search(&s, steps);
        best->lower_bound = fmax(best->lower_bound, fmin(best->cost[0], unseen));
        best->proven = !(unseen < best->cost[0]);
    }
    select_networks_clear(&s.networks);
    return room ? INLAY_OK : diag_no_memory(diag);
}
