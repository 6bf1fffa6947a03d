/*
 * Partitioners, figures, quotient graphs, verification and repair, against sums over the whole graph, which each rank makes
 * for itself from the same random numbers.
 */
#include "base/plain.h"
#include "harness.h"
#include "irregular/partition/partitioner.h"
#include "whole_graph.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Is it a partition into `parts` parts, none empty, none above what the rules allow? */
static void check_partition(harness *h, const whole *w, int32_t parts, double imbalance)
{
    double average = (double)whole_load(w) / parts, heaviest = (double)whole_heaviest(w);
    double bound = fmax((1 + imbalance) * average, average + heaviest * (1 - 1.0 / parts)) + 1e-9;
    for (int32_t i = 0; i < w->n; i++) {
        check(h, w->part[i] >= 0 && w->part[i] < parts);
    }
    for (int32_t p = 0; p < parts; p++) {
        check(h, whole_part_present(w, p));
        check(h, (double)whole_part_load(w, p) <= fmax(bound, ceil(average)));
    }
}

/* ---- Figures and quotients ---- */

static void check_figures(harness *h, whole *w, int32_t parts)
{
    inlay_partition_figures f, want = {.smallest = INT64_MAX};
    int64_t pairs = 0;
    for (int32_t q = 0; q < parts; q++) {
        int64_t ghosts = 0, size = 0, weight, load = whole_part_load(w, q);
        int32_t neighbours = 0;
        for (int32_t p = 0; p < parts; p++) {
            int64_t of_pair = p == q ? 0 : whole_ghosts(w, p, q, &size, &weight);
            ghosts += p == q ? 0 : size;
            neighbours += of_pair > 0;
        }
        want.volume += ghosts;
        want.largest_volume = ghosts > want.largest_volume ? ghosts : want.largest_volume;
        want.most_neighbours = neighbours > want.most_neighbours ? neighbours : want.most_neighbours;
        want.largest = load > want.largest ? load : want.largest;
        want.smallest = load < want.smallest ? load : want.smallest;
        want.empty += !whole_part_present(w, q);
        pairs += neighbours;
    }
    if (!check_ok(h, inlay_partition_evaluate(&w->share, w->share_part, parts, &f, h->diag))) {
        return;
    }
    check(h, f.edge_cut == whole_cut(w));
    check(h, f.volume == want.volume);
    check(h, f.largest_volume == want.largest_volume);
    check(h, f.most_neighbours == want.most_neighbours);
    check(h, fabs(f.mean_neighbours - (double)pairs / parts) < 1e-12);
    check(h, f.largest == want.largest && f.smallest == want.smallest && f.empty == want.empty);
    double total = (double)whole_load(w);
    check(h, fabs(f.imbalance - (total > 0 ? (double)f.largest * parts / total - 1 : 0)) < 1e-12);
}

static void check_quotient(harness *h, whole *w, int32_t parts)
{
    inlay_quotient *q = NULL;
    if (!check_ok(h, inlay_quotient_make(&w->share, w->share_part, parts, &q, h->diag))) {
        return;
    }
    check(h, (q != NULL) == (h->rank == 0));
    int32_t next = 0;
    for (int32_t p = 0; p < parts && q != NULL; p++) {
        check(h, q->parts == parts && q->start[p] == next && q->load[p] == whole_part_load(w, p));
        for (int32_t other = 0; other < parts; other++) {
            int64_t size, weight, ghosts = p == other ? 0 : whole_ghosts(w, p, other, &size, &weight);
            if (ghosts > 0) {
                check(h, next < q->start[p + 1] && q->part[next] == other && q->weight[next] == weight &&
                             q->ghosts[next] == ghosts);
                next++;
            }
        }
    }
    check(h, q == NULL || q->start[parts] == next);
    inlay_quotient_free(q);
}

static void figures(harness *h)
{
    uint64_t state = 11;
    for (int round = 0; round < 12; round++) {
        int32_t n = (int32_t)harness_draw(&state, 60) + 1, parts = (int32_t)harness_draw(&state, 9) + 1;
        whole *w = whole_random(&state, n, round % 6, round % 3 == 0 ? 1 : 20, true);
        harness_case(h, "figures of %d vertices in %d parts", (int)n, (int)parts);
        if (round % 2 == 0) {
            whole_share_blocks(h, w);
        } else {
            whole_share_at_random(h, w, &state);
        }
        for (int32_t i = 0; i < n; i++) {
            w->part[i] = (int32_t)harness_draw(&state, (uint64_t)parts);
        }
        whole_spread_parts(w);
        check_figures(h, w, parts);
        check_quotient(h, w, parts);
        whole_free(w);
    }
}

static void bad_figures(harness *h)
{
    inlay_partition_figures f = {.edge_cut = -7};
    inlay_quotient *q = NULL;
    whole *w = whole_grid(5, 4, 1, 0);
    harness_case(h, "figures of a part that is none");
    whole_share_blocks(h, w);
    w->part[17] = 3;
    whole_spread_parts(w);
    inlay_diag *diag = inlay_diag_new(), *other = inlay_diag_new(), *none = inlay_diag_new();
    check_fails(h, inlay_partition_evaluate(&w->share, w->share_part, 3, &f, diag), INLAY_BAD_ARGUMENT,
                "vertex 17 is in part 3; expected 0 to 2", diag);
    check(h, f.edge_cut == -7);
    check_fails(h, inlay_quotient_make(&w->share, w->share_part, 3, &q, other), INLAY_BAD_ARGUMENT, "vertex 17", other);
    check(h, q == NULL);
    check_fails(h, inlay_partition_evaluate(&w->share, w->share_part, 0, &f, none), INLAY_BAD_ARGUMENT, "0 parts",
                none);
    inlay_diag_free(diag);
    inlay_diag_free(other);
    inlay_diag_free(none);
    whole_free(w);
}

/* ---- Partitioners ---- */

static inlay_partition_options options_of(const whole *w, const char *method, int32_t parts, double imbalance)
{
    return (inlay_partition_options){.method = method,
                                     .parts = parts,
                                     .imbalance = imbalance,
                                     .seed = 5,
                                     .dimensions = w->dimensions,
                                     .coordinate = w->share_coordinate};
}

/* Partitions and checks what comes; where a vertex is too heavy, that it is said. */
static void check_method(harness *h, whole *w, const char *method, int32_t parts, double imbalance)
{
    inlay_partition_options o = options_of(w, method, parts, imbalance);
    inlay_diag *diag = inlay_diag_new();
    double average = (double)whole_load(w) / parts, bound = fmax((1 + imbalance) * average + 1e-9, ceil(average));
    memset(w->share_part, 0x55, (size_t)w->share.rows * sizeof *w->share_part);
    if ((double)whole_heaviest(w) >= floor(bound) + 1 && parts > 1) {
        check_fails(h, inlay_partition(&w->share, &o, w->share_part, diag), INLAY_NO_ANSWER, "a vertex weighs", diag);
        check(h, inlay_diag_remedy_value(diag) != NULL);
        check(h, w->share.rows == 0 || w->share_part[0] == 0x55555555);
    } else if (harness_ok(h, inlay_partition(&w->share, &o, w->share_part, diag), inlay_diag_message(diag), __FILE__,
                          __LINE__)) {
        whole_collect_parts(w);
        check_partition(h, w, parts, imbalance);
    }
    inlay_diag_free(diag);
}

static bool possible(const harness *h, const inlay_partitioner *p)
{
    return !p->one_rank || h->ranks == 1;
}

static void methods(harness *h)
{
    for (size_t m = 0; inlay_partitioner_at(m) != NULL; m++) {
        const inlay_partitioner *p = inlay_partitioner_at(m);
        uint64_t state = 23;
        for (int round = 0; round < 8 && possible(h, p); round++) {
            int32_t n = (int32_t)harness_draw(&state, 70) + 1, k = (int32_t)harness_draw(&state, (uint64_t)n) + 1;
            const int32_t parts[] = {1, 2, 3, k, n};
            whole *w = whole_random(&state, n, round, round % 2 == 0 ? 1 : 5, round == 3);
            if (round % 4 < 2) {
                whole_share_blocks(h, w);
            } else {
                whole_share_at_random(h, w, &state);
            }
            harness_case(h, "%s, graph %d of %d vertices, 1, 2, 3, %d and %d parts", p->name, round, (int)n, (int)k,
                         (int)n);
            for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
                if (parts[i] <= n) {
                    check_method(h, w, p->name, parts[i], round % 3 == 1 ? 0.5 : 0.05);
                }
            }
            whole_free(w);
        }
    }
}

/* What some graphs must give. */
static void check_cut(harness *h, whole *w, const char *method, int32_t parts, int64_t most)
{
    harness_case(h, "%s, %d vertices in %d parts, cut at most %lld", method, (int)w->n, (int)parts, (long long)most);
    check_method(h, w, method, parts, 0.05);
    if (whole_cut(w) > most) {
        printf("%s: cut %lld\n", method, (long long)whole_cut(w));
        check(h, whole_cut(w) <= most);
    }
}

static void known_cuts(harness *h)
{
    uint64_t state = 5;
    static const char *const all[] = {"best", "ptscotch", "rcb", "inertial"};
    for (size_t m = 0; m < sizeof all / sizeof *all; m++) {
        whole *path = whole_grid(40, 1, 1, 0.3), *square = whole_grid(16, 16, 1, 0);
        whole_share_at_random(h, path, &state);
        whole_share_at_random(h, square, &state);
        check_cut(h, path, all[m], 2, 1);
        check_cut(h, path, all[m], 5, m == 0 ? 8 : 4);
        check_cut(h, square, all[m], 2, m == 0 ? 18 : 16);
        check_cut(h, square, all[m], 4, 36);
        whole_free(path);
        whole_free(square);
    }
    whole *turned = whole_grid(30, 6, 2, 0.7);
    whole_share_at_random(h, turned, &state);
    check_cut(h, turned, "inertial", 5, 24);
    check_cut(h, turned, "rcb", 5, 60);
    whole_free(turned);
    whole *rows = whole_grid(10, 12, 1, 0);
    whole_share_at_random(h, rows, &state);
    check_cut(h, rows, "block", 4, 30);
    check_cut(h, rows, "block", 12, 110);
    whole_free(rows);
}

static void same_again(harness *h)
{
    for (size_t m = 0; inlay_partitioner_at(m) != NULL; m++) {
        const inlay_partitioner *p = inlay_partitioner_at(m);
        uint64_t state = 77;
        whole *w = whole_grid(20, 20, 1, 0.2);
        int32_t before[WHOLE_MOST];
        if (possible(h, p)) {
            harness_case(h, "%s twice", p->name);
            whole_share_at_random(h, w, &state);
            check_method(h, w, p->name, 7, 0.05);
            memcpy(before, w->part, sizeof before);
            inlay_partition_options o = options_of(w, p->name, 3, 0.1);
            o.seed = 99;
            check_ok(h, inlay_partition(&w->share, &o, w->share_part, h->diag));
            check_method(h, w, p->name, 7, 0.05);
            check(h, memcmp(before, w->part, sizeof before) == 0);
        }
        whole_free(w);
    }
}

/* ---- Options ---- */

static void check_refused(harness *h, whole *w, const inlay_partition_options *o, int status, const char *text)
{
    inlay_diag *diag = inlay_diag_new();
    memset(w->share_part, 0x55, (size_t)w->share.rows * sizeof *w->share_part);
    check_fails(h, inlay_partition(&w->share, o, w->share_part, diag), status, text, diag);
    check(h, w->share.rows == 0 || w->share_part[0] == 0x55555555);
    inlay_diag_free(diag);
}

static void bad_options(harness *h)
{
    whole *w = whole_grid(4, 3, 1, 0);
    whole_share_blocks(h, w);
    harness_case(h, "options that cannot be");
    inlay_partition_options good = options_of(w, NULL, 3, 0), o = good;
    o.method = "finest";
    check_refused(h, w, &o, INLAY_BAD_ARGUMENT, "unknown partitioner 'finest'");
    o = good;
    o.parts = 0;
    check_refused(h, w, &o, INLAY_BAD_ARGUMENT, "0 parts; expected at least 1");
    o.parts = 13;
    check_refused(h, w, &o, INLAY_BAD_ARGUMENT, "13 parts of 12 vertices");
    o = good;
    o.imbalance = -0.5;
    check_refused(h, w, &o, INLAY_BAD_ARGUMENT, "imbalance -0.5");
    o.imbalance = NAN;
    check_refused(h, w, &o, INLAY_BAD_ARGUMENT, "imbalance");
    o = good;
    o.method = "rcb";
    o.dimensions = 0;
    check_refused(h, w, &o, INLAY_BAD_ARGUMENT, "rcb needs the coordinates");
    o.dimensions = 4;
    check_refused(h, w, &o, INLAY_BAD_ARGUMENT, "4 dimensions");
    o.dimensions = 2;
    o.coordinate = NULL;
    check_refused(h, w, &o, INLAY_BAD_ARGUMENT, "coordinates of 2 dimensions are missing");
    o = good;
    double kept = w->share.rows > 0 ? w->share_coordinate[0] : 0;
    if (w->share.rows > 0) {
        w->share_coordinate[0] = NAN;
    }
    check_refused(h, w, &o, INLAY_BAD_ARGUMENT, "vertex 0 has a coordinate that is no number");
    w->share_coordinate[0] = kept;
    if (h->ranks > 1) {
        o.method = "metis";
        check_refused(h, w, &o, INLAY_BAD_ARGUMENT, "metis runs on one rank");
        o = good;
        o.parts = h->rank == 1 ? 2 : 3;
        check_refused(h, w, &o, INLAY_BAD_ARGUMENT, "ranks ask for different partitions");
    }
    whole_free(w);
}

static void more_parts_than_vertices(harness *h)
{
    for (size_t m = 0; inlay_partitioner_at(m) != NULL; m++) {
        whole *w = whole_grid(5, 1, 1, 0), *none = whole_empty(0);
        whole_share_blocks(h, w);
        whole_share_blocks(h, none);
        if (possible(h, inlay_partitioner_at(m))) {
            harness_case(h, "%s, 8 parts of 5 vertices and of none", inlay_partitioner_at(m)->name);
            inlay_partition_options o = options_of(w, inlay_partitioner_at(m)->name, 8, 0);
            o.empty = true;
            check_ok(h, inlay_partition(&w->share, &o, w->share_part, h->diag));
            whole_collect_parts(w);
            check_partition(h, w, 5, 0);
            check_ok(h, inlay_partition(&none->share, &o, none->share_part, h->diag));
        }
        whole_free(w);
        whole_free(none);
    }
}

static void heavy_vertex(harness *h)
{
    whole *w = whole_grid(6, 2, 1, 0);
    w->unit = false;
    w->load[3] = 50;
    whole_share_blocks(h, w);
    harness_case(h, "a vertex that is too heavy");
    inlay_partition_options o = options_of(w, "ptscotch", 2, 0.1);
    check_refused(h, w, &o, INLAY_NO_ANSWER, "a vertex weighs 50, more than the 33");
    inlay_diag *diag = inlay_diag_new();
    check_fails(h, inlay_partition(&w->share, &o, w->share_part, diag), INLAY_NO_ANSWER, "a vertex weighs 50", diag);
    o.imbalance = plain_number(inlay_diag_remedy_value(diag), NULL);
    check_ok(h, inlay_partition(&w->share, &o, w->share_part, h->diag));
    inlay_diag_free(diag);
    whole_free(w);
}

/* ---- Verification and repair ---- */

static partition_job job_of(const whole *w, int32_t parts)
{
    int64_t total = whole_load(w), heaviest = whole_heaviest(w), k = parts;
    int64_t target = (int64_t)floor(1.05 * (double)total / (double)k + 1e-9), least = (total + k - 1) / k;
    partition_job job = {
        .method = "nobody", .parts = parts, .weights = 1, .imbalance = 0.05, .total = total, .heaviest = heaviest};
    job.target = target > least ? target : least;
    job.limit = (total + (k - 1) * heaviest) / k > job.target ? (total + (k - 1) * heaviest) / k : job.target;
    return job;
}

static void check_unverified(harness *h, whole *w, const partition_job *job, int status, const char *text)
{
    inlay_diag *diag = inlay_diag_new();
    whole_spread_parts(w);
    check_fails(h, partition_verify(&w->share, job, w->share_part, diag), status, text, diag);
    inlay_diag_free(diag);
}

static void verification(harness *h)
{
    uint64_t state = 3;
    whole *w = whole_grid(8, 5, 1, 0);
    whole_share_at_random(h, w, &state);
    partition_job job = job_of(w, 4);
    harness_case(h, "a good partition, and bad ones");
    for (int32_t i = 0; i < w->n; i++) {
        w->part[i] = i / 10;
    }
    whole_spread_parts(w);
    check_ok(h, partition_verify(&w->share, &job, w->share_part, h->diag));
    w->part[12] = 4;
    check_unverified(h, w, &job, INLAY_BAD_ARGUMENT, "vertex 12 is in part 4; expected 0 to 3");
    w->part[12] = -1;
    check_unverified(h, w, &job, INLAY_BAD_ARGUMENT, "vertex 12 is in part -1");
    w->part[12] = 2;
    check_unverified(h, w, &job, INLAY_NO_ANSWER, "nobody made part 2 weigh 11; expected at most 10");
    job.limit = 20;
    for (int32_t i = 0; i < w->n; i++) {
        w->part[i] = i / 10 == 1 ? 3 : i / 10;
    }
    check_unverified(h, w, &job, INLAY_NO_ANSWER, "nobody left part 1 of 4 empty");
    whole_free(w);
}

static void check_repair(harness *h, whole *w, int32_t parts)
{
    partition_job job = job_of(w, parts);
    inlay_diag *diag = inlay_diag_new();
    whole_spread_parts(w);
    check_ok(h, partition_repair(&w->share, &job, w->share_part, diag));
    whole_collect_parts(w);
    check_partition(h, w, parts, 0.05);
    check(h, inlay_diag_warnings(diag) > 0);
    inlay_diag_free(diag);
}

static void repair(harness *h)
{
    uint64_t state = 31;
    for (int round = 0; round < 10; round++) {
        int32_t n = (int32_t)harness_draw(&state, 80) + 4, parts = (int32_t)harness_draw(&state, (uint64_t)n / 2) + 2;
        whole *w = whole_random(&state, n, round % 5, round % 2 == 0 ? 1 : 30, round == 3);
        harness_case(h, "repair of %d parts of %d vertices", (int)parts, (int)n);
        whole_share_at_random(h, w, &state);
        for (int32_t i = 0; i < n; i++) { /* all in one, or some parts without a vertex */
            w->part[i] = round % 3 == 0 ? parts - 1 : (int32_t)harness_draw(&state, (uint64_t)parts - 1);
        }
        check_repair(h, w, parts);
        whole_free(w);
    }
    /* A half that is too large gives its border away, and the cut stays as it was. */
    whole *w = whole_grid(20, 10, 1, 0);
    whole_share_at_random(h, w, &state);
    harness_case(h, "repair along a border");
    for (int32_t i = 0; i < w->n; i++) {
        w->part[i] = i % 20 >= 14;
    }
    check_repair(h, w, 2);
    check(h, whole_cut(w) <= 20);
    whole_free(w);
}

void suite_partition(harness *h);

void suite_partition(harness *h)
{
    figures(h);
    bad_figures(h);
    verification(h);
    repair(h);
    bad_options(h);
    heavy_vertex(h);
    more_parts_than_vertices(h);
    methods(h);
    known_cuts(h);
    same_again(h);
}
