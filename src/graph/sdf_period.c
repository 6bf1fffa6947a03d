/* The least time between iterations: the largest cycle ratio of the firings of one. */
#include "base/common_divisor.h"
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "graph/columns.h"
#include "graph/max_cycle_ratio.h"
#include "graph/sdf.h"
#include <stdlib.h>

/* The firings as a graph: a link is as heavy as the firing that it leaves takes time. */
typedef struct firing_graph {
    memory_pool arrays;
    size_t *begin;
    int32_t *to;
    int64_t *weight, *delay;
    int64_t *time; /* by firing, in multiples of 10^-decimals */
    int decimals;
} firing_graph;

static int overflow(const inlay_sdf *sdf, const char *source, inlay_diag *diag)
{
    return diag_fail_at(
        diag, INLAY_OVERFLOW, source, 0,
        "the times of an iteration of dataflow graph '%s' do not fit into 62 bits; expected fewer digits", sdf->name);
}

/* The most decimals of the general times. */
static int decimals_of(const inlay_sdf *sdf)
{
    int most = 0;
    for (size_t i = 0; i < sdf->actors; i++) {
        for (int32_t p = 0; p < sdf->actor[i].phases; p++) {
            inlay_decimal time = decimal_normal(inlay_sdf_time(sdf, (inlay_id)i, p));
            most = time.scale > most ? time.scale : most;
        }
    }
    return most;
}

static int find_times(const inlay_sdf *sdf, const char *source, firing_graph *g, inlay_diag *diag)
{
    int64_t sum = 0;
    g->decimals = decimals_of(sdf);
    for (size_t i = 0; i < sdf->actors; i++) {
        const sdf_actor *actor = &sdf->actor[i];
        for (int64_t f = 0; f < actor->repetitions; f++) {
            int64_t time;
            inlay_decimal given = sdf->time[actor->time + (size_t)(f % actor->phases)];
            if (!decimal_grains(given, g->decimals, &time) || __builtin_add_overflow(sum, time, &sum) ||
                sum > largest_sum) {
                return overflow(sdf, source, diag);
            }
            g->time[actor->first_firing + f] = time;
        }
    }
    return INLAY_OK;
}

static void make_rows(const inlay_sdf *sdf, const sdf_link *links, size_t count, firing_graph *g)
{
    for (size_t l = 0; l < count; l++) {
        g->begin[links[l].from]++;
    }
    for (int32_t f = 0; f < sdf->firings; f++) {
        g->begin[f + 1] += g->begin[f];
    }
    for (size_t l = count; l-- > 0;) {
        size_t at = --g->begin[links[l].from];
        g->to[at] = links[l].to;
        g->weight[at] = g->time[links[l].from];
        g->delay[at] = links[l].iterations;
    }
}

/* weight / delay in units of time, in lowest terms. */
static int set_ratio(inlay_sdf *sdf, const char *source, const cycle_ratio *best, int decimals, inlay_diag *diag)
{
    int64_t above = best->weight, below = best->delay;
    for (int i = 0; i < decimals; i++) {
        int64_t divisor = common_divisor(above, 10);
        above /= divisor;
        if (__builtin_mul_overflow(below, 10 / divisor, &below)) {
            return overflow(sdf, source, diag);
        }
    }
    int64_t divisor = common_divisor(above, below);
    sdf->period.bounded = true;
    sdf->period.numerator = above / divisor;
    sdf->period.denominator = below / divisor;
    return INLAY_OK;
}

/* The actors of the cycle's firings, each once. */
static int set_actors(inlay_sdf *sdf, const cycle_ratio *best, inlay_diag *diag)
{
    bool *seen = memory_zeroed(sdf->actors, sizeof *seen);
    size_t most = (size_t)best->count < sdf->actors ? (size_t)best->count : sdf->actors;
    inlay_id *actor = memory_array(most, sizeof *actor);
    if (seen == NULL || actor == NULL) {
        free(seen);
        free(actor);
        return diag_no_memory(diag);
    }
    inlay_id count = 0;
    for (int32_t i = 0; i < best->count; i++) {
        inlay_id of = sdf_actor_of(sdf, best->node[i]);
        if (!seen[of]) {
            seen[of] = true;
            actor[count++] = of;
        }
    }
    free(seen);
    free((void *)sdf->period.actor);
    sdf->period.actor = actor;
    sdf->period.actors = count;
    return INLAY_OK;
}

int sdf_find_period(inlay_sdf *sdf, const char *source, const sdf_link *links, size_t count, inlay_diag *diag)
{
    firing_graph g = {0};
    cycle_ratio best = {0};
    g.begin = pool_zeroed(&g.arrays, (size_t)sdf->firings + 1, sizeof *g.begin);
    g.to = pool_array(&g.arrays, count, sizeof *g.to);
    g.weight = pool_array(&g.arrays, count, sizeof *g.weight);
    g.delay = pool_array(&g.arrays, count, sizeof *g.delay);
    g.time = pool_array(&g.arrays, (size_t)sdf->firings, sizeof *g.time);
    int status = g.arrays.failed ? diag_no_memory(diag) : find_times(sdf, source, &g, diag);
    if (status == INLAY_OK) {
        make_rows(sdf, links, count, &g);
        const cycle_graph graph = {sdf->firings, g.begin, g.to, g.weight, g.delay};
        status = max_cycle_ratio(&graph, &best) ? INLAY_OK : diag_no_memory(diag);
    }
    if (status == INLAY_OK && best.found) {
        status = set_ratio(sdf, source, &best, g.decimals, diag);
        status = status == INLAY_OK ? set_actors(sdf, &best, diag) : status;
    }
    free(best.node);
    pool_clear(&g.arrays);
    return status;
}
