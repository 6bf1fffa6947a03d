/* Bounds of a box in a general model, and what can be taken from the box before. */
#include "select/general_bounds.h"
#include "select/box.h"
#include <math.h>
#include <string.h>

/* ---- Making a box smaller ---- */

/* Whether the box may hold a T_c up to `limit` where cluster i has p processors. */
static bool fits(const select_model *model, const select_box *box, double limit, int32_t i, int32_t p)
{
    const select_general *g = model->general;
    double all = 0;
    double apart = 0;
    for (int32_t n = 0; n < g->question->communications; n++) {
        double time = general_floor_with(model, box->least, n, i, p);
        all += time;
        apart += g->question->communication[n].overlap < 0 ? time : 0;
    }
    return fmax(all, g->bounds->floor.computation + apart) * (1 - 1e-12) <= limit;
}

/* Fewer at most, where more would communicate too long. */
static bool cut_most(const select_model *model, double limit, select_box *box, bool *changed)
{
    for (int32_t i = 0; i < model->clusters; i++) {
        int32_t low = box->least[i] > 0 ? box->least[i] - 1 : 0; /* so many are known to fit, or none */
        int32_t high = box->most[i];
        if (high == 0 || fits(model, box, limit, i, high)) {
            continue;
        }
        while (high - low > 1) {
            int32_t middle = low + (high - low) / 2;
            if (fits(model, box, limit, i, middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        box->most[i] = low;
        *changed = true;
        if (low < box->least[i]) {
            return false;
        }
    }
    return true;
}

/* More at least, where fewer would compute too long. */
static bool raise_least(const select_model *model, double limit, select_box *box, bool *changed)
{
    const general_bounds *b = model->general->bounds;
    double allowed = limit - b->floor.apart * (1 - 1e-12);
    double speed = 0;
    for (int32_t i = 0; i < model->clusters; i++) {
        speed += box->most[i] > 0 ? b->speed[i] * box->most[i] : 0;
    }
    if (!(allowed > 0)) {
        return false;
    }
    double needed = (double)model->units / allowed * (1 - 1e-12);
    for (int32_t i = 0; i < model->clusters && speed < INFINITY; i++) {
        if (box->most[i] == box->least[i]) {
            continue;
        }
        double missing = needed - (speed - b->speed[i] * box->most[i]);
        double least = ceil(missing / b->speed[i] - 1e-9);
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

static bool any_processor(const select_model *model, const select_box *box)
{
    for (int32_t i = 0; i < model->clusters; i++) {
        if (box->most[i] > 0) {
            return true;
        }
    }
    return false;
}

/* Leaves the floor of what is left. */
static bool shrink(const select_model *model, double limit, select_box *box)
{
    enum { ROUNDS = 4 }; /* the first ones gain most */
    bool changed = true;
    for (int round = 0; changed; round++) {
        if (!any_processor(model, box)) {
            return false;
        }
        changed = false;
        general_floor_set(model, box->least, box->most);
        if (limit == INFINITY || round == ROUNDS) {
            return true;
        }
        if (!raise_least(model, limit, box, &changed)) {
            return false;
        }
        if (changed) {
            general_floor_set(model, box->least, box->most);
        }
        if (!cut_most(model, limit, box, &changed)) {
            return false;
        }
    }
    return true;
}

/* ---- Rings ---- */

/* Which communications a hull is made for: rings that overlap nothing, or all rings where everything overlaps. */
typedef struct ring {
    const select_model *model;
    const select_box *box;
    bool overlapped;
} ring;

static bool in_hull(const ring *r, const general_communication *c)
{
    return c->pattern == INLAY_PATTERN_RING && (c->overlap >= 0) == r->overlapped;
}

/*
 * What a group pays to be joined, but for the group that pays most. In the chain by number, clusters pay in their own
 * T_i: twice where no networks are shared, since each link has two ends, and once where a cluster is alone in its own.
 */
static double opening(const ring *r, int32_t group)
{
    const select_general *g = r->model->general;
    int times = 1;
    if (g->question->terms.router == INLAY_SELECT_CHAIN) {
        times = g->alone ? 2 : g->bounds->possible[group] == 1;
    }
    double sum = 0;
    for (int32_t n = 0; n < g->question->communications; n++) {
        if (in_hull(r, &g->question->communication[n])) {
            sum += times * general_opening(g, n, group);
        }
    }
    return sum;
}

/* The least that each processor of a group adds where it is not surely in use: T_i(p) >= slope p for all of its i. */
static double least_slope(const ring *r, int32_t communication, int32_t group)
{
    const select_general *g = r->model->general;
    int32_t all = g->bounds->most[group];
    double slope = INFINITY;
    for (int32_t i = 0; i < r->model->clusters; i++) {
        if (g->group[i] == group && r->box->most[i] > 0) {
            slope = fmin(slope, general_floor_time(g, communication, i, 1));
            slope = fmin(slope, general_floor_time(g, communication, i, all) / all);
        }
    }
    return slope;
}

/* Of the group's longest T_i between the fewest and the most processors, the straight line below it. */
static double lead_slope(const ring *r, int32_t communication, int32_t group)
{
    const select_general *g = r->model->general;
    const general_bounds *b = g->bounds;
    int32_t lead = b->groups[communication].lead[group];
    int32_t wider = b->most[group] - b->least[group];
    double rise = general_floor_time(g, communication, lead, b->most[group]) -
                  general_floor_time(g, communication, lead, b->least[group]);
    return wider > 0 ? fmax(0, rise) / wider : 0;
}

/* The only cluster of a group: it may be left out, and the network with it. */
static void open_alone(const ring *r, int32_t i, double price, select_hull *hull)
{
    const select_general *g = r->model->general;
    double one = price;
    double all = price;
    for (int32_t n = 0; n < g->question->communications; n++) {
        if (in_hull(r, &g->question->communication[n])) {
            one += general_floor_time(g, n, i, 1);
            all += general_floor_time(g, n, i, r->box->most[i]);
        }
    }
    select_hull_open(hull, i, r->box->most[i], one, all);
}

static void add_group(const ring *r, int32_t group, double price, select_hull *hull)
{
    const select_general *g = r->model->general;
    const general_bounds *b = g->bounds;
    bool sure = b->least[group] > 0;
    double slope = 0;
    for (int32_t n = 0; n < g->question->communications; n++) {
        if (in_hull(r, &g->question->communication[n])) {
            int32_t lead = b->groups[n].lead[group];
            slope += sure ? lead_slope(r, n, group) : least_slope(r, n, group);
            hull->communication += sure ? general_floor_time(g, n, lead, b->least[group]) : 0;
        }
    }
    hull->communication += sure ? price : 0;
    for (int32_t i = 0; i < r->model->clusters; i++) {
        int32_t wider = r->box->most[i] - r->box->least[i];
        if (g->group[i] != group || wider == 0) {
            continue;
        }
        if (!sure && b->possible[group] == 1) {
            open_alone(r, i, price, hull);
        } else {
            select_hull_add(hull, i, r->box->least[i], r->box->most[i], slope * wider);
        }
    }
}

/* T_comp and the rings at once; the other communications are what they are. */
static double bound_rings(const select_bounder *bounder, bool overlapped, select_box *box)
{
    const select_model *model = bounder->model;
    const select_general *g = model->general;
    const ring r = {model, box, overlapped};
    select_hull hull = {.bounder = bounder, .rate = g->bounds->speed, .work = (double)model->units};
    double most = 0;
    for (int32_t group = 0; group < g->groups; group++) {
        if (g->bounds->most[group] > 0) {
            double price = opening(&r, group);
            most = fmax(most, price);
            add_group(&r, group, price, &hull);
        }
    }
    hull.communication -= most;
    for (int32_t n = 0; n < g->question->communications; n++) {
        const general_communication *c = &g->question->communication[n];
        hull.communication += !in_hull(&r, c) && (c->overlap < 0 || overlapped) ? g->bounds->floor.exchange[n] : 0;
    }
    for (int32_t i = 0; i < model->clusters; i++) {
        bounder->guess[i] = box->least[i];
        hull.speed += g->bounds->speed[i] * box->least[i];
    }
    return overlapped ? select_hull_fill_overlapped(&hull, box) : select_hull_fill(&hull, box);
}

/* Whether a hull says more than the fewest processors do: units take time, and a ring is among what counts. */
static bool has_rings(const select_model *model, bool overlapped)
{
    const select_general *g = model->general;
    const ring r = {.model = model, .overlapped = overlapped};
    bool any = false;
    for (int32_t i = 0; i < model->clusters; i++) {
        if (g->bounds->speed[i] == INFINITY && model->most[i] > 0) {
            return false;
        }
    }
    for (int32_t n = 0; n < g->question->communications; n++) {
        const general_communication *c = &g->question->communication[n];
        any = any || in_hull(&r, c);
        if (overlapped && c->overlap < 0) {
            return false;
        }
    }
    return any;
}

/* ---- The bound ---- */

bool general_box_bound(select_bounder *bounder, double limit, select_box *box)
{
    const select_model *model = bounder->model;
    if (!shrink(model, limit, box)) {
        return false;
    }
    box->cluster = -1;
    memcpy(bounder->guess, box->most, (size_t)model->clusters * sizeof *box->most);
    box->bound = fmax(box->bound, fmax(box->longest, general_floor_cycle(model->general)));
    for (int overlapped = 0; overlapped < 2; overlapped++) {
        if (has_rings(model, overlapped)) {
            box->bound = fmax(box->bound, bound_rings(bounder, overlapped, box));
        }
    }
    select_box_aim(model, box);
    return box->bound * (1 + 1e-12) < limit;
}
