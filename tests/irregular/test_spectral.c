/* Recursive spectral bisection and its steps, against dense algebra, exhaustive search and counting by hand. */
#include "harness.h"
#include "irregular/partition/partitioner.h"
#include "irregular/partition/spectral_band.h"
#include "irregular/partition/spectral_bisect.h"
#include "irregular/partition/spectral_coarsen.h"
#include "irregular/partition/spectral_fiedler.h"
#include "irregular/partition/spectral_match.h"
#include "irregular/partition/spectral_sweep.h"
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_sort_vector.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A small graph, whole on each rank: weight[a * n + b] of the edge, 0 where there is none. */
typedef struct whole {
    int n;
    int64_t *weight, *load;
} whole;

static whole whole_new(int n)
{
    whole w = {n, calloc((size_t)n * (size_t)n, sizeof(int64_t)), malloc((size_t)n * sizeof(int64_t))};
    for (int i = 0; i < n; i++) {
        w.load[i] = 1;
    }
    return w;
}

static void whole_free(whole *w)
{
    free(w->weight);
    free(w->load);
}

static void join(whole *w, int a, int b, int64_t weight)
{
    w->weight[a * w->n + b] = w->weight[b * w->n + a] = weight;
}

static whole path(int n)
{
    whole w = whole_new(n);
    for (int i = 0; i + 1 < n; i++) {
        join(&w, i, i + 1, 1);
    }
    return w;
}

static whole grid(int nx, int ny)
{
    whole w = whole_new(nx * ny);
    for (int i = 0; i < nx * ny; i++) {
        if (i % nx + 1 < nx) {
            join(&w, i, i + 1, 1);
        }
        if (i / nx + 1 < ny) {
            join(&w, i, i + nx, 1);
        }
    }
    return w;
}

/* Two complete graphs of n vertices with one edge between them. */
static whole dumbbell(int n)
{
    whole w = whole_new(2 * n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            join(&w, i, j, 1);
            join(&w, n + i, n + j, 1);
        }
    }
    join(&w, 0, n, 1);
    return w;
}

/* About `degree` edges a vertex, weights below `weights`, loads below `loads`; connected where `connected`. */
static whole random_graph(uint64_t *state, int n, int degree, int weights, int loads, bool connected)
{
    whole w = whole_new(n);
    for (int e = 0; e < n * degree / 2; e++) {
        int a = (int)harness_draw(state, (uint64_t)n), b = (int)harness_draw(state, (uint64_t)n);
        if (a != b) {
            join(&w, a, b, 1 + (int64_t)harness_draw(state, (uint64_t)weights));
        }
    }
    for (int i = 1; i < n && connected; i++) {
        join(&w, i, (int)harness_draw(state, (uint64_t)i), 1 + (int64_t)harness_draw(state, (uint64_t)weights));
    }
    for (int i = 0; i < n && loads > 1; i++) {
        w.load[i] = (int64_t)harness_draw(state, (uint64_t)loads);
    }
    return w;
}

/* Blocks of drawn sizes, some empty: first[ranks + 1]. */
static void draw_blocks(uint64_t *state, int n, int ranks, int64_t *first)
{
    int *cut = calloc((size_t)n + 1, sizeof *cut);
    for (int r = 1; r < ranks; r++) {
        cut[harness_draw(state, (uint64_t)n + 1)]++;
    }
    first[0] = 0;
    for (int i = 0, r = 1; i <= n; i++) {
        for (; cut[i] > 0; cut[i]--) {
            first[r++] = i;
        }
    }
    first[ranks] = n;
    free(cut);
}

static spectral_level *level_of(harness *h, const whole *w, const int64_t *first)
{
    spectral_rows rows = {0};
    int64_t mine = first[h->rank + 1] - first[h->rank], arcs = 0;
    spectral_rows_room(&rows, mine, mine * w->n);
    for (int64_t i = 0; i < mine; i++) {
        int64_t row = first[h->rank] + i, before = arcs;
        for (int j = 0; j < w->n; j++) {
            if (w->weight[row * w->n + j] > 0) {
                rows.arc[arcs++] = (spectral_arc){j, w->weight[row * w->n + j]};
            }
        }
        rows.row[i] = (spectral_row){row, w->load[row], 1, row, arcs - before};
    }
    rows.arcs = arcs;
    spectral_level *level = NULL;
    check_ok(h, spectral_level_make(h->comm, first, &rows, &level, h->diag));
    spectral_rows_clear(&rows);
    return level;
}

static spectral_level *drawn_level(harness *h, uint64_t *state, const whole *w)
{
    int64_t *first = malloc(((size_t)h->ranks + 1) * sizeof *first);
    draw_blocks(state, w->n, h->ranks, first);
    spectral_level *level = level_of(h, w, first);
    free(first);
    return level;
}

/* all[n] from the rows of all ranks. */
static void gather(const spectral_level *level, const void *mine, void *all, MPI_Datatype type)
{
    int *count = malloc(2 * (size_t)level->ranks * sizeof *count);
    for (int r = 0; r < level->ranks; r++) {
        count[r] = (int)(level->first[r + 1] - level->first[r]);
        count[level->ranks + r] = (int)level->first[r];
    }
    MPI_Allgatherv(mine, level->rows, type, all, count, count + level->ranks, type, level->comm);
    free(count);
}

static uint8_t *gathered_sides(const spectral_level *level, const uint8_t *side)
{
    uint8_t *all = malloc((size_t)level->vertices + 1);
    gather(level, side, all, MPI_UINT8_T);
    return all;
}

static int64_t cut_by_hand(const whole *w, const uint8_t *side)
{
    int64_t cut = 0;
    for (int i = 0; i < w->n; i++) {
        for (int j = 0; j < i; j++) {
            cut += side[i] != side[j] ? w->weight[i * w->n + j] : 0;
        }
    }
    return cut;
}

static int64_t load_by_hand(const whole *w, const uint8_t *side, int of)
{
    int64_t load = 0;
    for (int i = 0; i < w->n; i++) {
        load += side[i] == of ? w->load[i] : 0;
    }
    return load;
}

static spectral_goal halves(const whole *w, double imbalance)
{
    int64_t total = 0;
    for (int i = 0; i < w->n; i++) {
        total += w->load[i];
    }
    int64_t most = (int64_t)((1 + imbalance) * (double)total / 2);
    most = most < (total + 1) / 2 ? (total + 1) / 2 : most;
    return (spectral_goal){{total / 2, total - total / 2}, {most, most}};
}

/* The least cut of all bisections that keep the limits; n <= 16. */
static int64_t least_cut(const whole *w, const spectral_goal *goal)
{
    int64_t best = INT64_MAX;
    uint8_t side[16];
    for (unsigned set = 0; set < 1U << w->n; set++) {
        for (int i = 0; i < w->n; i++) {
            side[i] = (uint8_t)(set >> i & 1);
        }
        if (load_by_hand(w, side, 0) <= goal->limit[0] && load_by_hand(w, side, 1) <= goal->limit[1]) {
            int64_t cut = cut_by_hand(w, side);
            best = cut < best ? cut : best;
        }
    }
    return best;
}

/* ---- Fiedler vectors ---- */

/* The second smallest eigenvalue of the Laplacian, by a dense solver. */
static double dense_value(const whole *w)
{
    size_t n = (size_t)w->n;
    gsl_matrix *l = gsl_matrix_calloc(n, n);
    for (size_t i = 0; i < n; i++) {
        double degree = 0;
        for (size_t j = 0; j < n; j++) {
            gsl_matrix_set(l, i, j, -(double)w->weight[i * n + j]);
            degree += (double)w->weight[i * n + j];
        }
        gsl_matrix_set(l, i, i, degree);
    }
    gsl_vector *values = gsl_vector_alloc(n);
    gsl_eigen_symm_workspace *space = gsl_eigen_symm_alloc(n);
    gsl_eigen_symm(l, values, space);
    gsl_sort_vector(values);
    double value = gsl_vector_get(values, 1);
    gsl_eigen_symm_free(space);
    gsl_vector_free(values);
    gsl_matrix_free(l);
    return value;
}

/* Largest entry of L x - lambda x, the norm of x, and its sum. */
static void check_vector(harness *h, const whole *w, const double *x, double lambda)
{
    double worst = 0, norm = 0, sum = 0;
    for (int i = 0; i < w->n; i++) {
        double r = -lambda * x[i];
        for (int j = 0; j < w->n; j++) {
            r += (double)w->weight[i * w->n + j] * (x[i] - x[j]);
        }
        worst = fmax(worst, fabs(r));
        norm += x[i] * x[i];
        sum += x[i];
    }
    check(h, worst < 1e-5);
    check(h, fabs(norm - 1) < 1e-9);
    check(h, fabs(sum) < 1e-9);
}

static void fiedler_case(harness *h, uint64_t *state, const whole *w, double known)
{
    spectral_level *level = drawn_level(h, state, w);
    double *x = malloc(((size_t)level->rows + (size_t)level->ghosts + 1) * sizeof *x);
    double *all = malloc((size_t)w->n * sizeof *all);
    double lambda = -1;
    spectral_fiedler_draw(level, 5, x);
    check_ok(h, spectral_fiedler_refine(level, 3000, 1e-9, x, &lambda, h->diag));
    check(h, fabs(lambda - known) < 1e-8 * fmax(1, known));
    gather(level, x, all, MPI_DOUBLE);
    check_vector(h, w, all, lambda);
    for (int32_t i = 0; i < level->ghosts; i++) {
        check(h, x[level->rows + i] == all[level->number[level->rows + i]]);
    }
    free(x);
    free(all);
    spectral_level_free(level);
}

static void test_fiedler(harness *h)
{
    uint64_t state = 11;
    harness_case(h, "Fiedler vector of a path, whose value is known");
    whole p = path(60);
    fiedler_case(h, &state, &p, 2 - 2 * cos(acos(-1) / 60));
    whole_free(&p);
    harness_case(h, "Fiedler vector of a square grid, whose value is double");
    whole g = grid(9, 9);
    fiedler_case(h, &state, &g, 2 - 2 * cos(acos(-1) / 9));
    whole_free(&g);
    harness_case(h, "Fiedler vectors of weighted random graphs, beside a dense solver");
    for (int i = 0; i < 10; i++) {
        whole w = random_graph(&state, 5 + (int)harness_draw(&state, 60), 3, 9, 1, true);
        fiedler_case(h, &state, &w, dense_value(&w));
        whole_free(&w);
    }
}

/* ---- Levels, pairs, coarser graphs ---- */

static void check_level(harness *h, const whole *w, const spectral_level *level)
{
    int64_t first = level->first[level->rank];
    for (int32_t i = 0; i < level->rows; i++) {
        const int64_t *row = w->weight + (first + i) * w->n;
        int arcs = 0;
        double degree = 0;
        for (int j = 0; j < w->n; j++) {
            arcs += row[j] > 0;
            degree += (double)row[j];
        }
        check(h, level->start[i + 1] - level->start[i] == arcs);
        check(h, level->degree[i] == degree);
        for (int64_t a = level->start[i]; a < level->start[i + 1]; a++) {
            int64_t number = level->number[level->column[a]];
            check(h, level->weight[a] == row[number]);
            check(h, level->load[level->column[a]] == w->load[number]);
        }
    }
}

/* Partners agree, are neighbours, and no pair is too heavy. */
static void check_pairs(harness *h, const whole *w, const spectral_level *level, int64_t heaviest)
{
    int32_t *partner = malloc(((size_t)level->rows + 1) * sizeof *partner);
    int64_t *number = malloc(((size_t)level->rows + 1) * sizeof *number), *all = malloc((size_t)w->n * sizeof *all);
    check_ok(h, spectral_match(level, heaviest, 3, NULL, partner, h->diag));
    for (int32_t i = 0; i < level->rows; i++) {
        number[i] = level->number[partner[i]];
    }
    gather(level, number, all, MPI_INT64_T);
    for (int i = 0; i < w->n; i++) {
        check(h, all[all[i]] == i);
        check(h, all[i] == i || w->load[i] + w->load[all[i]] <= heaviest);
    }
    /* two neighbours are not both alone, unless they are too heavy */
    for (int i = 0; i < w->n; i++) {
        for (int j = 0; j < w->n; j++) {
            bool both = all[i] == i && all[j] == j && w->weight[i * w->n + j] > 0;
            check(h, !both || w->load[i] + w->load[j] > heaviest);
        }
    }
    free(partner);
    free(number);
    free(all);
}

/* A bisection of the coarser graph costs what it costs when it is carried back. */
static void check_contraction(harness *h, uint64_t *state, const whole *w, spectral_level *level)
{
    spectral_level *coarser = NULL;
    check_ok(h, spectral_coarsen(level, INT64_MAX / 4, 9, NULL, &coarser, h->diag));
    uint8_t *coarse = malloc((size_t)coarser->rows + (size_t)coarser->ghosts + 1);
    uint8_t *fine = malloc((size_t)level->rows + (size_t)level->ghosts + 1);
    uint64_t seed = harness_draw(state, 1000);
    for (int32_t i = 0; i < coarser->rows; i++) {
        coarse[i] = (uint8_t)(spectral_mix(seed + (uint64_t)coarser->number[i]) & 1);
    }
    spectral_goal goal = halves(w, 0.05);
    int64_t load[2][2], mass = 0;
    spectral_worth before = spectral_evaluate(coarser, &goal, coarse, load[0]);
    spectral_project(level, coarse, fine, 1);
    spectral_worth after = spectral_evaluate(level, &goal, fine, load[1]);
    uint8_t *all = gathered_sides(level, fine);
    check(h, before.cut == after.cut && before.cut == cut_by_hand(w, all));
    check(h, load[0][0] == load[1][0] && load[0][0] == load_by_hand(w, all, 0));
    check(h, load[0][1] == load[1][1] && load[0][1] == load_by_hand(w, all, 1));
    for (int32_t i = 0; i < coarser->rows; i++) {
        mass += coarser->mass[i];
    }
    MPI_Allreduce(MPI_IN_PLACE, &mass, 1, MPI_INT64_T, MPI_SUM, h->comm);
    check(h, mass == w->n);
    free(coarse);
    free(fine);
    free(all);
    spectral_level_free(coarser);
}

static void test_levels(harness *h)
{
    uint64_t state = 21;
    harness_case(h, "levels, pairs and contraction of random graphs");
    for (int i = 0; i < 30; i++) {
        whole w =
            random_graph(&state, 1 + (int)harness_draw(&state, 80), (int)harness_draw(&state, 8), 5, 7, i % 2 == 0);
        spectral_level *level = drawn_level(h, &state, &w);
        check_level(h, &w, level);
        check_pairs(h, &w, level, 2 + (int64_t)harness_draw(&state, 10));
        check_contraction(h, &state, &w, level);
        spectral_level_free(level);
        whole_free(&w);
    }
}

static void test_chain(harness *h)
{
    harness_case(h, "a path of rising weights, a star and lonely vertices become half as large");
    for (int kind = 0; kind < 3; kind++) {
        whole w = whole_new(200);
        for (int i = 0; i + 1 < w.n && kind < 2; i++) {
            join(&w, kind == 0 ? i : 0, i + 1, kind == 0 ? 1 + i : 1);
        }
        uint64_t state = 5;
        spectral_level *level = drawn_level(h, &state, &w), *coarser = NULL;
        check_ok(h, spectral_coarsen(level, 1000, 9, NULL, &coarser, h->diag));
        check(h, coarser != NULL && coarser->vertices <= 100 + h->ranks);
        spectral_level_free(coarser);
        spectral_level_free(level);
        whole_free(&w);
    }
}

/* ---- Cuts along an order ---- */

typedef struct placed {
    double x;
    int vertex;
} placed;

static int by_x(const void *a, const void *b)
{
    double x = ((const placed *)a)->x, y = ((const placed *)b)->x;
    return (x > y) - (x < y);
}

/* All thresholds, one after the other. */
static int64_t best_threshold(const whole *w, const spectral_goal *goal, const double *x)
{
    placed *order = malloc((size_t)w->n * sizeof *order);
    uint8_t *side = malloc((size_t)w->n);
    int64_t best = INT64_MAX;
    for (int i = 0; i < w->n; i++) {
        order[i] = (placed){x[i], i};
    }
    qsort(order, (size_t)w->n, sizeof *order, by_x);
    for (int turned = 0; turned < 2; turned++) {
        memset(side, 1 - turned, (size_t)w->n);
        for (int i = 0; i < w->n; i++) {
            side[order[i].vertex] = (uint8_t)turned;
            if (load_by_hand(w, side, 0) <= goal->limit[0] && load_by_hand(w, side, 1) <= goal->limit[1]) {
                int64_t cut = cut_by_hand(w, side);
                best = cut < best ? cut : best;
            }
        }
    }
    free(order);
    free(side);
    return best;
}

static void sweep_case(harness *h, uint64_t *state, const whole *w, const spectral_goal *goal, const double *x,
                       bool exists)
{
    spectral_level *level = drawn_level(h, state, w);
    size_t all_rows = (size_t)level->rows + (size_t)level->ghosts;
    double *local = malloc((all_rows + 1) * sizeof *local);
    uint8_t *side = malloc(all_rows + 1);
    for (size_t i = 0; i < all_rows; i++) {
        local[i] = x[level->number[i]];
    }
    spectral_worth worth = {-1, -1, -1};
    check_ok(h, spectral_sweep(level, goal, local, side, &worth, h->diag));
    uint8_t *all = gathered_sides(level, side);
    check(h, worth.cut == cut_by_hand(w, all));
    check(h, worth.excess == 0);
    check(h, load_by_hand(w, all, 0) <= goal->limit[0] && load_by_hand(w, all, 1) <= goal->limit[1]);
    check(h, !exists || worth.cut == best_threshold(w, goal, x));
    free(all);
    free(local);
    free(side);
    spectral_level_free(level);
}

static void test_sweep(harness *h)
{
    uint64_t state = 31;
    double x[80];
    harness_case(h, "the best threshold along an order, beside all thresholds");
    for (int round = 0; round < 20; round++) {
        whole w = random_graph(&state, 10 + (int)harness_draw(&state, 60), 5, 4, 1, true);
        for (int i = 0; i < w.n; i++) {
            x[i] = i;
        }
        for (int i = w.n - 1; i > 0; i--) {
            int j = (int)harness_draw(&state, (uint64_t)i + 1);
            double swap = x[i];
            x[i] = x[j];
            x[j] = swap;
        }
        x[0] += round % 3 == 0 ? 1e9 : 0; /* an outlier must not swallow the rest of the range */
        spectral_goal goal = halves(&w, 0.2);
        if (round % 2 == 1) { /* a third and two thirds */
            goal = (spectral_goal){{w.n / 3, w.n - w.n / 3}, {w.n / 3 + 2, w.n - w.n / 3 + 2}};
        }
        sweep_case(h, &state, &w, &goal, x, true);
        whole_free(&w);
    }
    harness_case(h, "vertices of equal value are shared out");
    whole w = grid(8, 8);
    memset(x, 0, sizeof x);
    spectral_goal goal = halves(&w, 0);
    sweep_case(h, &state, &w, &goal, x, false);
    x[0] = 1;
    sweep_case(h, &state, &w, &goal, x, false);
    whole_free(&w);
}

/* ---- Improvement ---- */

static void test_improve(harness *h)
{
    uint64_t state = 41;
    harness_case(h, "an improved bisection is no worse than it was, and costs what is said");
    for (int round = 0; round < 30; round++) {
        whole w = random_graph(&state, 4 + (int)harness_draw(&state, 100), 6, 5, 1 + round % 3 * 4, round % 2 == 0);
        spectral_goal goal = halves(&w, 0.1);
        spectral_level *level = drawn_level(h, &state, &w);
        size_t all_rows = (size_t)level->rows + (size_t)level->ghosts;
        uint8_t *side = malloc(all_rows + 1);
        for (size_t i = 0; i < all_rows; i++) {
            uint64_t drawn = spectral_mix((uint64_t)round * 1000 + (uint64_t)level->number[i]);
            side[i] = (uint8_t)(drawn % 8 < (uint64_t)(2 + round % 4));
        }
        int64_t load[2];
        spectral_worth before = spectral_evaluate(level, &goal, side, load), after;
        check_ok(h, spectral_improve(level, &goal, 17, 3, side, &after, h->diag));
        uint8_t *all = gathered_sides(level, side);
        int64_t by_hand[2] = {load_by_hand(&w, all, 0), load_by_hand(&w, all, 1)};
        spectral_worth counted = spectral_worth_of(&goal, by_hand, cut_by_hand(&w, all));
        check(h, counted.excess == after.excess && counted.cut == after.cut && counted.off == after.off);
        check(h, !spectral_better(before, after));
        check(h, after.excess == 0 || round % 3 != 0); /* unit loads always fit */
        free(all);
        free(side);
        spectral_level_free(level);
        whole_free(&w);
    }
}

/* ---- Bisections ---- */

/* The cut, checked by hand; -1 where the limits are not kept. */
static int64_t bisect(harness *h, uint64_t *state, const whole *w, const spectral_goal *goal)
{
    spectral_level *level = drawn_level(h, state, w);
    uint8_t *side = malloc((size_t)level->rows + (size_t)level->ghosts + 1);
    spectral_worth worth = {-1, -1, -1};
    check_ok(h, spectral_bisect(level, goal, 1, side, NULL, &worth, h->diag));
    uint8_t *all = gathered_sides(level, side);
    int64_t load[2] = {load_by_hand(w, all, 0), load_by_hand(w, all, 1)};
    spectral_worth counted = spectral_worth_of(goal, load, cut_by_hand(w, all));
    check(h, counted.excess == worth.excess && counted.cut == worth.cut);
    free(all);
    free(side);
    spectral_level_free(level);
    return worth.excess == 0 ? worth.cut : -1;
}

static void known_case(harness *h, uint64_t *state, whole w, double imbalance, int64_t cut)
{
    spectral_goal goal = halves(&w, imbalance);
    check(h, bisect(h, state, &w, &goal) == cut);
    whole_free(&w);
}

static void test_bisections(harness *h)
{
    uint64_t state = 51;
    harness_case(h, "bisections whose best cut is known");
    known_case(h, &state, path(100), 0, 1);
    known_case(h, &state, path(1001), 0.05, 1);
    known_case(h, &state, dumbbell(15), 0, 1);
    known_case(h, &state, grid(8, 20), 0.05, 8);
    known_case(h, &state, grid(12, 50), 0.01, 12);
    known_case(h, &state, whole_new(301), 0, 0);
    harness_case(h, "bisections of small random graphs, beside all of them");
    for (int round = 0; round < 25; round++) {
        whole w = random_graph(&state, 6 + (int)harness_draw(&state, 7), 4, 4, 1, round % 3 != 0);
        spectral_goal goal = halves(&w, 0.1 * (round % 3));
        check(h, bisect(h, &state, &w, &goal) == least_cut(&w, &goal));
        whole_free(&w);
    }
}

static void test_components(harness *h)
{
    uint64_t state = 61;
    harness_case(h, "components are kept whole where they fit");
    whole w = whole_new(400);
    for (int i = 0; i < 400; i++) { /* circles of 40 vertices */
        join(&w, i, i / 40 * 40 + (i + 1) % 40, 1);
    }
    spectral_goal goal = halves(&w, 0.05);
    check(h, bisect(h, &state, &w, &goal) == 0);
    whole_free(&w);
    harness_case(h, "of a large component and small ones the large one is cut");
    w = whole_new(150);
    for (int i = 0; i + 1 < 120; i++) {
        join(&w, i, i + 1, 3);
    }
    for (int i = 120; i < 150; i += 3) {
        join(&w, i, i + 1, 1);
        join(&w, i + 1, i + 2, 1);
    }
    goal = halves(&w, 0.01);
    check(h, bisect(h, &state, &w, &goal) == 3);
    whole_free(&w);
}

/* ---- The partitioner ---- */

/* Vertex v lies where (7 v + 3) mod n would in a block distribution, if `scattered`. */
static inlay_graph graph_of(harness *h, const whole *w, bool scattered, bool units)
{
    inlay_graph g = {.comm = h->comm, .vertices = w->n};
    size_t n = (size_t)w->n;
    g.global = scattered ? malloc((n + 1) * sizeof *g.global) : NULL;
    g.start = calloc(n + 1, sizeof *g.start);
    g.column = malloc((n * n + 1) * sizeof *g.column);
    g.weight = units ? NULL : malloc((n * n + 1) * sizeof *g.weight);
    g.load = units ? NULL : malloc((n + 1) * sizeof *g.load);
    g.first = inlay_block_first(w->n, h->ranks, h->rank);
    for (int v = 0; v < w->n; v++) {
        int place = scattered ? (int)(spectral_mix((uint64_t)v) % (uint64_t)h->ranks) : -1;
        if (scattered ? place != h->rank : inlay_block_owner(w->n, h->ranks, v) != h->rank) {
            continue;
        }
        int64_t arcs = g.start[g.rows];
        for (int u = 0; u < w->n; u++) {
            if (w->weight[v * w->n + u] > 0) {
                if (!units) {
                    g.weight[arcs] = w->weight[v * w->n + u];
                }
                g.column[arcs++] = u;
            }
        }
        if (scattered) {
            g.global[g.rows] = v;
        }
        if (!units) {
            g.load[g.rows] = w->load[v];
        }
        g.start[++g.rows] = arcs;
    }
    MPI_Allreduce(&g.start[g.rows], &g.arcs, 1, MPI_INT64_T, MPI_SUM, h->comm);
    return g;
}

static void graph_clear(inlay_graph *g)
{
    free(g->global);
    free(g->start);
    free(g->column);
    free(g->weight);
    free(g->load);
}

static partition_job job_of(const whole *w, int32_t parts, double imbalance)
{
    partition_job job = {.parts = parts, .weights = 1, .imbalance = imbalance, .seed = 1};
    for (int i = 0; i < w->n; i++) {
        job.total += w->load[i];
        job.heaviest = w->load[i] > job.heaviest ? w->load[i] : job.heaviest;
    }
    int64_t most = (int64_t)floor((1 + imbalance) * (double)job.total / parts + 1e-9);
    int64_t least = (job.total + parts - 1) / parts;
    job.target = job.limit = most < least ? least : most;
    return job;
}

/* Every vertex has a part, and with unit loads the parts are within the bound. The cut. */
static int64_t partition(harness *h, const whole *w, int32_t parts, double imbalance, bool scattered, bool units)
{
    inlay_graph g = graph_of(h, w, scattered, units);
    partition_job job = job_of(w, parts, imbalance);
    int32_t *part = malloc(((size_t)g.rows + 1) * sizeof *part);
    int64_t *all = calloc((size_t)w->n, sizeof *all), *load = calloc((size_t)parts, sizeof *load), cut = 0;
    memset(part, 0xff, ((size_t)g.rows + 1) * sizeof *part);
    check_ok(h, partition_rsb(&g, &job, part, h->diag));
    for (int32_t i = 0; i < g.rows; i++) {
        all[scattered ? g.global[i] : g.first + i] = part[i];
    }
    MPI_Allreduce(MPI_IN_PLACE, all, w->n, MPI_INT64_T, MPI_SUM, h->comm);
    for (int v = 0; v < w->n; v++) {
        if (check(h, all[v] >= 0 && all[v] < parts)) {
            load[all[v]] += w->load[v];
        }
        for (int u = 0; u < v; u++) {
            cut += all[u] != all[v] ? w->weight[v * w->n + u] : 0;
        }
    }
    for (int32_t p = 0; p < parts && units; p++) {
        check(h, load[p] > 0 && load[p] <= job.target);
    }
    free(part);
    free(all);
    free(load);
    graph_clear(&g);
    return cut;
}

static void test_partitions(harness *h)
{
    uint64_t state = 71;
    harness_case(h, "partitions of random graphs, in blocks and scattered, parts of any number");
    for (int round = 0; round < 24; round++) {
        int n = 2 + (int)harness_draw(&state, 150);
        whole w = random_graph(&state, n, 4, 3, round % 4 == 3 ? 6 : 1, round % 2 == 0);
        int32_t parts = round % 5 == 4 ? n : 2 + (int32_t)harness_draw(&state, (uint64_t)(n < 12 ? n - 1 : 11));
        partition(h, &w, parts, 0.05, round % 3 == 1, round % 4 != 3);
        whole_free(&w);
    }
    harness_case(h, "a strip of 24 x 3 points in 3, 4, 6 and 8 parts");
    for (int32_t parts = 3; parts <= 8; parts += parts == 3 ? 1 : 2) {
        whole w = grid(24, 3);
        check(h, partition(h, &w, parts, 0.01, false, true) == 3 * (parts - 1));
        whole_free(&w);
    }
    harness_case(h, "the same question has the same answer");
    whole w = random_graph(&state, 120, 6, 3, 5, true);
    inlay_graph g = graph_of(h, &w, false, false);
    partition_job job = job_of(&w, 5, 0.05);
    int32_t once[121], again[121];
    check_ok(h, partition_rsb(&g, &job, once, h->diag));
    check_ok(h, partition_rsb(&g, &job, again, h->diag));
    check(h, memcmp(once, again, (size_t)g.rows * sizeof *once) == 0);
    graph_clear(&g);
    whole_free(&w);
}

void suite_spectral(harness *h);

void suite_spectral(harness *h)
{
    test_fiedler(h);
    test_levels(h);
    test_chain(h);
    test_sweep(h);
    test_improve(h);
    test_bisections(h);
    test_components(h);
    test_partitions(h);
}
