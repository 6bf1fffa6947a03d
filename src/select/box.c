/*
 * Bounds of a box. T_comp does not fall below that of the real map with all processors of the box, nor T_comm below
 * that with its fewest. On a ring, where T_comm is a sum, both at once: W / S is convex in the speed S, so that the
 * least of W / S + (sum of lower hulls of T_i over speed) comes from taking pieces of the hulls by rising density d
 * until S^2 d = W, or where they overlap until the two meet.
 */
#include "select/box.h"
#include "base/memory.h"
#include "select/general.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool select_bounder_make(select_bounder *bounder, const select_model *model)
{
    size_t m = (size_t)model->clusters;
    *bounder = (select_bounder){.model = model};
    bounder->piece = memory_array(2 * m, sizeof *bounder->piece);
    bounder->guess = memory_array(m, sizeof *bounder->guess);
    return bounder->piece != NULL && bounder->guess != NULL;
}

void select_bounder_clear(select_bounder *bounder)
{
    free(bounder->piece);
    free(bounder->guess);
    *bounder = (select_bounder){0};
}

/* ---- Making a box smaller ---- */

/* What the fewest processors of the box communicate. */
typedef struct floor_times {
    double largest, second, sum;
    int32_t used;
} floor_times;

static floor_times floors(const select_model *model, const select_box *box)
{
    floor_times f = {0};
    for (int32_t i = 0; i < model->clusters; i++) {
        if (box->least[i] > 0) {
            double t = model->time[i][box->least[i]];
            f.used++;
            f.sum += t;
            f.second = fmax(f.second, fmin(t, f.largest));
            f.largest = fmax(f.largest, t);
        }
    }
    return f;
}

static double least_communication(const select_model *model, const select_box *box)
{
    double least = select_communication(model, box->least);
    int32_t used = 0;
    for (int32_t i = 0; i < model->clusters; i++) {
        used += box->least[i] > 0;
    }
    double routed = model->router == INLAY_SELECT_SUM && used > 1 ? model->router_cost * (used - 1) : 0;
    return fmax(least, box->longest + routed);
}

/* Units that a processor of cluster i has done by `time`; one that rounding may have cost is taken as done. */
static double done_by(const double *fixed_time, const double *unit_time, int32_t i, double time)
{
    return fmax(0, floor((time - fixed_time[i]) / unit_time[i] * (1 + 1e-12) + 1e-9));
}

/* Puts cluster i in its place among `count` others by the time of its next unit. */
static void queue(const select_map *s, int32_t i, int32_t count)
{
    int32_t at = count;
    for (; at > 0 && s->share[s->heap[at - 1]] < s->share[i]; at--) {
        s->heap[at] = s->heap[at - 1];
    }
    s->heap[at] = i;
}

double select_whole_balance(const select_model *model, const double *fixed_time, const double *unit_time,
                            const int32_t *processors, double time)
{
    const select_map *s = &model->scratch; /* heap: clusters, the one with the next unit last; share: when that is */
    double left = (double)model->units;
    int32_t count = 0;
    for (int32_t i = 0; i < model->clusters; i++) {
        if (processors[i] > 0) {
            double units = done_by(fixed_time, unit_time, i, time);
            left -= units * processors[i];
            s->share[i] = fixed_time[i] + (units + 1) * unit_time[i];
            queue(s, i, count++);
        }
    }
    /* the time so far is a bound, too, should unlike clusters take too many steps */
    for (int32_t step = 4 * count; left > 0 && step > 0; step--) {
        int32_t i = s->heap[count - 1];
        time = fmax(time, s->share[i]);
        left -= processors[i];
        s->share[i] += unit_time[i];
        queue(s, i, count - 1);
    }
    return time;
}

static double least_computation(const select_model *model, const select_box *box)
{
    if (!model->fixed) {
        double speed = 0;
        for (int32_t i = 0; i < model->clusters; i++) {
            speed += model->rate[i] * box->most[i];
        }
        return model->work / speed;
    }
    double least = select_balanced_time(model, box->most);
    for (int32_t i = 0; i < model->clusters; i++) {
        if (box->least[i] > 0) {
            least = fmax(least, model->fixed_time[i]);
        }
    }
    return least;
}

/* In whole units, where that is more by far: a processor has few of them. */
static double least_whole_computation(const select_model *model, const select_box *box, double least)
{
    enum { FEW = 8 };
    int64_t processors = 0;
    for (int32_t i = 0; i < model->clusters; i++) {
        processors += box->most[i];
    }
    return model->map == INLAY_SELECT_REAL || model->units / FEW > processors
               ? least
               : select_whole_balance(model, model->fixed_time, model->unit_time, box->most, least);
}

/* What cluster i's own communication comes on top of. */
static double beside(const select_model *model, const floor_times *f, const select_box *box, int32_t i)
{
    bool used = box->least[i] > 0;
    double own = used ? model->time[i][box->least[i]] : 0;
    int32_t all = f->used + !used;
    double routed = model->router == INLAY_SELECT_SUM ? model->router_cost * (all - 1) : 0;
    switch (model->topology) {
    case INLAY_PATTERN_RING: return f->sum - own + routed;
    case INLAY_PATTERN_TREE: return (used && own == f->largest ? f->second : f->largest) + routed;
    default: return routed;
    }
}

/* The most processors in least .. most whose T_i is at most `allowed`; least - 1 where there are none. */
static int32_t select_most_within(const double *time, int32_t least, int32_t most, double allowed)
{
    if (most < least || time[most] <= allowed) {
        return most;
    }
    int32_t low = least - 1;
    while (most - low > 1) {
        int32_t middle = low + (most - low) / 2;
        if (time[middle] <= allowed) {
            low = middle;
        } else {
            most = middle;
        }
    }
    return low;
}

/* Fewer at most, where more would communicate too long. */
static bool cut_most(const select_model *model, double limit, select_box *box, bool *changed)
{
    double allowed = model->overlap ? limit : limit - least_computation(model, box);
    floor_times f = floors(model, box);
    for (int32_t i = 0; i < model->clusters; i++) {
        int32_t from = box->least[i] > 1 ? box->least[i] : 1;
        double own = (allowed - beside(model, &f, box, i)) * (1 + 1e-12);
        int32_t most = select_most_within(model->time[i], from, box->most[i], own);
        if (most < box->most[i]) {
            *changed = true;
            box->most[i] = most;
            if (most < box->least[i]) {
                return false;
            }
        }
    }
    return true;
}

/* More at least, where fewer would compute too long. */
static bool raise_least(const select_model *model, double limit, select_box *box, bool *changed)
{
    double allowed = model->overlap ? limit : limit - least_communication(model, box);
    double speed = 0;
    for (int32_t i = 0; i < model->clusters; i++) {
        speed += model->rate[i] * box->most[i];
    }
    if (!(allowed > 0) || !(speed > 0)) {
        return false;
    }
    double needed = model->work / allowed * (1 - 1e-12);
    for (int32_t i = 0; i < model->clusters; i++) {
        double missing = needed - (speed - model->rate[i] * box->most[i]);
        double least = ceil(missing / model->rate[i] - 1e-9);
        if (least > box->most[i]) {
            return false;
        }
        if (least > box->least[i]) {
            *changed = true;
            box->least[i] = (int32_t)least;
        }
    }
    return true;
}

static bool shrink(const select_model *model, double limit, select_box *box)
{
    enum { ROUNDS = 4 }; /* the first ones gain most */
    bool changed = true;
    for (int round = 0; changed && round < ROUNDS; round++) {
        changed = false;
        if (!raise_least(model, limit, box, &changed) || (limit < INFINITY && !cut_most(model, limit, box, &changed))) {
            return false;
        }
    }
    return true;
}

/* ---- The ring ---- */

/* All growths are concave from 1 on, so that the lower hull has its corners at the ends and at 1. */
static void add_hull(select_hull *hull, const select_model *model, const select_box *box, int32_t i, double router)
{
    const double *time = model->time[i];
    int32_t least = box->least[i];
    int32_t most = box->most[i];
    if (least == most) {
        return;
    }
    if (least > 0) {
        select_hull_add(hull, i, least, most, time[most] - time[least]);
        return;
    }
    select_hull_open(hull, i, most, time[1] + router, time[most] + router);
}

static double bound_ring(const select_bounder *b, select_box *box)
{
    const select_model *model = b->model;
    const double router = model->router_cost * (model->router == INLAY_SELECT_CHAIN ? 2 : 1);
    select_hull hull = {.bounder = b, .rate = model->rate, .work = model->work};
    hull.communication = -router; /* u - 1 */
    for (int32_t i = 0; i < model->clusters; i++) {
        b->guess[i] = box->least[i];
        if (box->least[i] > 0) {
            hull.speed += model->rate[i] * box->least[i];
            hull.communication += model->time[i][box->least[i]] + router;
        }
        add_hull(&hull, model, box, i, router);
    }
    return model->overlap ? select_hull_fill_overlapped(&hull, box) : select_hull_fill(&hull, box);
}

/* ---- Where to split ---- */

static double largest_time(const select_model *model, const int32_t *processors)
{
    double largest = 0;
    for (int32_t i = 0; i < model->clusters; i++) {
        largest = fmax(largest, model->time[i][processors[i]]);
    }
    return largest;
}

/* Where the largest T_i decides, its range is halved first: that bounds all clusters at once. */
static bool split_by_time(const select_model *model, select_box *box)
{
    double low = fmax(box->longest, largest_time(model, box->least));
    double high = largest_time(model, box->most);
    if (model->topology == INLAY_PATTERN_RING || !(high - low > 1e-9 * high)) {
        return false;
    }
    box->cluster = -1;
    box->at_time = low + (high - low) / 2;
    return true;
}

/* In the middle of the cluster with most speed to decide upon. */
static void split_widest(const select_model *model, select_box *box)
{
    double widest = 0;
    box->cluster = -1;
    for (int32_t i = 0; i < model->clusters; i++) {
        double width = model->rate[i] * (box->most[i] - box->least[i]);
        if (width > widest) {
            widest = width;
            box->cluster = i;
            box->at = box->least[i] + (box->most[i] - box->least[i]) / 2;
        }
    }
}

void select_box_aim(const select_model *model, select_box *box)
{
    if (box->cluster < 0 && !split_by_time(model, box)) {
        split_widest(model, box);
    }
}

bool select_box_bound(select_bounder *bounder, double limit, select_box *box)
{
    const select_model *model = bounder->model;
    if (model->general != NULL) {
        return general_box_bound(bounder, limit, box);
    }
    if (model->curve == NULL && !shrink(model, limit, box)) {
        return false;
    }
    double computation = model->curve != NULL ? select_curve_time(model, box->most)
                                              : least_whole_computation(model, box, least_computation(model, box));
    double communication = least_communication(model, box);
    box->cluster = -1;
    memcpy(bounder->guess, box->most, (size_t)model->clusters * sizeof *box->most);
    box->bound = fmax(box->bound, select_combined(model, computation, communication));
    if (model->topology == INLAY_PATTERN_RING && model->curve == NULL) {
        box->bound = fmax(box->bound, bound_ring(bounder, box));
    }
    select_box_aim(model, box);
    return box->bound * (1 + 1e-12) < limit;
}

/* ---- Splitting ---- */

/* The least T_i(p) in the box beyond `time`. */
static double next_time(const select_model *model, const select_box *box, double time)
{
    double next = INFINITY;
    for (int32_t i = 0; i < model->clusters; i++) {
        int32_t within = select_most_within(model->time[i], box->least[i], box->most[i], time);
        if (within < box->most[i]) {
            next = fmin(next, model->time[i][within + 1]);
        }
    }
    return next;
}

static void cut_by_time(const select_model *model, double time, bool upper, select_box *box)
{
    if (upper) {
        box->longest = next_time(model, box, time);
        return;
    }
    for (int32_t i = 0; i < model->clusters; i++) {
        box->most[i] = select_most_within(model->time[i], box->least[i], box->most[i], time);
    }
}

void select_box_split(const select_model *model, select_box *lower, select_box *upper)
{
    if (lower->cluster < 0) {
        cut_by_time(model, lower->at_time, false, lower);
        cut_by_time(model, upper->at_time, true, upper);
    } else {
        lower->most[lower->cluster] = lower->at;
        upper->least[upper->cluster] = upper->at + 1;
    }
}
