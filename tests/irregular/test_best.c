/*
 * The default method and its steps, against sums over whole matrices and exhaustive search. What happens on one rank only is
 * tested where there is one.
 */
#include "base/memory.h"
#include "harness.h"
#include "irregular/partition/kway_evolve.h"
#include "whole_graph.h"
#include <inlay/irregular_partition.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 9 };

/* ---- Graphs, and what partitions of them are worth ---- */

static void set_load(uint64_t *state, whole *w, uint64_t most, bool zeros)
{
    w->unit = false;
    for (int32_t i = 0; i < w->n; i++) {
        w->load[i] = (int64_t)harness_draw(state, most + zeros) + !zeros;
    }
}

/* Of many kinds: in pieces, with loads and without, of load 0, stars, grids. */
static whole *draw_graph(uint64_t *state, int32_t n, int round)
{
    int32_t wide = n < 20 ? 1 : n / 10;
    whole *w = round % 6 == 3   ? whole_grid(n / wide, wide, 1, 0)
               : round % 6 == 2 ? whole_empty(n)
                                : whole_random(state, n, round % 6, round % 2 == 0 ? 1 : 12, round % 6 == 1);
    for (int32_t i = 1; i < w->n && round % 6 == 2; i++) {
        w->weight[0][i] = w->weight[i][0] = 1 + (int64_t)harness_draw(state, 3);
    }
    if (round % 6 == 2) {
        set_load(state, w, 3, round % 12 == 2);
    }
    return w;
}

static kway_graph graph_of(const whole *w)
{
    size_t n = (size_t)w->n;
    kway_graph g = {.vertices = w->n, .weights = 1};
    g.start = pool_zeroed(&g.arrays, n + 1, sizeof *g.start);
    g.load = pool_array(&g.arrays, n, sizeof *g.load);
    g.neighbour = pool_array(&g.arrays, n * n, sizeof *g.neighbour);
    g.weight = pool_array(&g.arrays, n * n, sizeof *g.weight);
    for (int32_t v = 0; v < w->n; v++) {
        g.load[v] = w->load[v];
        g.start[v + 1] = g.start[v];
        for (int32_t u = w->n; u-- > 0;) { /* descending: no order is promised */
            if (w->weight[v][u] > 0) {
                g.neighbour[g.start[v + 1]] = u;
                g.weight[g.start[v + 1]++] = w->weight[v][u];
            }
        }
    }
    return g;
}

/* Of w->part. */
static kway_worth worth_by_hand(const whole *w, const kway_goal *goal)
{
    kway_worth worth = {0, whole_cut(w)};
    for (int32_t p = 0; p < goal->parts; p++) {
        int64_t over = whole_part_load(w, p) - goal->limit[p];
        worth.excess += over > 0 ? over : 0;
    }
    return worth;
}

static bool in_range(const whole *w, int32_t parts)
{
    bool in = true;
    for (int32_t v = 0; v < w->n; v++) {
        in &= w->part[v] >= 0 && w->part[v] < parts;
    }
    return in;
}

/* A partition that keeps the limits; some of them leave no room. */
static void draw_partition(uint64_t *state, whole *w, int32_t parts, uint64_t loose, int64_t *limit)
{
    for (int32_t v = 0; v < w->n; v++) {
        w->part[v] = (int32_t)harness_draw(state, (uint64_t)parts);
    }
    for (int32_t p = 0; p < parts; p++) {
        limit[p] = whole_part_load(w, p) + (int64_t)harness_draw(state, loose);
    }
}

static void fair_limits(const whole *w, int32_t parts, double imbalance, int64_t *limit)
{
    double average = (double)whole_load(w) / parts;
    for (int32_t p = 0; p < parts; p++) {
        limit[p] = (int64_t)fmax(floor((1 + imbalance) * average + 1e-9), ceil(average));
    }
}

/* ---- Contraction ---- */

static bool may_join(const whole *w, const int64_t *label, int64_t heaviest, int32_t u, int32_t v)
{
    return w->load[u] + w->load[v] <= heaviest && (label == NULL || label[u] == label[v]);
}

static bool near(const whole *w, int32_t u, int32_t v)
{
    bool found = w->weight[u][v] > 0;
    for (int32_t x = 0; x < w->n && !found; x++) {
        found = w->weight[u][x] > 0 && w->weight[x][v] > 0;
    }
    return found;
}

/* Pairs are such as are allowed, and no two neighbours are left that could be one. */
static void check_pairs(harness *h, const whole *w, const int64_t *label, int64_t heaviest, const int32_t *coarse,
                        int32_t made)
{
    int32_t members[WHOLE_MOST] = {0};
    for (int32_t v = 0; v < w->n; v++) {
        check(h, coarse[v] >= 0 && coarse[v] < made);
        members[coarse[v]]++;
    }
    for (int32_t c = 0; c < made; c++) {
        check(h, members[c] == 1 || members[c] == 2);
    }
    for (int32_t v = 0; v < w->n; v++) {
        for (int32_t u = 0; u < v; u++) {
            if (coarse[u] == coarse[v]) {
                check(h, may_join(w, label, heaviest, u, v) && near(w, u, v));
            } else if (w->weight[u][v] > 0 && members[coarse[u]] == 1 && members[coarse[v]] == 1) {
                check(h, !may_join(w, label, heaviest, u, v));
            }
        }
    }
}

/* The graph is what the vertices' numbers make of w; those of number -1 are left out. */
static void check_sums(harness *h, const whole *w, const int32_t *number, const kway_graph *g)
{
    static int64_t sum[WHOLE_MOST][WHOLE_MOST];
    int64_t load[WHOLE_MOST] = {0};
    memset(sum, 0, sizeof sum);
    for (int32_t v = 0; v < w->n; v++) {
        for (int32_t u = 0; u < w->n && number[v] >= 0; u++) {
            if (number[u] >= 0 && number[u] != number[v]) {
                sum[number[v]][number[u]] += w->weight[v][u];
            }
        }
        load[number[v] < 0 ? WHOLE_MOST - 1 : number[v]] += w->load[v];
    }
    check(h, g->start[0] == 0);
    for (int32_t c = 0; c < g->vertices; c++) {
        check(h, g->load[c] == load[c]);
        for (int64_t a = g->start[c]; a < g->start[c + 1]; a++) {
            int32_t d = g->neighbour[a];
            if (check(h, d >= 0 && d < g->vertices && d != c)) {
                check(h, g->weight[a] > 0 && g->weight[a] == sum[c][d]);
                sum[c][d] = 0; /* it comes once */
            }
        }
        for (int32_t d = 0; d < g->vertices; d++) {
            check(h, sum[c][d] == 0);
        }
    }
}

static void contraction(harness *h)
{
    uint64_t state = 41;
    for (int round = 0; round < 48; round++) {
        int32_t coarse[WHOLE_MOST];
        int64_t drawn[WHOLE_MOST], heaviest = round % 4 == 0 ? 1000 : (int64_t)harness_draw(&state, 8);
        const int64_t *label = round % 5 == 0 ? NULL : drawn;
        whole *w = draw_graph(&state, (int32_t)harness_draw(&state, 60) + 1, round);
        kway_graph g = graph_of(w), coarser = {.vertices = 0};
        harness_case(h, "contraction, round %d, %d vertices", round, (int)w->n);
        for (int32_t v = 0; v < w->n; v++) {
            drawn[v] = (int64_t)harness_draw(&state, 2) << 40;
        }
        if (check_ok(h, kway_coarsen(&g, label, &heaviest, state, coarse, &coarser, h->diag))) {
            check_pairs(h, w, label, heaviest, coarse, coarser.vertices);
            check_sums(h, w, coarse, &coarser);
            bool star = round % 6 == 2 && heaviest == 1000 && label == NULL; /* which shrinks, too */
            check(h, !star || coarser.vertices <= w->n / 2 + 1);
        }
        kway_graph_clear(&coarser);
        kway_graph_clear(&g);
        whole_free(w);
    }
}

static void extraction(harness *h)
{
    uint64_t state = 43;
    for (int round = 0; round < 24; round++) {
        int32_t side[WHOLE_MOST], member[WHOLE_MOST], number[WHOLE_MOST], count = 0;
        whole *w = draw_graph(&state, (int32_t)harness_draw(&state, 40) + 1, round);
        kway_graph g = graph_of(w), part = {.vertices = 0};
        harness_case(h, "a side taken out, round %d", round);
        for (int32_t v = 0; v < w->n; v++) {
            side[v] = (int32_t)harness_draw(&state, round % 4 == 0 ? 1 : 3);
            number[v] = side[v] == round % 3 ? count++ : -1;
        }
        if (check_ok(h, kway_extract(&g, side, round % 3, member, &part, h->diag)) &&
            check(h, part.vertices == count)) {
            for (int32_t v = 0; v < w->n; v++) {
                check(h, number[v] < 0 || member[number[v]] == v);
            }
            check_sums(h, w, number, &part);
        }
        kway_graph_clear(&part);
        kway_graph_clear(&g);
        whole_free(w);
    }
}

/* ---- Improvement ---- */

/* What is in w->part is no worse than what was, and no part that had a load has none. */
static kway_worth check_no_worse(harness *h, const whole *w, const kway_graph *g, const kway_goal *goal,
                                 kway_worth before, const int64_t *load)
{
    int64_t now[MOST_PARTS];
    check(h, in_range(w, goal->parts));
    kway_worth worth = worth_by_hand(w, goal), told = kway_worth_of(g, goal, w->part, now);
    check(h, told.cut == worth.cut && told.excess == worth.excess);
    check(h, !kway_better(before, worth));
    for (int32_t p = 0; p < goal->parts; p++) {
        check(h, now[p] == whole_part_load(w, p));
        check(h, load == NULL || load[p] == 0 || now[p] > 0);
    }
    return worth;
}

/* The least cut of all partitions in two that keep the limits; few vertices. */
static int64_t least_cut(whole *w, const kway_goal *goal)
{
    int32_t kept[WHOLE_MOST];
    int64_t best = INT64_MAX;
    memcpy(kept, w->part, sizeof kept);
    for (unsigned set = 0; set < 1U << w->n; set++) {
        for (int32_t v = 0; v < w->n; v++) {
            w->part[v] = (int32_t)(set >> v & 1);
        }
        kway_worth worth = worth_by_hand(w, goal);
        best = worth.excess == 0 && worth.cut < best ? worth.cut : best;
    }
    memcpy(w->part, kept, sizeof kept);
    return best;
}

static void improvement(harness *h)
{
    uint64_t state = 47;
    int better[2] = {0, 0};
    for (int round = 0; round < 120; round++) {
        bool flow = round % 2 == 1, small = round % 3 == 0;
        int64_t limit[MOST_PARTS], load[MOST_PARTS];
        kway_goal goal = {small ? 2 : (int32_t)harness_draw(&state, 5) + 2, limit, NULL};
        whole *w = draw_graph(&state, (int32_t)harness_draw(&state, small ? 9 : 90) + 2, round / 2);
        kway_graph g = graph_of(w);
        harness_case(h, "%s, round %d, %d parts of %d vertices", flow ? "flows" : "searches", round, (int)goal.parts,
                     (int)w->n);
        draw_partition(&state, w, goal.parts, round % 5 == 0 ? 1 : 12, limit);
        kway_worth before = worth_by_hand(w, &goal);
        kway_worth_of(&g, &goal, w->part, load);
        check_ok(h, flow ? kway_flow(&g, &goal, w->part, h->diag) : kway_refine(&g, &goal, state, w->part, h->diag));
        kway_worth worth = check_no_worse(h, w, &g, &goal, before, load);
        check(h, worth.excess == 0);
        check(h, !small || worth.cut >= least_cut(w, &goal));
        better[flow] += worth.cut < before.cut;
        kway_graph_clear(&g);
        whole_free(w);
    }
    harness_case(h, "searches and flows that find something");
    check(h, better[0] > 30 && better[1] > 30);
}

/* Two cliques, joined by one edge; the boundary begins inside the first, whose vertices before it may be too heavy to move. */
static void bridge(harness *h)
{
    for (int32_t round = 0; round < 10; round++) {
        int32_t begin = round % 5 + 4, heavy = round < 5 ? 1 : 10;
        const int64_t limit[2] = {heavy * begin + 8 - begin, 16 - begin};
        const kway_goal goal = {2, limit, NULL};
        whole *w = whole_empty(16);
        for (int32_t v = 0; v < 16; v++) {
            for (int32_t u = 0; u < 16; u++) {
                w->weight[v][u] = (u != v && u / 8 == v / 8) || (u + v == 15 && abs(u - v) == 1);
            }
            w->part[v] = v >= begin;
            w->load[v] = v < begin ? heavy : 1;
        }
        kway_graph g = graph_of(w);
        harness_case(h, "a flow finds the bridge behind %d vertices of load %d", (int)begin, (int)heavy);
        check_ok(h, kway_flow(&g, &goal, w->part, h->diag));
        check(h, whole_cut(w) == 1 && worth_by_hand(w, &goal).excess == 0);
        kway_graph_clear(&g);
        whole_free(w);
    }
}

/* Parts begin above their limits: with equal loads all come below, with others none is worse. */
static void relief(harness *h)
{
    uint64_t state = 53;
    for (int round = 0; round < 60; round++) {
        int64_t limit[MOST_PARTS];
        bool tight = round % 5 == 4;
        kway_goal goal = {(int32_t)harness_draw(&state, 5) + 2, limit, NULL};
        whole *w = draw_graph(&state, (int32_t)harness_draw(&state, 60) + 2, round);
        kway_graph g = graph_of(w);
        harness_case(h, "relief, round %d, %d parts of %d vertices", round, (int)goal.parts, (int)w->n);
        for (int32_t v = 0; v < w->n; v++) {
            w->part[v] = (int32_t)harness_draw(&state, round % 3 == 0 ? 1 : (uint64_t)goal.parts);
        }
        fair_limits(w, goal.parts, 0, limit);
        if (round % 4 == 0) {
            limit[0] /= 2;
            limit[1] += limit[0] + 1;
        }
        for (int32_t p = 0; p < goal.parts && tight; p++) {
            limit[p] /= 2; /* and some is left above */
        }
        kway_worth before = worth_by_hand(w, &goal);
        check_ok(h, kway_refine(&g, &goal, state, w->part, h->diag));
        kway_worth worth = check_no_worse(h, w, &g, &goal, before, NULL);
        check(h, !w->unit || tight || worth.excess == 0);
        before = worth;
        check_ok(h, kway_flow(&g, &goal, w->part, h->diag));
        check_no_worse(h, w, &g, &goal, before, NULL);
        kway_graph_clear(&g);
        whole_free(w);
    }
}

/* What weighs nothing relieves nothing. */
static void weightless(harness *h)
{
    const int64_t limit[2] = {3, 3};
    const kway_goal goal = {2, limit, NULL};
    whole *w = whole_empty(3);
    w->load[0] = 5;
    w->load[1] = 0;
    w->weight[0][1] = w->weight[1][0] = 5;
    w->weight[1][2] = w->weight[2][1] = 1;
    w->part[2] = 1;
    kway_graph g = graph_of(w);
    harness_case(h, "a vertex of load 0 in a part that is too heavy");
    check_ok(h, kway_refine(&g, &goal, 1, w->part, h->diag));
    check(h, whole_cut(w) == 1 && worth_by_hand(w, &goal).excess == 2);
    kway_graph_clear(&g);
    whole_free(w);
}

/* ---- All levels, and many partitions ---- */

static void levels(harness *h)
{
    uint64_t state = 59;
    for (int round = 0; round < 40; round++) {
        int64_t limit[MOST_PARTS];
        bool large = round % 2 == 0; /* enough for coarser graphs */
        kway_goal goal = {large ? round % 3 + 2 : round % 8 + 2, limit, NULL};
        int32_t n = large ? 250 + (int32_t)harness_draw(&state, 150) : 9 + (int32_t)harness_draw(&state, 40);
        whole *w = draw_graph(&state, n, round / 2);
        int32_t other[WHOLE_MOST];
        fair_limits(w, goal.parts, round % 4 < 2 ? 0.05 : 0, limit);
        kway_graph g = graph_of(w);
        harness_case(h, "levels, round %d, %d parts of %d vertices", round, (int)goal.parts, (int)w->n);
        memset(w->part, 0x55, sizeof w->part);
        check_ok(h, kway_begin(&g, &goal, state, w->part, h->diag));
        kway_worth worth = check_no_worse(h, w, &g, &goal, (kway_worth){INT64_MAX, 0}, NULL);
        check(h, !w->unit || worth.excess == 0);
        check_ok(h, kway_begin(&g, &goal, state + 1, other, h->diag));
        for (int again = 0; again < 8; again++) {
            check_ok(h,
                     kway_again(&g, &goal, state + (uint64_t)again, again % 2 == 0 ? NULL : other, w->part, h->diag));
            worth = check_no_worse(h, w, &g, &goal, worth, NULL);
        }
        kway_graph_clear(&g);
        whole_free(w);
    }
}

/* What a good beginning must find. */
static void squares(harness *h)
{
    for (uint64_t seed = 1; seed < 20; seed += 2) {
        int64_t limit[MOST_PARTS];
        kway_goal goal = {4, limit, NULL};
        whole *w = whole_grid(20, 20, 1, 0);
        kway_graph g = graph_of(w);
        harness_case(h, "%d parts of a square, seed %d", (int)goal.parts, (int)seed);
        fair_limits(w, goal.parts, 0.05, limit);
        check_ok(h, kway_begin(&g, &goal, seed, w->part, h->diag));
        check(h, whole_cut(w) <= 44);
        kway_graph_clear(&g);
        whole_free(w);
    }
}

static void check_population(harness *h, whole *w, const kway_population *p, kway_worth *before)
{
    int best = kway_population_best(p);
    check(h, p->members >= 1 && p->members <= KWAY_POPULATION && best >= 0 && best < p->members);
    for (int i = 0; i < p->members; i++) {
        memcpy(w->part, p->part[i], (size_t)w->n * sizeof *w->part);
        kway_worth worth = worth_by_hand(w, p->goal);
        check(h, in_range(w, p->goal->parts));
        check(h, worth.cut == p->worth[i].cut && worth.excess == p->worth[i].excess);
        check(h, !kway_better(worth, p->worth[best]));
    }
    check(h, !kway_better(*before, p->worth[best]));
    *before = p->worth[best];
}

static void evolution(harness *h)
{
    uint64_t state = 61;
    for (int round = 0; round < 12; round++) {
        int64_t limit[MOST_PARTS];
        kway_goal goal = {round % 5 + 2, limit, NULL};
        whole *w = draw_graph(&state, (int32_t)harness_draw(&state, 120) + 9, round);
        kway_graph g = graph_of(w);
        kway_population p = {.graph = &g, .goal = &goal, .seed = state};
        kway_worth before = {INT64_MAX, INT64_MAX};
        harness_case(h, "generations, round %d, %d parts of %d vertices", round, (int)goal.parts, (int)w->n);
        check(h, kway_population_best(&p) == -1);
        draw_partition(&state, w, goal.parts, 5, limit);
        kway_worth known = worth_by_hand(w, &goal);
        check_ok(h, kway_population_add(&p, w->part, h->diag));
        check_population(h, w, &p, &before);
        check(h, !kway_better(known, before));
        for (int step = 0; step < 30; step++) {
            check_ok(h, kway_population_step(&p, 4, h->diag));
            check_population(h, w, &p, &before);
        }
        check(h, p.members == KWAY_POPULATION);
        for (int more = 0; more < 30; more++) { /* of little worth */
            for (int32_t v = 0; v < w->n; v++) {
                w->part[v] = (int32_t)harness_draw(&state, (uint64_t)goal.parts);
            }
            check_ok(h, kway_population_add(&p, w->part, h->diag));
            check_population(h, w, &p, &before);
        }
        kway_population_clear(&p);
        kway_graph_clear(&g);
        whole_free(w);
    }
}

/* ---- The method ---- */

static inlay_partition_options options_of(int32_t parts, double imbalance, int64_t effort)
{
    return (inlay_partition_options){.parts = parts, .imbalance = imbalance, .seed = 7, .effort = effort};
}

/* Its worth under `limit`, which no part need keep where a method could not. */
static bool run(harness *h, whole *w, inlay_partition_options o, const char *method, kway_worth *worth)
{
    int64_t limit[WHOLE_MOST];
    o.method = method;
    fair_limits(w, o.parts, o.imbalance, limit);
    memset(w->share_part, 0x55, (size_t)w->share.rows * sizeof *w->share_part);
    bool done = check_ok(h, inlay_partition(&w->share, &o, w->share_part, h->diag));
    if (done) {
        whole_collect_parts(w);
        *worth = worth_by_hand(w, &(kway_goal){o.parts, limit, NULL});
    }
    return done;
}

/* In range, none empty, none above what is accepted; twice the same, where no clock decides. */
static bool check_best(harness *h, whole *w, const inlay_partition_options *o, kway_worth *worth)
{
    int32_t first[WHOLE_MOST];
    double average = (double)whole_load(w) / o->parts, finer = (double)whole_heaviest(w) * (1 - 1.0 / o->parts);
    double most = fmax(fmax((1 + o->imbalance) * average + 1e-9, average + finer), ceil(average));
    if (!run(h, w, *o, "best", worth) || !check(h, in_range(w, o->parts))) {
        return false;
    }
    for (int32_t p = 0; p < o->parts; p++) {
        check(h, whole_part_present(w, p) && (o->target != NULL || (double)whole_part_load(w, p) <= most));
    }
    memcpy(first, w->part, sizeof first);
    bool again = o->seconds > 0 || run(h, w, *o, NULL, worth);
    return again && check(h, o->seconds > 0 || memcmp(first, w->part, (size_t)w->n * sizeof *first) == 0);
}

static void against_others(harness *h)
{
    static const char *const others[] = {"ptscotch", "rsb", "metis"};
    static const int64_t effort[] = {-1, 0, 5};
    uint64_t state = 67;
    for (int round = 0; round < (h->ranks > 3 ? 6 : 18); round++) {
        whole *w = draw_graph(&state, (int32_t)harness_draw(&state, 250) + 50, round * 5 / 3);
        int32_t parts = (int32_t)harness_draw(&state, 8) + 2;
        inlay_partition_options o = options_of(parts, round / 3 % 2 == 0 ? 0.03 : 0.6, effort[round % 3]);
        kway_worth best, worth;
        harness_case(h, "the best of all, round %d, %d parts of %d vertices", round, (int)parts, (int)w->n);
        if (round % 2 == 0) {
            whole_share_blocks(h, w);
        } else {
            whole_share_at_random(h, w, &state);
        }
        bool made = check_best(h, w, &o, &best);
        for (size_t i = 0; i < (h->ranks == 1 ? 3 : 2) && made; i++) {
            check(h, !run(h, w, o, others[i], &worth) || !kway_better(worth, best));
        }
        whole_free(w);
    }
}

static void corners(harness *h)
{
    uint64_t state = 71;
    const double target[4] = {1, 2, 3, 4};
    kway_worth worth;
    whole *none = whole_empty(30), *square = whole_grid(20, 20, 1, 0), *few = whole_grid(7, 1, 1, 0);
    whole *idle = whole_random(&state, 30, 4, 1, false);
    memset(idle->load, 0, sizeof idle->load);
    idle->unit = false;
    whole_share_at_random(h, none, &state);
    whole_share_at_random(h, square, &state);
    whole_share_at_random(h, idle, &state);
    whole_share_blocks(h, few); /* on eight ranks one has none */
    harness_case(h, "no edges");
    inlay_partition_options o = options_of(4, 0.05, 5);
    check(h, check_best(h, none, &o, &worth) && worth.cut == 0 && worth.excess == 0);
    harness_case(h, "no loads");
    check_best(h, idle, &o, &worth);
    harness_case(h, "one part, and one a vertex");
    o = options_of(1, 0.05, 0);
    check(h, check_best(h, square, &o, &worth) && worth.cut == 0);
    o.parts = 7;
    check(h, check_best(h, few, &o, &worth) && worth.cut == 6);
    harness_case(h, "some time, and what is known of a square");
    o = options_of(4, 0.05, 0);
    o.seconds = 0.05;
    check_best(h, square, &o, &worth);
    o.seconds = 0;
    check(h, check_best(h, square, &o, &worth) && worth.excess == 0 && worth.cut <= 40);
    harness_case(h, "parts that shall not weigh the same");
    o.target = target;
    check_best(h, square, &o, &worth);
    for (int32_t p = 0; p < 4; p++) {
        check(h, (double)whole_part_load(square, p) <= 1.05 * 40 * target[p] + 1e-9);
    }
    whole_free(none);
    whole_free(square);
    whole_free(idle);
    whole_free(few);
}

static void heavy(harness *h)
{
    whole *w = whole_grid(7, 1, 1, 0);
    w->unit = false;
    for (int32_t v = 0; v < 7; v++) {
        w->load[v] = (int64_t)1 << 58;
    }
    whole_share_blocks(h, w);
    harness_case(h, "loads whose limits together are beyond 64 bits");
    inlay_partition_options o = options_of(6, 1e6, 5);
    if (check_ok(h, inlay_partition(&w->share, &o, w->share_part, h->diag))) {
        whole_collect_parts(w);
        check(h, in_range(w, 6) && whole_cut(w) == 5);
    }
    whole_free(w);
}

void suite_best(harness *h);

void suite_best(harness *h)
{
    if (h->ranks == 1) {
        contraction(h);
        extraction(h);
        improvement(h);
        bridge(h);
        relief(h);
        weightless(h);
        levels(h);
        squares(h);
        evolution(h);
    }
    against_others(h);
    corners(h);
    heavy(h);
}
