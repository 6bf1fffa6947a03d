/*
 * Repartition: figures against sums over the whole graph, bounds, never worse than either way by itself, names of parts
 * against all permutations, and data that move with it.
 */
#include "harness.h"
#include "irregular/partition/repartition.h"
#include "whole_graph.h"
#include <inlay/irregular_exchange.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct subject {
    whole *w;
    int32_t from[WHOLE_MOST];     /* of the whole graph */
    int64_t size[WHOLE_MOST];     /* likewise */
    int32_t own_from[WHOLE_MOST]; /* of this rank's rows */
    int64_t own_size[WHOLE_MOST];
    double cost;
} subject;

static int64_t global_of(const whole *w, int32_t row)
{
    return w->share.global == NULL ? w->share.first + row : w->share.global[row];
}

static void spread(subject *s)
{
    for (int32_t i = 0; i < s->w->share.rows; i++) {
        s->own_from[i] = s->from[global_of(s->w, i)];
        s->own_size[i] = s->size[global_of(s->w, i)];
    }
}

static inlay_partition_options options_of(const whole *w, const char *method, int32_t parts, double imbalance)
{
    return (inlay_partition_options){.method = method,
                                     .parts = parts,
                                     .imbalance = imbalance,
                                     .seed = 5,
                                     .dimensions = w->dimensions,
                                     .coordinate = w->share_coordinate};
}

/* Of w->part. */
static double cost_of(const subject *s, int64_t *moved, int64_t *moved_size)
{
    *moved = *moved_size = 0;
    for (int32_t i = 0; i < s->w->n; i++) {
        *moved += s->w->part[i] != s->from[i];
        *moved_size += s->w->part[i] != s->from[i] ? s->size[i] : 0;
    }
    return (double)whole_cut(s->w) + s->cost * (double)*moved_size;
}

static void check_bounds(harness *h, const whole *w, int32_t parts, double imbalance)
{
    double average = (double)whole_load(w) / parts, heaviest = (double)whole_heaviest(w);
    double bound = fmax((1 + imbalance) * average, average + heaviest * (1 - 1.0 / parts)) + 1e-9;
    for (int32_t p = 0; p < parts; p++) {
        check(h, whole_part_present(w, p));
        check(h, (double)whole_part_load(w, p) <= fmax(bound, ceil(average)));
    }
}

static bool repartition(harness *h, subject *s, const inlay_partition_options *o, inlay_repartition_figures *f)
{
    const inlay_repartition_options change = {s->own_from, s->cost, s->w->n % 2 == 0 ? s->own_size : NULL};
    inlay_diag *diag = inlay_diag_new();
    int64_t moved, moved_size, size = 0;
    whole *w = s->w;
    int64_t *given = w->share.size;
    w->share.size = change.size == NULL ? s->own_size : given; /* the graph's, where the change has none */
    memcpy(w->part, s->from, sizeof w->part);
    int64_t before = whole_cut(w);
    bool done = harness_ok(h, inlay_repartition(&w->share, o, &change, w->share_part, f, diag),
                           inlay_diag_message(diag), __FILE__, __LINE__);
    if (done) {
        whole_collect_parts(w);
        double cost = cost_of(s, &moved, &moved_size);
        for (int32_t i = 0; i < w->n; i++) {
            size += s->size[i];
        }
        check(h, f->edge_cut_before == before && f->edge_cut == whole_cut(w));
        check(h, f->moved == moved && f->moved_size == moved_size && f->size == size);
        check(h, fabs(f->cost - cost) <= 1e-9 * (1 + cost));
        check(h, f->cost <= f->cost_kept && f->cost <= f->cost_fresh);
        check_bounds(h, w, o->parts, o->imbalance);
    }
    w->share.size = given;
    inlay_diag_free(diag);
    return done;
}

static void random_graphs(harness *h)
{
    static const double costs[] = {0, 0.5, 3, 1e6};
    uint64_t state = 61;
    int fresh = 0, kept = 0;
    for (int round = 0; round < 24; round++) {
        static subject s;
        int32_t n = (int32_t)harness_draw(&state, 90) + 8, parts = (int32_t)harness_draw(&state, 5) + 2;
        s.w = whole_random(&state, n, round % 5, round % 3 == 0 ? 1 : 4, false);
        s.cost = costs[round % 4];
        harness_case(h, "repartition of %d vertices, %d parts, migration cost of graph %d", (int)n, (int)parts, round);
        whole_share_at_random(h, s.w, &state);
        for (int32_t i = 0; i < n; i++) {
            uint64_t drawn = harness_draw(&state, (uint64_t)parts);
            s.from[i] = round % 6 == 0 ? 0 : round % 6 == 1 ? (int32_t)drawn : (int32_t)((int64_t)i * parts / n);
            s.size[i] = (int64_t)harness_draw(&state, 4);
        }
        spread(&s);
        inlay_partition_options o = options_of(s.w, "ptscotch", parts, 0.5);
        inlay_repartition_figures f;
        if (repartition(h, &s, &o, &f)) {
            fresh += f.fresh;
            kept += !f.fresh;
        }
        whole_free(s.w);
    }
    check(h, fresh > 2 && kept > 2);
}

/* A grid in stripes, of which one has become heavy. */
static void heavier_stripe(harness *h)
{
    static subject s;
    inlay_repartition_figures f, dear;
    uint64_t state = 8;
    s.w = whole_grid(20, 10, 1, 0.2);
    s.w->unit = false;
    for (int32_t i = 0; i < 200; i++) {
        s.from[i] = i % 20 / 5;
        s.w->load[i] = s.from[i] == 1 ? 2 : 1;
        s.size[i] = 1;
    }
    whole_share_at_random(h, s.w, &state);
    spread(&s);
    harness_case(h, "a grid in stripes, of which one has become heavy");
    inlay_partition_options o = options_of(s.w, "rcb", 4, 0.05);
    s.cost = 0.1;
    check(h, repartition(h, &s, &o, &f));
    check(h, f.edge_cut_before == 30 && f.edge_cut <= 60 && f.moved < 100);
    s.cost = 100;
    check(h, repartition(h, &s, &o, &dear));
    check(h, dear.moved <= f.moved + 5 && dear.moved >= 18 && dear.moved <= 30); /* 100 must come to 65, by twos */
    /* what need not move does not, where that is dear, and comes home where it was sent away for nothing */
    o.imbalance = 1;
    check(h, repartition(h, &s, &o, &f));
    check(h, f.moved == 0 && f.edge_cut == 30 && !f.fresh);
    whole_free(s.w);
}

/* The fresh partition is the old one under other names: nothing moves. */
static void other_names(harness *h)
{
    static subject s;
    inlay_repartition_figures f;
    s.w = whole_grid(16, 16, 1, 0);
    whole_share_blocks(h, s.w);
    inlay_partition_options o = options_of(s.w, "rcb", 8, 0.05);
    harness_case(h, "a partition under other names");
    check_ok(h, inlay_partition(&s.w->share, &o, s.w->share_part, h->diag));
    whole_collect_parts(s.w);
    for (int32_t i = 0; i < 256; i++) {
        s.from[i] = (s.w->part[i] * 3 + 1) % 8;
        s.size[i] = 1;
    }
    spread(&s);
    s.cost = 0.01;
    check(h, repartition(h, &s, &o, &f));
    check(h, f.cost_fresh == (double)f.edge_cut_before);
    whole_free(s.w);
}

/* ---- Names ---- */

static int64_t best_of_all(const partition_job *job, const int64_t *load, const int64_t *common, int32_t p, int taken)
{ /* NOLINT(misc-no-recursion) */
    int64_t best = INT64_MIN / 2;
    for (int32_t q = 0; q < job->parts && p < job->parts; q++) {
        if ((taken >> q & 1) == 0 && load[p] <= partition_limit(job, q)) {
            int64_t rest = best_of_all(job, load, common, p + 1, taken | 1 << q);
            int64_t sum = rest + common[p * job->parts + q];
            best = sum > best ? sum : best;
        }
    }
    return p == job->parts ? 0 : best;
}

static void names(harness *h)
{
    uint64_t state = 77;
    for (int round = 0; round < 60; round++) {
        int64_t common[36], load[6], bounds[12];
        int32_t parts = (int32_t)harness_draw(&state, 6) + 1, name[6];
        int taken = 0;
        partition_job job = {.parts = parts, .weights = 1, .limit = 9, .bounds = round % 2 == 0 ? NULL : bounds};
        harness_case(h, "names of %d parts, round %d", (int)parts, round);
        for (int32_t p = 0; p < parts; p++) {
            load[p] = (int64_t)harness_draw(&state, 10);
            bounds[parts + p] = load[p] + (int64_t)harness_draw(&state, 3); /* their own name is always allowed */
            for (int32_t q = 0; q < parts; q++) {
                uint64_t most = round % 3 == 0 ? (uint64_t)1 << 58 : 6;
                common[p * parts + q] = (int64_t)harness_draw(&state, most);
            }
        }
        check_ok(h, repartition_match(&job, load, common, name, h->diag));
        int64_t sum = 0;
        for (int32_t p = 0; p < parts; p++) {
            check(h, name[p] >= 0 && name[p] < parts && (taken >> name[p] & 1) == 0);
            check(h, load[p] <= partition_limit(&job, name[p]));
            taken |= 1 << name[p];
            sum += common[p * parts + name[p]];
        }
        check(h, sum == best_of_all(&job, load, common, 0, 0));
    }
}

/* More parts than are matched exactly: a permutation is found again. */
static void many_names(harness *h)
{
    int32_t parts = REPARTITION_EXACT + 50;
    int64_t *common = calloc((size_t)parts * (size_t)parts, sizeof *common),
            *load = calloc((size_t)parts, sizeof *load);
    int32_t *name = calloc((size_t)parts, sizeof *name);
    partition_job job = {.parts = parts, .weights = 1, .limit = 9};
    harness_case(h, "names of many parts");
    for (int32_t p = 0; p < parts; p++) {
        common[(size_t)p * (size_t)parts + (size_t)(p * 5 % parts)] = 10;
        common[(size_t)p * (size_t)parts + (size_t)(p * 5 + 1) % (size_t)parts] = 3;
    }
    check_ok(h, repartition_match(&job, load, common, name, h->diag));
    for (int32_t p = 0; p < parts; p++) {
        check(h, parts % 5 == 0 || name[p] == p * 5 % parts);
    }
    free(common);
    free(load);
    free(name);
}

/* ---- Data ---- */

/* Arrays lie where the old partition put them; one remap brings them to the new owners, and only what moved is sent. */
static void data_move(harness *h)
{
    static subject s;
    inlay_repartition_figures f;
    inlay_table *blocks = NULL, *old = NULL, *new = NULL;
    inlay_schedule *schedule = NULL;
    int64_t before[WHOLE_MOST], value[WHOLE_MOST], after[WHOLE_MOST];
    s.w = whole_grid(20, 10, 1, 0.2);
    s.w->unit = false;
    for (int32_t i = 0; i < 200; i++) {
        s.from[i] = i % 20 * h->ranks / 20;
        s.w->load[i] = s.from[i] == 0 ? 3 : 1;
        s.size[i] = 1;
    }
    whole_share_blocks(h, s.w);
    spread(&s);
    s.cost = 0.3;
    harness_case(h, "data move with a repartition");
    inlay_partition_options o = options_of(s.w, "rcb", h->ranks, 0.1);
    const inlay_repartition_options change = {s.own_from, s.cost, NULL};
    check_ok(h, inlay_repartition(&s.w->share, &o, &change, s.w->share_part, &f, h->diag));
    check_ok(h, inlay_table_block(h->comm, 200, &blocks, h->diag));
    check_ok(h, inlay_table_of_parts(blocks, s.own_from, &old, h->diag));
    check_ok(h, inlay_table_of_parts(blocks, s.w->share_part, &new, h->diag));
    if (check_ok(h, inlay_remap(old, new, &schedule, h->diag))) {
        inlay_table_globals(old, before);
        int64_t away = 0;
        for (int32_t i = 0; i < inlay_table_local(old); i++) {
            value[i] = 7 * before[i] + 1;
        }
        check_ok(h, inlay_schedule_move(schedule, value, after, sizeof *value, h->diag));
        inlay_table_globals(new, value);
        for (int32_t i = 0; i < inlay_table_local(new); i++) {
            check(h, after[i] == 7 * value[i] + 1);
            away += s.from[value[i]] != h->rank;
        }
        MPI_Allreduce(MPI_IN_PLACE, &away, 1, MPI_INT64_T, MPI_SUM, h->comm);
        check(h, away == f.moved);
    }
    inlay_schedule_free(schedule);
    inlay_table_free(blocks);
    inlay_table_free(old);
    inlay_table_free(new);
    whole_free(s.w);
}

/* ---- What cannot be ---- */

static void check_refused(harness *h, subject *s, const inlay_repartition_options *change, int status, const char *text)
{
    inlay_partition_options o = options_of(s->w, "rcb", 3, 0.1);
    inlay_repartition_figures f = {.moved = -5};
    inlay_diag *diag = inlay_diag_new();
    memset(s->w->share_part, 0x55, (size_t)s->w->share.rows * sizeof *s->w->share_part);
    check_fails(h, inlay_repartition(&s->w->share, &o, change, s->w->share_part, &f, diag), status, text, diag);
    check(h, f.moved == -5 && (s->w->share.rows == 0 || s->w->share_part[0] == 0x55555555));
    inlay_diag_free(diag);
}

static void hostile(harness *h)
{
    static subject s;
    s.w = whole_grid(6, 5, 1, 0);
    whole_share_blocks(h, s.w);
    for (int32_t i = 0; i < 30; i++) {
        s.from[i] = i % 3;
        s.size[i] = 1;
    }
    spread(&s);
    harness_case(h, "repartitions that cannot be");
    inlay_repartition_options good = {s.own_from, 1, s.own_size}, bad = good;
    bad.migration_cost = -1;
    check_refused(h, &s, &bad, INLAY_BAD_ARGUMENT, "a migration cost of -1; expected a number from 0 on");
    bad.migration_cost = NAN;
    check_refused(h, &s, &bad, INLAY_BAD_ARGUMENT, "a migration cost of ");
    bad.migration_cost = INFINITY;
    check_refused(h, &s, &bad, INLAY_BAD_ARGUMENT, "a migration cost of ");
    s.from[17] = 3;
    spread(&s);
    check_refused(h, &s, &good, INLAY_BAD_ARGUMENT, "vertex 17 is in part 3; expected 0 to 2");
    s.from[17] = 0;
    s.size[4] = -2;
    spread(&s);
    check_refused(h, &s, &good, INLAY_BAD_ARGUMENT, "vertex 4 has size -2; expected at least 0");
    s.size[4] = INT64_MAX / 2;
    spread(&s);
    check_refused(h, &s, &good, INLAY_OVERFLOW, "the sum of the sizes of all vertices exceeds 2^61");
    s.size[4] = 1;
    spread(&s);
    if (h->ranks > 1) {
        bad = good;
        bad.migration_cost = h->rank == 1 ? 2 : 1;
        check_refused(h, &s, &bad, INLAY_BAD_ARGUMENT, "ranks ask for different costs of migration");
    }
    whole_free(s.w);
}

void suite_repartition(harness *h);

void suite_repartition(harness *h)
{
    names(h);
    many_names(h);
    hostile(h);
    heavier_stripe(h);
    other_names(h);
    data_move(h);
    random_graphs(h);
}
