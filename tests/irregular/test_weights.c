/* Several loads a vertex: partitions against sums by hand, against all partitions of small graphs, and what one weight alone
   would give. */
#include "harness.h"
#include "whole_graph.h"
#include <inlay/irregular_repartition.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WEIGHTS = 5 };

/* Loads of the vertices of a whole, each a row; those that `whole` knows are not given. */
typedef struct loads {
    int32_t weights;
    int64_t of[WHOLE_MOST][WEIGHTS];
} loads;

/* The first weight counts vertices, the others are drawn, or lie in regions: of many numbers, or of few. */
static void draw_loads(uint64_t *state, const whole *w, int32_t weights, uint64_t most, bool regions, loads *l)
{
    l->weights = weights;
    for (int32_t v = 0; v < w->n; v++) {
        for (int32_t k = 0; k < weights; k++) {
            bool same = regions && v > 0 && v % (w->n / 4 + 1) != 0;
            l->of[v][k] = k == 0 ? 1 : same ? l->of[v - 1][k] : (int64_t)harness_draw(state, most + 1);
        }
    }
}

/* To the share, in its order of rows. */
static void give_loads(whole *w, const loads *l)
{
    free(w->share.load);
    w->share.load = malloc((size_t)w->share.rows * (size_t)l->weights * sizeof *w->share.load + 1);
    w->share.weights = l->weights;
    for (int32_t i = 0; i < w->share.rows; i++) {
        int64_t v = w->share.global == NULL ? w->share.first + i : w->share.global[i];
        memcpy(w->share.load + (ptrdiff_t)i * l->weights, l->of[v], (size_t)l->weights * sizeof *w->share.load);
    }
}

/* ---- By hand ---- */

static int64_t load_by_hand(const whole *w, const loads *l, int32_t part, int32_t weight)
{
    int64_t sum = 0;
    for (int32_t v = 0; v < w->n; v++) {
        sum += part < 0 || w->part[v] == part ? l->of[v][weight] : 0;
    }
    return sum;
}

static double imbalance_by_hand(const whole *w, const loads *l, int32_t parts, const double *target, int32_t weight)
{
    double all = (double)load_by_hand(w, l, -1, weight), shares = 0, most = 0;
    for (int32_t p = 0; p < parts; p++) {
        shares += target == NULL ? 1 : target[p];
    }
    for (int32_t p = 0; p < parts && all > 0; p++) {
        double share = (target == NULL ? 1 : target[p]) / shares;
        most = fmax(most, (double)load_by_hand(w, l, p, weight) / (all * share));
    }
    return all > 0 ? most - 1 : 0;
}

static double worst_by_hand(const whole *w, const loads *l, int32_t parts, const double *target)
{
    double worst = 0;
    for (int32_t k = 0; k < l->weights; k++) {
        worst = fmax(worst, imbalance_by_hand(w, l, parts, target, k));
    }
    return worst;
}

/* ---- What comes out ---- */

static bool divide(harness *h, whole *w, const inlay_partition_options *o)
{
    memset(w->share_part, 0x55, (size_t)w->share.rows * sizeof *w->share_part);
    if (!check_ok(h, inlay_partition(&w->share, o, w->share_part, h->diag))) {
        return false;
    }
    whole_collect_parts(w);
    for (int32_t p = 0; p < o->parts; p++) {
        check(h, whole_part_present(w, p));
    }
    for (int32_t v = 0; v < w->n; v++) {
        check(h, w->part[v] >= 0 && w->part[v] < o->parts);
    }
    return true;
}

static void check_figures(harness *h, const whole *w, const loads *l, int32_t parts)
{
    inlay_partition_figures f;
    inlay_quotient *q = NULL;
    if (!check_ok(h, inlay_partition_evaluate(&w->share, w->share_part, parts, &f, h->diag)) ||
        !check_ok(h, inlay_quotient_make(&w->share, w->share_part, parts, &q, h->diag))) {
        return;
    }
    check(h, f.edge_cut == whole_cut(w) && f.weights == l->weights);
    check(h, fabs(f.imbalance - worst_by_hand(w, l, parts, NULL)) < 1e-9);
    int64_t least = INT64_MAX, most = 0;
    for (int32_t p = 0; p < parts; p++) {
        int64_t own = load_by_hand(w, l, p, 0);
        least = own < least ? own : least;
        most = own > most ? own : most;
    }
    check(h, f.smallest == least && f.largest == most);
    for (int32_t k = 0; k < l->weights; k++) {
        check(h, fabs(f.imbalance_of[k] - imbalance_by_hand(w, l, parts, NULL, k)) < 1e-9);
        for (int32_t p = 0; p < parts && h->rank == 0 && check(h, q != NULL && q->weights == l->weights); p++) {
            check(h, q->load[(ptrdiff_t)p * l->weights + k] == load_by_hand(w, l, p, k));
        }
        if (q != NULL) {
            check(h, fabs(inlay_quotient_imbalance(q, NULL, k) - imbalance_by_hand(w, l, parts, NULL, k)) < 1e-9);
        }
    }
    inlay_quotient_free(q);
}

/* What is accepted: what is asked for, or a vertex more than the share. */
static void check_accepted(harness *h, const whole *w, const loads *l, const inlay_partition_options *o)
{
    double shares = 0;
    for (int32_t p = 0; p < o->parts; p++) {
        shares += o->target == NULL ? 1 : o->target[p];
    }
    for (int32_t k = 0; k < l->weights; k++) {
        int64_t heaviest = 0;
        for (int32_t v = 0; v < w->n; v++) {
            heaviest = l->of[v][k] > heaviest ? l->of[v][k] : heaviest;
        }
        for (int32_t p = 0; p < o->parts; p++) {
            double share = (double)load_by_hand(w, l, -1, k) * (o->target == NULL ? 1 : o->target[p]) / shares;
            double most = fmax((1 + o->imbalance) * share, share + (double)heaviest) + 1e-9;
            check(h, (double)load_by_hand(w, l, p, k) <= most);
        }
    }
}

/* `best` keeps what is asked for on graphs whose vertices are fine enough, and the others where weights lie anywhere. */
static void all_methods(harness *h)
{
    static const char *const methods[] = {"best", "ptscotch", "rsb", "block", "rcb", "metis"};
    uint64_t state = 11;
    for (int round = 0; round < (h->ranks > 3 ? 4 : 8); round++) {
        whole *w = whole_grid(18, 15 + round, 1, 0);
        loads *l = malloc(sizeof *l);
        int32_t parts = round % 4 == 3 ? 9 : 2 + round % 4;
        const double target[] = {2, 1, 1, 3, 2, 1, 1, 3, 2};
        inlay_partition_options o = {.parts = parts, .imbalance = 0.1, .seed = 3, .effort = 3, .dimensions = 2};
        draw_loads(&state, w, 2 + round % 4, 8, round % 2 == 1, l);
        (round % 2 == 0 ? (void)whole_share_blocks(h, w) : whole_share_at_random(h, w, &state));
        give_loads(w, l);
        o.coordinate = w->share_coordinate;
        o.target = round % 3 == 2 ? target : NULL;
        for (size_t i = 0; i < (h->ranks == 1 ? 6 : 5); i++) {
            o.method = methods[i];
            harness_case(h, "%s, %d weights, %d parts of %d vertices", o.method, (int)l->weights, (int)parts,
                         (int)w->n);
            if (divide(h, w, &o)) {
                check_figures(h, w, l, parts);
                if (i == 0 ||
                    round % 2 == 0) { /* else weights lie in regions, where moving single vertices may end early */
                    check_accepted(h, w, l, &o);
                }
                check(h, i > 0 || worst_by_hand(w, l, parts, o.target) <= 0.1 + 1e-9);
            }
        }
        free(l);
        whole_free(w);
    }
}

/* ---- All partitions of small graphs ---- */

/* How far all weights together are above what is asked for, each over its total: less is better, the cut second. */
static double over_by_hand(const whole *w, const loads *l, const inlay_partition_options *o)
{
    double sum = 0;
    for (int32_t k = 0; k < l->weights; k++) {
        double all = (double)load_by_hand(w, l, -1, k), average = all / o->parts;
        double most = fmax(floor((1 + o->imbalance) * average + 1e-9), ceil(average));
        for (int32_t p = 0; p < o->parts && all > 0; p++) {
            sum += fmax(0, (double)load_by_hand(w, l, p, k) - most) / all;
        }
    }
    return sum;
}

/* Of all that leave no part empty. */
static void find_optimum(whole *w, const loads *l, const inlay_partition_options *o, double *over, int64_t *cut)
{
    int64_t all = 1;
    *over = INFINITY;
    for (int32_t v = 0; v < w->n; v++) {
        all *= o->parts;
    }
    for (int64_t number = 0; number < all; number++) {
        int64_t left = number;
        bool used[3] = {false};
        for (int32_t v = 0; v < w->n; v++, left /= o->parts) {
            w->part[v] = (int32_t)(left % o->parts);
            used[w->part[v]] = true;
        }
        bool full = used[0] && used[1] && (o->parts < 3 || used[2]);
        double now = full ? over_by_hand(w, l, o) : INFINITY;
        int64_t costs = now <= *over + 1e-9 ? whole_cut(w) : INT64_MAX;
        if (now < *over - 1e-9 || (now <= *over + 1e-9 && costs < *cut)) {
            *over = now;
            *cut = costs;
        }
    }
}

/* The least above the limits is always found, and nearly always with the least cut. */
static void optimum(harness *h)
{
    uint64_t state = 29;
    int rounds = 40, reached = 0, balanced = 0;
    harness_case(h, "all partitions of small graphs");
    for (int round = 0; round < rounds; round++) {
        int32_t parts = 2 + round % 2, n = (int32_t)harness_draw(&state, parts == 2 ? 6 : 3) + 7;
        whole *w = whole_random(&state, n, 3, 3, false);
        loads *l = malloc(sizeof *l);
        inlay_partition_options o = {.parts = parts, .imbalance = round % 3 == 0 ? 0.05 : 0.3, .seed = 1};
        double over = 0;
        int64_t cut = INT64_MAX;
        draw_loads(&state, w, 2, 5, false, l);
        whole_share_blocks(h, w);
        give_loads(w, l);
        find_optimum(w, l, &o, &over, &cut);
        inlay_diag *diag = inlay_diag_new();
        int status = inlay_partition(&w->share, &o, w->share_part, diag);
        whole_collect_parts(w);
        double found = status == INLAY_OK ? over_by_hand(w, l, &o) : INFINITY;
        check(h, status == INLAY_OK || (status == INLAY_NO_ANSWER && over > 0)); /* one vertex is too heavy */
        check(h, found >= over - 1e-9);
        check(h, found > over + 1e-9 || whole_cut(w) >= cut);
        balanced += status != INLAY_OK || found <= over + 1e-9;
        reached += status != INLAY_OK || (found <= over + 1e-9 && whole_cut(w) == cut);
        inlay_diag_free(diag);
        free(l);
        whole_free(w);
    }
    check(h, balanced == rounds);
    check(h, reached >= rounds - 1);
}

/* ---- What one weight alone gives ---- */

/* A square whose left third has most of the second weight: parts of as many vertices each have it all or nothing. */
static void null_model(harness *h)
{
    whole *w = whole_grid(18, 18, 1, 0);
    loads *l = malloc(sizeof *l);
    inlay_partition_options o = {.parts = 4, .imbalance = 0.05, .seed = 1, .effort = 4};
    l->weights = 2;
    for (int32_t v = 0; v < w->n; v++) {
        l->of[v][0] = 1;
        l->of[v][1] = v % 18 < 6 ? 9 : 1;
    }
    whole_share_blocks(h, w);
    harness_case(h, "a region that is heavy in the second weight");
    if (divide(h, w, &o)) { /* no loads are given: the first weight */
        int64_t cut = whole_cut(w);
        check(h, imbalance_by_hand(w, l, 4, NULL, 0) <= 0.05 + 1e-9);
        check(h, imbalance_by_hand(w, l, 4, NULL, 1) > 0.3);
        give_loads(w, l);
        check(h, divide(h, w, &o) && worst_by_hand(w, l, 4, NULL) <= 0.05 + 1e-9);
        check(h, whole_cut(w) >= cut);
    }
    free(l);
    whole_free(w);
}

/* One weight that is said to be one, and one twice over, as without. */
static void one_weight(harness *h)
{
    int32_t first[WHOLE_MOST];
    uint64_t state = 41;
    whole *w = whole_random(&state, 90, 5, 7, false);
    loads *l = malloc(sizeof *l);
    inlay_partition_options o = {.parts = 5, .imbalance = 0.06, .seed = 9, .effort = 4};
    whole_share_at_random(h, w, &state);
    harness_case(h, "one weight");
    if (divide(h, w, &o)) {
        memcpy(first, w->part, sizeof first);
        w->share.weights = 1;
        check(h, divide(h, w, &o) && memcmp(first, w->part, 90 * sizeof *first) == 0);
        l->weights = 2;
        for (int32_t v = 0; v < w->n; v++) {
            l->of[v][0] = l->of[v][1] = w->load[v];
        }
        give_loads(w, l);
        check(h, divide(h, w, &o) && worst_by_hand(w, l, 5, NULL) <= 0.06 + 1e-9);
    }
    free(l);
    whole_free(w);
}

/* ---- Divided again ---- */

static void again(harness *h)
{
    uint64_t state = 53;
    whole *w = whole_grid(18, 18, 1, 0);
    loads *l = malloc(sizeof *l);
    draw_loads(&state, w, 2, 6, true, l);
    whole_share_at_random(h, w, &state);
    give_loads(w, l);
    for (int32_t v = 0; v < w->n; v++) {
        w->part[v] = v / 81;
    }
    whole_spread_parts(w);
    int32_t *old = malloc((size_t)w->share.rows * sizeof *old + 1);
    memcpy(old, w->share_part, (size_t)w->share.rows * sizeof *old);
    for (int round = 0; round < 3; round++) {
        inlay_partition_options o = {.parts = 4, .imbalance = 0.08, .seed = 2, .effort = 2};
        const inlay_repartition_options change = {old, round == 0 ? 0 : round == 1 ? 1 : 50, NULL};
        inlay_repartition_figures f;
        harness_case(h, "several weights divided again, a cost of %d", (int)change.migration_cost);
        if (check_ok(h, inlay_repartition(&w->share, &o, &change, w->share_part, &f, h->diag))) {
            whole_collect_parts(w);
            check(h, worst_by_hand(w, l, 4, NULL) <= 0.08 + 1e-9);
            check(h, f.edge_cut == whole_cut(w));
        }
    }
    free(old);
    free(l);
    whole_free(w);
}

/* ---- What cannot be ---- */

static void refusals(harness *h)
{
    whole *w = whole_grid(6, 5, 1, 0);
    loads *l = malloc(sizeof *l);
    uint64_t state = 3;
    inlay_partition_options o = {.parts = 3, .imbalance = 0.2};
    inlay_partition_figures f;
    inlay_diag *diag = inlay_diag_new();
    whole_share_blocks(h, w);
    draw_loads(&state, w, 3, 4, false, l);
    harness_case(h, "numbers of weights that cannot be");
    give_loads(w, l);
    w->share.weights = INLAY_MOST_WEIGHTS + 1;
    check_fails(h, inlay_partition(&w->share, &o, w->share_part, diag), INLAY_BAD_INPUT, "33 weights", diag);
    memset(w->share_part, 0, (size_t)w->share.rows * sizeof *w->share_part);
    check_fails(h, inlay_partition_evaluate(&w->share, w->share_part, 3, &f, diag), INLAY_BAD_ARGUMENT, "33 weights",
                diag);
    w->share.weights = -1;
    check_fails(h, inlay_partition(&w->share, &o, w->share_part, diag), INLAY_BAD_INPUT, "-1 weights", diag);
    harness_case(h, "a load below 0, one too heavy, and sums beyond 64 bits, of the last weight");
    l->of[7][2] = -4;
    give_loads(w, l);
    check_fails(h, inlay_partition(&w->share, &o, w->share_part, diag), INLAY_BAD_INPUT, "vertex 7 has load -4", diag);
    l->of[7][2] = 4000;
    give_loads(w, l);
    check_fails(h, inlay_partition(&w->share, &o, w->share_part, diag), INLAY_NO_ANSWER,
                "weight 3: a vertex weighs 4000", diag);
    for (int32_t v = 0; v < w->n; v++) {
        l->of[v][2] = INT64_MAX / 8;
    }
    give_loads(w, l);
    check_fails(h, inlay_partition(&w->share, &o, w->share_part, diag), INLAY_OVERFLOW, "exceeds 2^62", diag);
    harness_case(h, "ranks with other numbers of weights");
    draw_loads(&state, w, 3, 4, false, l);
    give_loads(w, l);
    w->share.weights = h->rank == 0 ? 2 : 3;
    w->share.checked = true;
    if (h->ranks > 1) {
        check_fails(h, inlay_partition(&w->share, &o, w->share_part, diag), INLAY_BAD_ARGUMENT, "different", diag);
    }
    harness_case(h, "a weight of which there is nothing");
    for (int32_t v = 0; v < w->n; v++) {
        l->of[v][1] = 0;
    }
    give_loads(w, l);
    check(h, divide(h, w, &o));
    inlay_diag_free(diag);
    free(l);
    whole_free(w);
}

void suite_weights(harness *h);

void suite_weights(harness *h)
{
    all_methods(h);
    if (h->ranks == 1) {
        optimum(h);
    }
    null_model(h);
    one_weight(h);
    again(h);
    refusals(h);
}
