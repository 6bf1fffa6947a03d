/*
 * What nothing in a box falls below: T_comp with all its processors and the least work, T_comm with its fewest, the
 * smallest messages and the cheapest ways.
 */
#include "select/general_bounds.h"
#include "select/box.h"
#include <math.h>

/* Rounding on the way to a share must not lift it above the true one. */
static const double SLACK = 1e-13;

/* ---- Amounts ---- */

static void set_amounts(const general_question *question, general_bounds *b, int32_t from, int32_t to)
{
    general_floor *f = &b->floor;
    for (int32_t n = 0; n < question->computations; n++) {
        f->per_unit[n] = general_least(&b->per_unit[n], b->rows, from, to);
        f->fixed[n] = general_least(&b->fixed[n], b->rows, from, to);
    }
    for (int32_t n = 0; n < question->communications; n++) {
        f->bytes_per_unit[n] = general_least(&b->bytes_per_unit[n], b->rows, from, to);
        f->bytes[n] = general_least(&b->bytes[n], b->rows, from, to);
        f->messages[n] = general_least(&b->messages[n], b->rows, from, to);
    }
}

/* ---- Computation ---- */

/* T of EQ 5 with all processors of the box; where units take no time, the least d1. `whole`: in whole units. */
static double balanced(const select_model *model, const double *fixed, const double *unit, bool whole,
                       const int32_t *most)
{
    double least = INFINITY;
    bool takes_time = false;
    for (int32_t i = 0; i < model->clusters; i++) {
        if (most[i] > 0) {
            takes_time = takes_time || unit[i] > 0;
            least = fmin(least, fixed[i]);
        }
    }
    if (!takes_time) {
        return least;
    }
    double time = select_balance(model, fixed, unit, most);
    return whole ? select_whole_balance(model, fixed, unit, most, time) : time;
}

/* No less than the d1 of a cluster surely in use, either. */
static double least_time(const select_model *model, const double *fixed, const double *unit, const int32_t *least,
                         const int32_t *most)
{
    double time = balanced(model, fixed, unit, model->map != INLAY_SELECT_REAL, most);
    for (int32_t i = 0; i < model->clusters; i++) {
        time = least[i] > 0 ? fmax(time, fixed[i]) : time;
    }
    return time;
}

/* d1 and d2 of phase n, added to what stands there. */
static void add_phase(const general_question *question, general_bounds *b, int32_t n)
{
    const general_computation *c = &question->computation[n];
    for (int32_t i = 0; i < question->clusters; i++) {
        b->fixed_time[i] += b->floor.fixed[n] * c->time[i];
        b->unit_time[i] += b->floor.per_unit[n] * c->time[i];
    }
}

static void clear_phases(const general_question *question, general_bounds *b)
{
    for (int32_t i = 0; i < question->clusters; i++) {
        b->fixed_time[i] = 0;
        b->unit_time[i] = 0;
    }
}

static void set_computation(const select_model *model, general_bounds *b, const int32_t *least, const int32_t *most)
{
    const general_question *question = model->general->question;
    general_floor *f = &b->floor;
    double sum = 0;
    for (int32_t n = 0; n < question->computations; n++) {
        clear_phases(question, b);
        add_phase(question, b, n);
        f->phase[n] = least_time(model, b->fixed_time, b->unit_time, least, most);
        sum += f->phase[n];
    }
    f->computation = sum;
    if (question->computations > 1) {
        clear_phases(question, b);
        for (int32_t n = 0; n < question->computations; n++) {
            add_phase(question, b, n);
        }
        f->computation = fmax(sum, least_time(model, b->fixed_time, b->unit_time, least, most));
    }
    for (int32_t i = 0; i < model->clusters; i++) {
        b->speed[i] = model->most[i] == 0 ? 0 : b->unit_time[i] > 0 ? 1 / b->unit_time[i] : INFINITY;
    }
}

/* ---- Shares ---- */

/* d1 and d2 of the map: the least of them, or the most. Those of the model where they are the same for all rows. */
static void weigh(const select_model *model, general_bounds *b, int32_t from, int32_t to, bool most)
{
    const general_question *question = model->general->question;
    clear_phases(question, b);
    for (int32_t n = 0; n < question->computations; n++) {
        double unit = most ? -general_least(&b->negative_weight[n], b->rows, from, to)
                           : general_least(&b->weight[n], b->rows, from, to);
        double start = most ? -general_least(&b->negative_start[n], b->rows, from, to)
                            : general_least(&b->start[n], b->rows, from, to);
        for (int32_t i = 0; i < question->clusters; i++) {
            b->unit_time[i] += unit * question->computation[n].time[i];
            b->fixed_time[i] += start * question->computation[n].time[i];
        }
    }
}

/* What the map makes at least of a share. */
static double mapped(inlay_select_map map, double share)
{
    switch (map) {
    case INLAY_SELECT_INTEGER:
    case INLAY_SELECT_REMAINDER: return floor(share);
    case INLAY_SELECT_CEIL: return ceil(share * (1 - 1e-9)); /* shares so near a whole number count as that */
    default: return share;
    }
}

static void set_shares(const select_model *model, general_bounds *b, int32_t from, int32_t to, const int32_t *most)
{
    const double *fixed = model->fixed_time;
    const double *unit = model->unit_time;
    if (model->general->shares_vary) {
        weigh(model, b, from, to, false);
        fixed = b->fixed_time;
        unit = b->unit_time;
    }
    double time = balanced(model, fixed, unit, false, most);
    if (model->general->shares_vary) {
        weigh(model, b, from, to, true);
    }
    for (int32_t i = 0; i < model->clusters; i++) {
        double share = (time * (1 - SLACK) - fixed[i] * (1 + SLACK)) / unit[i];
        b->share[i] = most[i] > 0 && share > 0 ? mapped(model->map, share) : 0;
    }
}

/* Of the processor with most units in the whole configuration. */
static double top_share(const select_model *model, const general_bounds *b, const int32_t *least, int64_t processors)
{
    double top = (double)model->units / (double)processors * (1 - SLACK);
    top = model->map == INLAY_SELECT_REAL ? top : ceil(top);
    for (int32_t i = 0; i < model->clusters; i++) {
        top = least[i] > 0 ? fmax(top, b->share[i]) : top;
    }
    return top;
}

/* ---- Communication ---- */

double general_floor_time(const select_general *general, int32_t communication, int32_t i, int32_t together)
{
    const general_bounds *b = general->bounds;
    const general_communication *c = &general->question->communication[communication];
    double bytes = b->floor.bytes[communication] + b->floor.bytes_per_unit[communication] * b->share[i];
    double time = general_time(general, c, i, together, bytes);
    return b->falling[communication] ? fmin(time, general_time(general, c, i, together, b->most_bytes[communication]))
                                     : time;
}

/* Of the ways to its neighbours by number, those that cluster i surely pays: it is the n-th of `used` in use. */
static double to_neighbours(const select_general *g, int32_t communication, int32_t i, int32_t n, int32_t used)
{
    const general_floor *f = &g->bounds->floor;
    if (g->question->terms.router != INLAY_SELECT_CHAIN || used < 2) {
        return 0;
    }
    int ways = n > 0 && n + 1 < used ? 2 : 1;
    return ways * f->messages[communication] * general_price_of(g->bounds->nearby[i], f->routed_bytes[communication]);
}

double general_opening(const select_general *general, int32_t communication, int32_t group)
{
    const general_floor *f = &general->bounds->floor;
    return f->messages[communication] * general_price_of(general->bounds->out[group], f->routed_bytes[communication]);
}

static void add_group(const select_general *g, general_groups *groups, int32_t communication, int32_t group)
{
    double time = groups->time[group];
    groups->sum += time;
    groups->second = fmax(groups->second, fmin(time, groups->largest));
    groups->largest = fmax(groups->largest, time);
    if (g->question->terms.router == INLAY_SELECT_SUM) {
        double opening = general_opening(g, communication, group);
        groups->opening += opening;
        groups->most_opening = fmax(groups->most_opening, opening);
    }
}

static void set_groups(const select_model *model, const int32_t *least, int32_t communication)
{
    const select_general *g = model->general;
    const general_bounds *b = g->bounds;
    general_groups *groups = &g->bounds->groups[communication];
    int32_t n = 0;
    *groups = (general_groups){.time = groups->time, .lead = groups->lead};
    for (int32_t group = 0; group < g->groups; group++) {
        groups->time[group] = 0;
        groups->lead[group] = -1;
    }
    for (int32_t i = 0; i < model->clusters; i++) {
        if (least[i] == 0) {
            continue;
        }
        int32_t group = g->group[i];
        double time = general_floor_time(g, communication, i, b->least[group]) +
                      to_neighbours(g, communication, i, n++, b->floor.used);
        if (groups->lead[group] < 0 || time > groups->time[group]) {
            groups->time[group] = time;
            groups->lead[group] = i;
        }
    }
    for (int32_t group = 0; group < g->groups; group++) {
        if (groups->lead[group] >= 0) {
            add_group(g, groups, communication, group);
        }
    }
}

static double over_groups(const general_groups *groups, inlay_pattern pattern)
{
    double joined = groups->opening - groups->most_opening;
    switch (pattern) {
    case INLAY_PATTERN_RING: return groups->sum + joined;
    case INLAY_PATTERN_TREE: return groups->largest + groups->second + joined;
    default: return groups->largest + joined;
    }
}

double general_floor_with(const select_model *model, const int32_t *least, int32_t communication, int32_t i, int32_t p)
{
    const select_general *g = model->general;
    const general_groups *groups = &g->bounds->groups[communication];
    int32_t group = g->group[i];
    if (general_is_collective(&g->question->communication[communication])) {
        return general_collective_floor(model, least, communication, i, g->bounds->floor.fewest - least[i] + p);
    }
    bool open = groups->lead[group] >= 0;
    double before = groups->time[group];
    int32_t together = g->bounds->least[group] - least[i] + p;
    int32_t others = g->bounds->floor.used - (least[i] > 0);
    double time = general_floor_time(g, communication, i, together) + to_neighbours(g, communication, i, 0, others + 1);
    double after = fmax(before, time);
    double opening =
        open || g->question->terms.router == INLAY_SELECT_CHAIN ? 0 : general_opening(g, communication, group);
    double joined = groups->opening + opening - fmax(groups->most_opening, opening);
    switch (g->question->communication[communication].pattern) {
    case INLAY_PATTERN_RING: return groups->sum - before + after + joined;
    case INLAY_PATTERN_TREE:
        return after + (open && before == groups->largest ? groups->second : groups->largest) + joined;
    default: return fmax(groups->largest, after) + joined;
    }
}

/* Some cluster is in use, even where none surely is. */
static double any_cluster(const select_model *model, const int32_t *most, int32_t communication)
{
    double least = INFINITY;
    for (int32_t i = 0; i < model->clusters; i++) {
        if (most[i] > 0) {
            least = fmin(least, general_floor_time(model->general, communication, i, 1));
        }
    }
    return least;
}

/* ---- All of it ---- */

static void count(const select_model *model, general_bounds *b, const int32_t *least, const int32_t *most)
{
    const select_general *g = model->general;
    b->floor.used = 0;
    for (int32_t group = 0; group < g->groups; group++) {
        b->least[group] = 0;
        b->most[group] = 0;
        b->possible[group] = 0;
    }
    for (int32_t i = 0; i < model->clusters; i++) {
        b->least[g->group[i]] += least[i];
        b->most[g->group[i]] += most[i];
        b->possible[g->group[i]] += most[i] > 0;
        b->floor.used += least[i] > 0;
    }
}

void general_floor_set(const select_model *model, const int32_t *least, const int32_t *most)
{
    const select_general *g = model->general;
    const general_question *question = g->question;
    general_bounds *b = g->bounds;
    int64_t fewest = 0;
    int64_t all = 0;
    for (int32_t i = 0; i < model->clusters; i++) {
        fewest += least[i];
        all += most[i];
    }
    int32_t from = general_row(question, fewest > 0 ? fewest : 1);
    int32_t to = general_row(question, all);
    b->floor.fewest = fewest;
    b->floor.all = all;
    set_amounts(question, b, from, to);
    count(model, b, least, most);
    if (g->bytes_vary) {
        set_shares(model, b, from, to, most);
    }
    set_computation(model, b, least, most);
    double top = g->bytes_vary ? top_share(model, b, least, all) : 0;
    b->floor.apart = 0;
    for (int32_t n = 0; n < question->communications; n++) {
        const general_communication *c = &question->communication[n];
        b->floor.routed_bytes[n] = b->floor.bytes[n] + b->floor.bytes_per_unit[n] * top;
        if (general_is_collective(c)) {
            b->floor.exchange[n] = general_collective_floor(model, least, n, -1, fewest);
        } else {
            set_groups(model, least, n);
            b->floor.exchange[n] =
                b->floor.used > 0 ? over_groups(&b->groups[n], c->pattern) : any_cluster(model, most, n);
        }
        b->floor.apart += c->overlap < 0 ? b->floor.exchange[n] : 0;
    }
}

double general_floor_cycle(const select_general *general)
{
    const general_question *question = general->question;
    const general_floor *f = &general->bounds->floor;
    double beside[INLAY_DOMAIN_PHASES] = {0};
    double sum = f->apart;
    for (int32_t n = 0; n < question->communications; n++) {
        if (question->communication[n].overlap >= 0) {
            beside[question->communication[n].overlap] += f->exchange[n];
        }
    }
    for (int32_t n = 0; n < question->computations; n++) {
        sum += fmax(f->phase[n], beside[n]);
    }
    return fmax(sum, f->computation + f->apart);
}
