/* The cost of a configuration where equations 1 to 9 are not all there is to it. */
#include "select/general.h"
#include <math.h>

/* ---- Shares ---- */

/* The most units that a processor of each cluster has. */
static void share_out(const select_model *model, const int32_t *processors)
{
    const select_map *map = &model->scratch;
    double *share = model->general->share;
    select_shares(model, processors);
    for (int32_t i = 0; i < model->clusters; i++) {
        if (processors[i] > 0) {
            share[i] = model->map == INLAY_SELECT_REAL ? map->share[i] : (double)(map->whole[i] + (map->extra[i] > 0));
        }
    }
}

/* ---- Communication ---- */

double general_time(const select_general *general, const general_communication *communication, int32_t cluster,
                    int32_t together, double bytes)
{
    if (general_is_collective(communication)) {
        return 0; /* nothing of it belongs to one cluster */
    }
    const inlay_communication *t =
        &general->question->metasystem->cluster[cluster].communication[communication->pattern];
    double grown = t->growth == INLAY_GROWTH_LINEAR ? together
                   : t->growth == INLAY_GROWTH_LOG2 ? general->logarithm[together]
                                                    : 1;
    return t->c1 + bytes * t->c3 + (t->c2 + bytes * t->c4) * grown;
}

/* Lists the clusters in use and counts the processors of their networks. */
static int32_t list_used(const select_model *model, const int32_t *processors)
{
    const select_general *g = model->general;
    int32_t count = 0;
    for (int32_t n = 0; n < g->groups; n++) {
        g->together[n] = 0;
    }
    for (int32_t i = 0; i < model->clusters; i++) {
        if (processors[i] > 0) {
            g->used[count++] = i;
            g->together[g->group[i]] += processors[i];
        }
    }
    return count;
}

static double bytes_of(const general_communication *c, int32_t row, double share)
{
    return c->fixed[row] + c->per_unit[row] * share;
}

static double largest_message(const select_general *g, const general_communication *c, int32_t row, int32_t used)
{
    double bytes = c->fixed[row];
    for (int32_t n = 0; c->per_unit[row] > 0 && n < used; n++) {
        bytes = fmax(bytes, bytes_of(c, row, g->share[g->used[n]]));
    }
    return bytes;
}

/* What the n-th cluster in use pays to its neighbours in the chain by number. */
static double to_neighbours(const select_general *g, int32_t n, int32_t used, double bytes)
{
    const general_ways *ways = &g->question->ways;
    double sum = 0;
    if (n > 0) {
        sum += general_price_of(general_way(ways, g->used[n - 1], g->used[n]), bytes);
    }
    if (n + 1 < used) {
        sum += general_price_of(general_way(ways, g->used[n], g->used[n + 1]), bytes);
    }
    return sum;
}

/* T of each network, the largest of its clusters'; adds T_i to g->time. */
static void time_groups(const select_general *g, const general_communication *c, int32_t row, int32_t used,
                        double routed_bytes)
{
    bool chain = g->question->terms.router == INLAY_SELECT_CHAIN;
    for (int32_t n = 0; n < g->groups; n++) {
        g->group_time[n] = -INFINITY; /* T_i may be below 0 */
    }
    for (int32_t n = 0; n < used; n++) {
        int32_t i = g->used[n];
        int32_t group = g->group[i];
        double time = general_time(g, c, i, g->together[group], bytes_of(c, row, g->share[i]));
        g->time[i] += time;
        if (chain) {
            time += c->messages[row] * to_neighbours(g, n, used, routed_bytes);
        }
        g->group_time[group] = fmax(g->group_time[group], time);
    }
}

/* EQ 3 over the networks. */
static double over_groups(const select_general *g, inlay_pattern pattern)
{
    double largest = -INFINITY;
    double second = -INFINITY;
    double sum = 0;
    for (int32_t n = 0; n < g->groups; n++) {
        double time = g->group_time[n];
        if (g->together[n] == 0) {
            continue;
        }
        sum += time;
        if (time > largest) {
            second = largest;
            largest = time;
        } else if (time > second) {
            second = time;
        }
    }
    switch (pattern) {
    case INLAY_PATTERN_RING: return sum;
    case INLAY_PATTERN_TREE: return largest + (second > -INFINITY ? second : 0);
    default: return largest;
    }
}

static double communicate(select_general *g, const general_communication *c, int32_t row, int32_t used)
{
    double bytes = largest_message(g, c, row, used);
    if (general_is_collective(c)) {
        return general_collective(g, c, used, bytes);
    }
    time_groups(g, c, row, used, bytes);
    double time = over_groups(g, c->pattern);
    if (g->question->terms.router == INLAY_SELECT_SUM) {
        general_join *join = c->pattern == INLAY_PATTERN_TREE ? &g->tree : &g->chain;
        time += c->messages[row] * general_join_cost(join, g->used, used, bytes);
    }
    return time;
}

/* ---- Computation ---- */

static double compute(const select_general *g, const general_computation *c, int32_t row, int32_t used)
{
    double time = 0;
    for (int32_t n = 0; n < used; n++) {
        int32_t i = g->used[n];
        time = fmax(time, (c->fixed[row] + c->per_unit[row] * g->share[i]) * c->time[i]);
    }
    return time;
}

/* ---- The cycle ---- */

/* Leaves the map in the model's scratch room and T_i in g->time. */
general_times general_evaluate(const select_model *model, const int32_t *processors)
{
    select_general *g = model->general;
    const general_question *question = g->question;
    double beside[INLAY_DOMAIN_PHASES] = {0};
    general_times times = {0};
    int64_t total = select_total(model, processors);
    if (total == 0) {
        return times;
    }
    int32_t row = general_row(question, total);
    general_set_row(model, row);
    share_out(model, processors);
    int32_t used = list_used(model, processors);
    for (int32_t n = 0; n < used; n++) {
        g->time[g->used[n]] = 0;
    }
    /* a lone processor has nobody to exchange messages with */
    for (int32_t n = 0; total > 1 && n < question->communications; n++) {
        const general_communication *c = &question->communication[n];
        double time = communicate(g, c, row, used);
        times.communication += time;
        if (c->overlap >= 0) {
            beside[c->overlap] += time;
        } else {
            times.cycle += time;
        }
    }
    for (int32_t n = 0; n < question->computations; n++) {
        double time = compute(g, &question->computation[n], row, used);
        times.computation += time;
        times.cycle += fmax(time, beside[n]);
    }
    return times;
}

const collective *general_algorithm(const select_model *model, int32_t communication, const int32_t *processors)
{
    const general_communication *c = &model->general->question->communication[communication];
    if (!general_is_collective(c) || select_total(model, processors) < 2) {
        return NULL;
    }
    (void)general_evaluate(model, processors);
    select_general *g = model->general;
    int32_t used = list_used(model, processors);
    int32_t row = general_row(g->question, select_total(model, processors));
    return general_collective_chosen(g, c, used, largest_message(g, c, row, used));
}

const double *general_cluster_times(const select_model *model, const int32_t *processors)
{
    (void)general_evaluate(model, processors);
    return model->general->time;
}
