/*
 * Patterns that are algorithms. All processors in use take part in every stage, so that the slowest link of a stage
 * counts: the longest of the used clusters' own messages, and where several networks are used the longest between two.
 */
#include "select/general_bounds.h"
#include <math.h>
#include <stdlib.h>

/* ---- Links ---- */

collective_link general_link(const general_question *question, int32_t cluster)
{
    const inlay_communication *ring = &question->metasystem->cluster[cluster].communication[INLAY_PATTERN_RING];
    return (collective_link){ring->c2, ring->c4};
}

bool general_collective_room(select_general *g)
{
    const general_question *question = g->question;
    size_t m = (size_t)question->clusters;
    bool any = false;
    for (int32_t n = 0; n < question->communications; n++) {
        any = any || general_is_collective(&question->communication[n]);
    }
    if (any) {
        g->inside = pool_array(&g->arrays, m, sizeof *g->inside);
        g->between = pool_array(&g->arrays, question->ways.uniform ? 1 : m * m, sizeof *g->between);
    }
    return !g->arrays.failed;
}

static collective_links list_links(const select_general *g, int32_t used)
{
    const general_ways *ways = &g->question->ways;
    collective_links links = {.inside = g->inside, .between = g->between, .insides = (size_t)used};
    for (int32_t a = 0; a < used; a++) {
        g->inside[a] = general_link(g->question, g->used[a]);
        for (int32_t b = 0; b < a && !(ways->uniform && links.betweens > 0); b++) {
            general_price price = general_way(ways, g->used[a], g->used[b]);
            g->between[links.betweens++] = (collective_link){price.latency, price.per_byte};
        }
    }
    return links;
}

/* ---- Time ---- */

static double time_of(const general_communication *c, int64_t p, double bytes, const collective_links *links)
{
    double time = 0;
    for (int32_t s = 0; s < c->sizes; s++) {
        double size = bytes * ((double)(c->sizes - s) / c->sizes);
        double its = 0;
        if (c->algorithm != NULL) {
            its = collective_time(c->algorithm, p, size, links);
        } else {
            (void)collective_cheapest(c->pattern, p, size, links, &its);
        }
        time += its;
    }
    return time;
}

static int64_t count(const select_general *g)
{
    int64_t p = 0;
    for (int32_t n = 0; n < g->groups; n++) {
        p += g->together[n];
    }
    return p;
}

double general_collective(const select_general *g, const general_communication *c, int32_t used, double bytes)
{
    const collective_links links = list_links(g, used);
    double time = time_of(c, count(g), bytes, &links);
    for (int32_t n = 0; n < used; n++) {
        g->time[g->used[n]] += time;
    }
    return time;
}

const collective *general_collective_chosen(const select_general *g, const general_communication *c, int32_t used,
                                            double bytes)
{
    const collective_links links = list_links(g, used);
    return c->algorithm != NULL ? c->algorithm : collective_cheapest(c->pattern, count(g), bytes, &links, NULL);
}

double general_collective_most(const select_general *g, const general_communication *c, int32_t cluster, double bytes)
{
    collective_link link = general_link(g->question, cluster);
    return (link.latency + bytes * link.per_byte) * COLLECTIVE_MOST * c->sizes * (double)g->question->available;
}

/* ---- Bounds ---- */

/*
 * What it takes over links that no cluster's are faster than. Over one link it is a least of sums that are straight in
 * the bytes, so that sizes which shrink take at least what straight lines from none to the largest say.
 */
bool general_collective_bounds(const select_general *g, general_bounds *b, int32_t n)
{
    const general_question *question = g->question;
    const general_communication *c = &question->communication[n];
    general_communication once = *c;
    once.sizes = 1;
    b->best = (collective_link){INFINITY, INFINITY};
    b->processors = 0;
    for (int32_t i = 0; i < question->clusters; i++) {
        if (question->most[i] > 0) {
            collective_link link = general_link(question, i);
            b->best.latency = fmin(b->best.latency, link.latency);
            b->best.per_byte = fmin(b->best.per_byte, link.per_byte);
            b->processors += question->most[i];
        }
    }
    const collective_links best = {.inside = &b->best, .insides = 1};
    double *least = memory_array((size_t)b->processors, sizeof *least);
    for (int32_t p = 1; least != NULL && p <= b->processors; p++) {
        int32_t row = general_row(question, p);
        double bytes = c->fixed[row] + c->per_unit[row] * ((double)question->units / p);
        double full = time_of(&once, p, bytes, &best), empty = c->sizes > 1 ? time_of(&once, p, 0, &best) : full;
        double mean = (c->sizes + 1) / (2.0 * c->sizes);
        least[p - 1] = c->sizes * (mean * full + (1 - mean) * empty) * (1 - 1e-12);
    }
    bool made = least != NULL && general_range_make(&b->collective[n], least, b->processors, 1);
    free(least);
    return made;
}

/* A link takes at least so many times as long as the best. */
static double slower(const general_bounds *b, collective_link link)
{
    double by_latency = b->best.latency > 0 ? link.latency / b->best.latency : INFINITY;
    double by_bytes = b->best.per_byte > 0 ? link.per_byte / b->best.per_byte : INFINITY;
    double times = fmin(by_latency, by_bytes);
    return times < INFINITY ? times : 1;
}

double general_collective_floor(const select_model *model, const int32_t *least, int32_t communication, int32_t i,
                                int64_t from)
{
    const select_general *g = model->general;
    const general_bounds *b = g->bounds;
    double times = 1;
    if (b->floor.all < 2) {
        return 0;
    }
    for (int32_t j = 0; j < model->clusters; j++) {
        if (least[j] > 0 || j == i) {
            times = fmax(times, slower(b, general_link(g->question, j)));
        }
    }
    from = from < 2 ? 2 : from; /* one alone sends nothing, and is known beforehand */
    return times * general_least(&b->collective[communication], b->processors, (int32_t)(from - 1),
                                 (int32_t)(b->floor.all - 1));
}
