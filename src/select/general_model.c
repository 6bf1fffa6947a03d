/* A general question as a model: networks, the rates by which shares are balanced, and scratch room. */
#include "base/diag.h"
#include "base/memory.h"
#include "select/general.h"
#include <math.h>
#include <stdlib.h>

/* ---- Networks ---- */

/* Group of each network that holds a cluster that can be used, by the first of these; -1 where there is none. */
static bool group_clusters(const general_question *question, select_general *g)
{
    const inlay_metasystem *metasystem = question->metasystem;
    size_t networks = metasystem->networks > 0 ? metasystem->networks : metasystem->clusters;
    int32_t *group = memory_array(networks, sizeof *group);
    for (size_t n = 0; group != NULL && n < networks; n++) {
        group[n] = -1;
    }
    g->alone = true;
    for (int32_t i = 0; group != NULL && i < question->clusters; i++) {
        int32_t network = metasystem->networks > 0 ? metasystem->cluster[i].network : i;
        g->group[i] = 0;
        if (question->most[i] > 0) {
            g->alone = g->alone && group[network] < 0;
            group[network] = group[network] < 0 ? g->groups++ : group[network];
            g->group[i] = group[network];
            g->available[g->group[i]] += question->most[i];
        }
    }
    free(group);
    return group != NULL;
}

static bool make_logarithms(select_general *g)
{
    int32_t most = 1;
    for (int32_t n = 0; n < g->groups; n++) {
        most = g->available[n] > most ? g->available[n] : most;
    }
    g->logarithm = pool_zeroed(&g->arrays, (size_t)most + 1, sizeof *g->logarithm);
    for (int32_t p = 1; !g->arrays.failed && p <= most; p++) {
        g->logarithm[p] = select_grown(INLAY_GROWTH_LOG2, p);
    }
    return !g->arrays.failed;
}

/* ---- Rates ---- */

void general_weigh(const general_question *question, int32_t row, general_weights *weights)
{
    double sum = 0;
    for (int32_t n = 0; n < question->computations; n++) {
        sum += question->computation[n].per_unit[row];
    }
    for (int32_t n = 0; n < question->computations; n++) {
        const general_computation *c = &question->computation[n];
        /* units that take no time are shared by the speed of the dominant computation */
        weights->per_unit[n] = sum > 0 ? c->per_unit[row] / sum : n == question->main;
        weights->fixed[n] = sum > 0 ? c->fixed[row] / sum : 0;
    }
}

static bool same_weights(const general_question *question, const general_weights *a, const general_weights *b)
{
    for (int32_t n = 0; n < question->computations; n++) {
        if (a->per_unit[n] != b->per_unit[n] || a->fixed[n] != b->fixed[n]) {
            return false;
        }
    }
    return true;
}

/* Whether all computations are as fast as each other on every cluster, so that the speeds serve as they are. */
static bool one_speed(const general_question *question)
{
    for (int32_t n = 1; n < question->computations; n++) {
        for (int32_t i = 0; i < question->clusters; i++) {
            if (question->computation[n].speed[i] != question->computation[0].speed[i]) {
                return false;
            }
        }
    }
    return true;
}

/* d1 and d2 in units of the weights. */
static void set_rates(const general_question *question, int32_t row, bool as_they_are, const select_model *model)
{
    general_weights weights;
    general_weigh(question, row, &weights);
    for (int32_t i = 0; i < model->clusters; i++) {
        model->unit_time[i] = 1; /* of clusters that cannot be used */
        model->fixed_time[i] = 0;
        model->rate[i] = 1;
        if (model->most[i] == 0) {
            continue;
        }
        double unit = 0;
        for (int32_t n = 0; n < question->computations; n++) {
            unit += weights.per_unit[n] * question->computation[n].time[i];
            model->fixed_time[i] += weights.fixed[n] * question->computation[n].time[i];
        }
        model->unit_time[i] = unit;
        model->rate[i] = as_they_are ? question->computation[0].speed[i] : 1 / unit;
    }
}

/* Which of the weights vary over the rows, and whether any d1 is above 0. */
static void study_weights(const general_question *question, select_general *g, select_model *model)
{
    general_weights first;
    general_weights other;
    general_weigh(question, 0, &first);
    for (int32_t row = 0; row < question->rows; row++) {
        general_weigh(question, row, &other);
        g->shares_vary = g->shares_vary || !same_weights(question, &first, &other);
        for (int32_t n = 0; n < question->computations; n++) {
            model->fixed = model->fixed || other.fixed[n] > 0;
        }
        for (int32_t n = 0; n < question->communications; n++) {
            g->bytes_vary = g->bytes_vary || question->communication[n].per_unit[row] > 0;
        }
    }
}

void general_set_row(const select_model *model, int32_t row)
{
    select_general *g = model->general;
    if (g->shares_vary && row != g->row) {
        set_rates(g->question, row, g->one_speed, model);
        g->row = row;
    }
}

/* ---- Range ---- */

static double largest(const double *amount, int32_t rows)
{
    double most = 0;
    for (int32_t n = 0; n < rows; n++) {
        most = fmax(most, amount[n]);
    }
    return most;
}

double general_most_bytes(const general_question *question, const general_communication *c)
{
    return largest(c->fixed, question->rows) + largest(c->per_unit, question->rows) * (double)question->units;
}

/* The longest that a cluster can compute, and what can be too small for it; not finite where a number is out of range. */
static double longest_computation(const general_question *question, int32_t i)
{
    double sum = 0;
    for (int32_t n = 0; n < question->computations; n++) {
        const general_computation *c = &question->computation[n];
        for (int32_t row = 0; row < question->rows; row++) {
            double unit = c->per_unit[row] * c->time[i];
            double start = c->fixed[row] * c->time[i];
            bool lost = (c->per_unit[row] > 0 && !(unit > 0)) || (unit > 0 && !isfinite(start / unit));
            sum = lost ? INFINITY : fmax(sum, start + unit * (double)question->units);
        }
    }
    return sum * question->computations;
}

static double longest_communication(const select_general *g, int32_t i)
{
    const general_question *question = g->question;
    double sum = 0;
    for (int32_t n = 0; n < question->communications; n++) {
        const general_communication *c = &question->communication[n];
        double bytes = general_most_bytes(question, c);
        if (general_is_collective(c)) {
            sum += general_collective_most(g, c, i, bytes);
            continue;
        }
        const inlay_communication *t = &question->metasystem->cluster[i].communication[c->pattern];
        double grown = fmax(1, g->available[g->group[i]]);
        sum += fabs(t->c1) + fabs(t->c2) * grown + bytes * (fabs(t->c3) + fabs(t->c4) * grown);
    }
    return sum;
}

static double most_routed(const general_question *question)
{
    const general_ways *ways = &question->ways;
    size_t pairs = ways->uniform ? 1 : (size_t)ways->clusters * (size_t)ways->clusters;
    double sum = 0;
    for (int32_t n = 0; n < question->communications; n++) {
        double bytes = general_most_bytes(question, &question->communication[n]);
        double most = 0;
        for (size_t p = 0; p < pairs; p++) {
            general_price price = ways->uniform ? ways->price : ways->between[p];
            most = fmax(most, general_price_of(price, bytes));
        }
        bool all = general_is_collective(&question->communication[n]);
        sum += 2 * most *
               (all ? COLLECTIVE_MOST * question->communication[n].sizes * (double)question->available
                    : ways->clusters * largest(question->communication[n].messages, question->rows));
    }
    return sum;
}

static int check_range(const select_model *model, inlay_diag *diag)
{
    const select_general *g = model->general;
    char room[SELECT_NAME];
    double sum = most_routed(g->question);
    double speed = 0;
    for (int32_t i = 0; i < model->clusters; i++) {
        if (model->most[i] == 0) {
            continue;
        }
        double own = longest_computation(g->question, i) + longest_communication(g, i);
        if (!isfinite(own) || !(model->unit_time[i] > 0)) {
            return diag_fail(diag, INLAY_OVERFLOW, "times of %s are too large or too small for a number",
                             select_called(model, i, room));
        }
        sum += own;
        speed += model->rate[i] * model->most[i];
    }
    if (!isfinite(sum) || !isfinite(speed)) {
        return diag_fail(diag, INLAY_OVERFLOW, "the times of all clusters together are too large for a number");
    }
    return INLAY_OK;
}

/* ---- The model ---- */

static bool make_joins(const general_question *question, select_general *g)
{
    const double infinity = INFINITY;
    double least[2] = {infinity, infinity};
    double most[2] = {0, 0};
    for (int32_t n = 0; n < question->communications; n++) {
        const general_communication *c = &question->communication[n];
        if (general_is_collective(c)) {
            continue;
        }
        int tree = c->pattern == INLAY_PATTERN_TREE;
        for (int32_t row = 0; row < question->rows; row++) {
            least[tree] = fmin(least[tree], c->fixed[row]);
        }
        most[tree] = fmax(most[tree], general_most_bytes(question, c));
    }
    if (question->terms.router == INLAY_SELECT_CHAIN) {
        return true; /* paid by number: nothing is to be found */
    }
    return (least[0] == infinity || general_join_make(&question->ways, true, least[0], most[0], &g->chain)) &&
           (least[1] == infinity || general_join_make(&question->ways, false, least[1], most[1], &g->tree));
}

static bool make_room(const general_question *question, select_model *model)
{
    size_t m = (size_t)question->clusters;
    select_general *g = model->general = memory_zeroed(1, sizeof *model->general);
    if (g == NULL) {
        return false;
    }
    g->question = question;
    g->group = pool_array(&g->arrays, m, sizeof *g->group);
    g->available = pool_zeroed(&g->arrays, m, sizeof *g->available);
    g->share = pool_zeroed(&g->arrays, m, sizeof *g->share);
    g->time = pool_zeroed(&g->arrays, m, sizeof *g->time);
    g->group_time = pool_array(&g->arrays, m, sizeof *g->group_time);
    g->together = pool_array(&g->arrays, m, sizeof *g->together);
    g->used = pool_array(&g->arrays, m, sizeof *g->used);
    return !g->arrays.failed && select_model_room(model) && group_clusters(question, g) && make_logarithms(g) &&
           general_collective_room(g) && make_joins(question, g);
}

static void set_terms(const general_question *question, select_model *model)
{
    bool rings = true;
    for (int32_t n = 0; n < question->communications; n++) {
        rings = rings && question->communication[n].pattern == INLAY_PATTERN_RING;
    }
    /* of the patterns, boxes alone ask whether all of T_comm is a sum */
    model->topology = rings ? INLAY_PATTERN_RING : INLAY_PATTERN_LINE;
    model->map = question->terms.map;
    model->router = question->terms.router;
    model->units = question->units;
    model->work = (double)question->units;
    for (int32_t i = 0; i < question->clusters; i++) {
        model->most[i] = question->most[i];
        model->name[i] = question->metasystem->cluster[i].name;
    }
}

int general_model_make(const general_question *question, select_model *model, inlay_diag *diag)
{
    *model = (select_model){.clusters = question->clusters};
    for (int32_t i = 0; i < question->clusters; i++) {
        model->processors += question->most[i];
    }
    if (!make_room(question, model)) {
        return diag_no_memory(diag);
    }
    set_terms(question, model);
    study_weights(question, model->general, model);
    model->general->one_speed = one_speed(question);
    set_rates(question, 0, model->general->one_speed, model);
    select_model_study_rates(model);
    model->whole_rates = model->whole_rates && model->general->one_speed; /* others are whole by chance */
    return check_range(model, diag);
}

void general_model_clear(select_general *general)
{
    pool_clear(&general->arrays);
    general_join_clear(&general->chain);
    general_join_clear(&general->tree);
    if (general->bounds != NULL) {
        general_bounds_clear(general->bounds);
    }
    free(general);
}
