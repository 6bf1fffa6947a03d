/* The way down to the smallest graph and up again. */
#include "base/diag.h"
#include "base/splitmix.h"
#include "irregular/partition/kway.h"
#include <inlay/irregular_graph.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMALLEST = 80,  /* vertices of the smallest graph */
    OF_A_PART = 60, /* and at least so many a part, where there are several */
    TRIES = 8,      /* at a bisection, and at first partitions in few parts */
    FEW_PARTS = 16
};

/* The functions of this file call each other: once a level, and once a bisection; both as the logarithm of something. */
static int begin(const kway_graph *g, const kway_goal *goal, uint64_t seed, int tries, int32_t *part, inlay_diag *diag);

static int64_t total_load(const kway_graph *g, int32_t weight)
{
    int64_t sum = 0;
    for (int32_t v = 0; v < g->vertices; v++) {
        sum += kway_load(g, v)[weight];
    }
    return sum;
}

static int32_t smallest(int32_t parts)
{
    return parts <= 2 ? SMALLEST : parts > INT32_MAX / OF_A_PART ? INT32_MAX : OF_A_PART * parts;
}

/* No vertex of a coarser graph shall be more than a small piece of a part. */
static void limit_pairs(const kway_graph *g, const kway_goal *goal, int64_t *heaviest)
{
    for (int32_t w = 0; w < g->weights; w++) {
        heaviest[w] = 1 + (int64_t)(1.5 * (double)total_load(g, w) / smallest(goal->parts));
    }
}

/* ---- Bisections of the smallest graph ---- */

/* What a vertex counts for: its load, or of several weights what they are in common units together. */
static int64_t count_load(const kway_graph *g, const kway_goal *goal, int32_t v)
{
    int64_t sum = 0;
    for (int32_t w = 0; w < g->weights; w++) {
        sum += kway_scaled(goal, w, kway_load(g, v)[w]);
    }
    return sum;
}

/* Side 0 grows breadth first from a drawn vertex until it has its share; from another where it finds no more. */
static void grow(const kway_graph *g, const kway_goal *goal, double part, uint64_t *random, int32_t *queue,
                 int32_t *side)
{
    int32_t read = 0, written = 0;
    int64_t load = 0, total = 0;
    for (int32_t v = 0; v < g->vertices; v++) {
        total += count_load(g, goal, v);
    }
    int64_t share = (int64_t)((double)total * part);
    for (int32_t v = 0; v < g->vertices; v++) {
        side[v] = 1;
    }
    int32_t next = splitmix_below(random, g->vertices);
    while (load < share && written < g->vertices) {
        if (read == written) {
            while (side[next] != 1) {
                next = next + 1 < g->vertices ? next + 1 : 0;
            }
            side[next] = 2;
            queue[written++] = next;
        }
        int32_t v = queue[read++];
        load += count_load(g, goal, v);
        side[v] = 0;
        for (int64_t a = g->start[v]; a < g->start[v + 1]; a++) {
            if (side[g->neighbour[a]] == 1) {
                side[g->neighbour[a]] = 2; /* queued */
                queue[written++] = g->neighbour[a];
            }
        }
    }
    for (int32_t v = 0; v < g->vertices; v++) {
        side[v] = side[v] != 0;
    }
}

static int bisect_smallest(const kway_graph *g, const kway_goal *goal, uint64_t *random, int32_t *side,
                           inlay_diag *diag)
{
    int32_t *queue = memory_array((size_t)g->vertices, sizeof *queue);
    if (queue == NULL) {
        return diag_no_memory(diag);
    }
    double share = 0; /* of several weights that of the first that there is any of: they are alike */
    for (int32_t w = g->weights - 1; w >= 0; w--) {
        double one = (double)goal->limit[w], both = one + (double)goal->limit[g->weights + w];
        share = both > 0 ? one / both : share;
    }
    grow(g, goal, share, random, queue, side);
    free(queue);
    return INLAY_OK;
}

/* ---- Recursive bisection ---- */

/* Each may be all that there is: their sum can be beyond 64 bits. */
static double sum_limits(const kway_goal *goal, const kway_graph *g, int32_t weight, int32_t from, int32_t to)
{
    double sum = 0;
    for (int32_t p = from; p < to; p++) {
        sum += (double)goal->limit[(ptrdiff_t)p * g->weights + weight];
    }
    return sum;
}

/* What parts may weigh above their share is spread over the bisections still to come. limit[]: of side s limit[s x weights] */
static void limit_halves(const kway_goal *goal, const kway_graph *g, int32_t weight, int64_t *limit)
{
    int64_t total = total_load(g, weight);
    int32_t half = goal->parts / 2;
    int levels = 0;
    for (int32_t k = 1; k < goal->parts; k *= 2) {
        levels++;
    }
    double all = sum_limits(goal, g, weight, 0, goal->parts),
           slack = total > 0 ? pow(all / (double)total, 1.0 / levels) : 1;
    for (ptrdiff_t s = 0; s < 2; s++) {
        double most = s == 0 ? sum_limits(goal, g, weight, 0, half) : sum_limits(goal, g, weight, half, goal->parts);
        double fair = all > 0 ? (double)total * most / all : 0;
        limit[s * g->weights] = (int64_t)fmin(fmin(ceil(fair * slack), most), 0x1p62); /* no load is more */
    }
}

/* NOLINTNEXTLINE(misc-no-recursion): the logarithm of the parts deep */
static int split_half(const kway_graph *g, const kway_goal *goal, uint64_t seed, int32_t half, const int32_t *side,
                      int32_t *part, inlay_diag *diag)
{
    int32_t first = half == 0 ? 0 : goal->parts / 2;
    kway_goal below = {half == 0 ? goal->parts / 2 : goal->parts - goal->parts / 2,
                       goal->limit + (ptrdiff_t)first * g->weights, goal->scale};
    kway_graph inner = {.vertices = 0};
    memory_pool scratch = {0};
    int32_t *member = pool_array(&scratch, (size_t)g->vertices, sizeof *member);
    int32_t *chosen = pool_zeroed(&scratch, (size_t)g->vertices, sizeof *chosen);
    int status = scratch.failed ? diag_no_memory(diag) : INLAY_OK;
    status = status == INLAY_OK ? kway_extract(g, side, half, member, &inner, diag) : status;
    if (status == INLAY_OK && below.parts > 1) {
        status = begin(&inner, &below, seed, below.parts == 2 ? TRIES : 1, chosen, diag);
    }
    for (int32_t i = 0; i < inner.vertices && status == INLAY_OK; i++) {
        part[member[i]] = first + chosen[i];
    }
    kway_graph_clear(&inner);
    pool_clear(&scratch);
    return status;
}

/* NOLINTNEXTLINE(misc-no-recursion): the logarithm of the parts deep */
static int bisect_all(const kway_graph *g, const kway_goal *goal, uint64_t seed, int32_t *part, inlay_diag *diag)
{
    int64_t limit[2 * INLAY_MOST_WEIGHTS] = {0};
    kway_goal halves = {2, limit, goal->scale};
    for (int32_t w = 0; w < g->weights; w++) {
        limit_halves(goal, g, w, limit + w);
    }
    int32_t *side = memory_zeroed((size_t)g->vertices, sizeof *side);
    int status = side == NULL ? diag_no_memory(diag) : begin(g, &halves, seed, TRIES, side, diag);
    for (int32_t half = 0; half < 2 && status == INLAY_OK; half++) {
        status = split_half(g, goal, splitmix_hash(seed + (uint64_t)half + 1), half, side, part, diag);
    }
    free(side);
    return status;
}

/* ---- Levels ---- */

/* What is the same all the way. */
typedef struct journey {
    const kway_goal *goal;
    int64_t heaviest[INLAY_MOST_WEIGHTS];
    int tries; /* at the smallest graph */
    inlay_diag *diag;
} journey;

static int travel(const kway_graph *g, const journey *j, uint64_t seed, const int64_t *label, int32_t *part);

/* The best of several; a graph so small costs little. */
/* NOLINTNEXTLINE(misc-no-recursion): the logarithm of the parts deep */
static int solve_smallest(const kway_graph *g, const journey *j, uint64_t seed, int32_t *part)
{
    memory_pool scratch = {0};
    int32_t *made = pool_zeroed(&scratch, (size_t)g->vertices, sizeof *made);
    int64_t *load = pool_array(&scratch, (size_t)j->goal->parts * (size_t)g->weights, sizeof *load);
    kway_worth best = {INT64_MAX, 0};
    int status = scratch.failed ? diag_no_memory(j->diag) : INLAY_OK;
    for (int t = 0; t < j->tries && status == INLAY_OK && g->vertices > 0; t++) {
        status = j->goal->parts == 2 ? bisect_smallest(g, j->goal, &seed, made, j->diag)
                                     : bisect_all(g, j->goal, splitmix_next(&seed), made, j->diag);
        status = status == INLAY_OK ? kway_refine(g, j->goal, seed, made, j->diag) : status;
        kway_worth worth = kway_worth_of(g, j->goal, made, load);
        if (status == INLAY_OK && kway_better(worth, best)) {
            best = worth;
            memcpy(part, made, (size_t)g->vertices * sizeof *part);
        }
    }
    pool_clear(&scratch);
    return status;
}

/* By way of a coarser graph: its part[] and label[] are those of the vertices that it is made of. */
/* NOLINTNEXTLINE(misc-no-recursion): once a level */
static int travel_down(const kway_graph *coarser, const int32_t *coarse, const kway_graph *g, const journey *j,
                       uint64_t seed, const int64_t *label, int32_t *part)
{
    memory_pool scratch = {0};
    int64_t *labels = label == NULL ? NULL : pool_array(&scratch, (size_t)coarser->vertices, sizeof *labels);
    int32_t *parts = pool_zeroed(&scratch, (size_t)coarser->vertices, sizeof *parts);
    int status = scratch.failed ? diag_no_memory(j->diag) : INLAY_OK;
    for (int32_t v = 0; v < g->vertices && status == INLAY_OK && label != NULL; v++) {
        parts[coarse[v]] = part[v];
        labels[coarse[v]] = label[v];
    }
    status = status == INLAY_OK ? travel(coarser, j, seed, labels, parts) : status;
    for (int32_t v = 0; v < g->vertices && status == INLAY_OK; v++) {
        part[v] = parts[coarse[v]];
    }
    pool_clear(&scratch);
    return status;
}

/* NOLINTNEXTLINE(misc-no-recursion): once a level */
static int travel(const kway_graph *g, const journey *j, uint64_t seed, const int64_t *label, int32_t *part)
{
    kway_graph coarser = {.vertices = 0};
    int32_t *coarse = NULL;
    int status = INLAY_OK;
    bool down = g->vertices > smallest(j->goal->parts);
    if (down) {
        coarse = memory_array((size_t)g->vertices, sizeof *coarse);
        status = coarse == NULL ? diag_no_memory(j->diag)
                                : kway_coarsen(g, label, j->heaviest, seed, coarse, &coarser, j->diag);
        down = status == INLAY_OK && coarser.vertices <= g->vertices - g->vertices / 20;
    }
    if (down) {
        status = travel_down(&coarser, coarse, g, j, splitmix_hash(seed), label, part);
    } else if (status == INLAY_OK && label == NULL) {
        status = solve_smallest(g, j, seed, part);
    }
    kway_graph_clear(&coarser);
    free(coarse);
    status = status == INLAY_OK ? kway_refine(g, j->goal, seed, part, j->diag) : status;
    return status == INLAY_OK ? kway_flow(g, j->goal, part, j->diag) : status;
}

/* NOLINTNEXTLINE(misc-no-recursion): the logarithm of the parts deep */
static int begin(const kway_graph *g, const kway_goal *goal, uint64_t seed, int tries, int32_t *part, inlay_diag *diag)
{
    journey j = {.goal = goal, .tries = tries, .diag = diag};
    limit_pairs(g, goal, j.heaviest);
    return travel(g, &j, seed, NULL, part);
}

int kway_begin(const kway_graph *g, const kway_goal *goal, uint64_t seed, int32_t *part, inlay_diag *diag)
{
    return begin(g, goal, seed, goal->parts <= FEW_PARTS ? TRIES : 2, part, diag);
}

int kway_again(const kway_graph *g, const kway_goal *goal, uint64_t seed, const int32_t *other, int32_t *part,
               inlay_diag *diag)
{
    journey j = {.goal = goal, .diag = diag};
    limit_pairs(g, goal, j.heaviest);
    int64_t *label = memory_array((size_t)g->vertices, sizeof *label);
    if (label == NULL) {
        return diag_no_memory(diag);
    }
    for (int32_t v = 0; v < g->vertices; v++) {
        label[v] = (int64_t)part[v] * goal->parts + (other == NULL ? 0 : other[v]);
    }
    int status = travel(g, &j, seed, label, part);
    free(label);
    return status;
}
