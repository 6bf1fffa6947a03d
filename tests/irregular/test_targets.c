/* Partitions whose parts shall not weigh the same: every method keeps the targets, measured over the whole graph. */
#include "harness.h"
#include "irregular/partition/partitioner.h"
#include "whole_graph.h"
#include <math.h>
#include <string.h>

static inlay_partition_options options_of(const whole *w, const char *method, int32_t parts, double imbalance,
                                          const double *target)
{
    return (inlay_partition_options){.method = method,
                                     .parts = parts,
                                     .imbalance = imbalance,
                                     .target = target,
                                     .seed = 5,
                                     .dimensions = w->dimensions,
                                     .coordinate = w->share_coordinate};
}

static double share_of(const double *target, int32_t parts, int32_t p)
{
    double sum = 0;
    for (int32_t q = 0; q < parts; q++) {
        sum += target[q];
    }
    return target[p] / sum;
}

/* What a part may weigh: above its share by the imbalance, or by what is finer than a vertex; or as one vertex. */
static double bound_of(const whole *w, const double *target, int32_t parts, double imbalance, int32_t p)
{
    double share = (double)whole_load(w) * share_of(target, parts, p), heaviest = (double)whole_heaviest(w);
    double finer = ceil(share) + floor(heaviest * (1 - 1.0 / parts));
    return fmax(fmax((1 + imbalance) * share + 1e-9, finer), heaviest);
}

static void check_targets(harness *h, const whole *w, const double *target, int32_t parts, double imbalance)
{
    for (int32_t p = 0; p < parts; p++) {
        check(h, whole_part_present(w, p));
        check(h, (double)whole_part_load(w, p) <= bound_of(w, target, parts, imbalance, p));
    }
}

/* The largest part may weigh so much. */
static double largest(const whole *w, const double *target, int32_t parts, double imbalance)
{
    double most = 0;
    for (int32_t p = 0; p < parts; p++) {
        most = fmax(most, share_of(target, parts, p));
    }
    return fmax((1 + imbalance) * (double)whole_load(w) * most, floor((double)whole_load(w) * most));
}

static void draw_targets(uint64_t *state, double *target, int32_t parts, int round)
{
    for (int32_t p = 0; p < parts; p++) {
        uint64_t drawn = harness_draw(state, 8);
        target[p] = round % 3 == 0 ? (double)drawn + 1 : round % 3 == 1 ? ldexp(1, (int)drawn) : p == 0 ? 1e300 : 1e299;
    }
}

static void check_method(harness *h, whole *w, const inlay_partition_options *o)
{
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_partition(&w->share, o, w->share_part, diag);
    double heaviest = (double)whole_heaviest(w), most = largest(w, o->target, o->parts, o->imbalance);
    if (status == INLAY_OK) {
        whole_collect_parts(w);
        check_targets(h, w, o->target, o->parts, o->imbalance);
    } else { /* which only a vertex does that is heavier than the largest part may be, to the next whole number */
        check(h, status == INLAY_NO_ANSWER && heaviest > most - 1 && o->parts > 1);
        check(h, strstr(inlay_diag_message(diag), "a vertex weighs") != NULL);
    }
    check(h, status != INLAY_OK || o->parts == 1 || heaviest <= most + 1);
    inlay_diag_free(diag);
}

static void methods(harness *h)
{
    for (size_t m = 0; inlay_partitioner_at(m) != NULL; m++) {
        const inlay_partitioner *method = inlay_partitioner_at(m);
        uint64_t state = 41;
        for (int round = 0; round < 12 && (!method->one_rank || h->ranks == 1); round++) {
            int32_t n = (int32_t)harness_draw(&state, 90) + 1, k = (int32_t)harness_draw(&state, (uint64_t)n) + 1;
            double target[WHOLE_MOST];
            whole *w = whole_random(&state, n, round % 5 + 1, round % 2 == 0 ? 1 : 7, round == 3);
            int32_t parts = round % 4 == 3 ? n : k < 9 ? k : 9;
            draw_targets(&state, target, parts, round);
            if (round % 4 < 2) {
                whole_share_blocks(h, w);
            } else {
                whole_share_at_random(h, w, &state);
            }
            harness_case(h, "%s, graph %d of %d vertices, %d parts of unlike targets", method->name, round, (int)n,
                         (int)parts);
            inlay_partition_options o = options_of(w, method->name, parts, 0.05, target);
            check_method(h, w, &o);
            whole_free(w);
        }
    }
}

/* On a grid of unit loads every method meets the targets by itself: nothing is left to repair. */
static void close_to_them(harness *h)
{
    static const double target[] = {4, 1, 2, 1};
    for (size_t m = 0; inlay_partitioner_at(m) != NULL; m++) {
        const inlay_partitioner *method = inlay_partitioner_at(m);
        if (method->one_rank && h->ranks > 1) {
            continue;
        }
        whole *w = whole_grid(20, 20, 1, 0.2);
        whole_share_blocks(h, w);
        harness_case(h, "%s, a grid in parts of 4, 1, 2 and 1", method->name);
        inlay_partition_options o = options_of(w, method->name, 4, 0.03, target);
        inlay_diag *diag = inlay_diag_new();
        check_ok(h, inlay_partition(&w->share, &o, w->share_part, diag));
        whole_collect_parts(w);
        for (int32_t p = 0; p < 4; p++) {
            double share = 400 * target[p] / 8;
            check(h, (double)whole_part_load(w, p) <= 1.03 * share + 1e-9);
            check(h, (double)whole_part_load(w, p) >= share - 0.03 * 350);
        }
        check(h, inlay_diag_warnings(diag) == 0);
        check(h, whole_cut(w) <= (strcmp(method->name, "block") == 0 ? 62 : 90));
        inlay_diag_free(diag);
        whole_free(w);
    }
}

/* Equal targets are no targets. */
static void equal(harness *h)
{
    double target[7];
    for (int32_t p = 0; p < 7; p++) {
        target[p] = 0.3;
    }
    whole *w = whole_grid(12, 9, 1, 0.2);
    whole_share_blocks(h, w);
    harness_case(h, "equal targets");
    inlay_partition_options o = options_of(w, "rcb", 7, 0.05, target);
    check_ok(h, inlay_partition(&w->share, &o, w->share_part, h->diag));
    whole_collect_parts(w);
    for (int32_t p = 0; p < 7; p++) {
        check(h, whole_part_load(w, p) >= 15 && whole_part_load(w, p) <= 16);
    }
    whole_free(w);
}

static void figures(harness *h)
{
    static const int64_t load[] = {40, 30, 30}, none[] = {0, 0, 0};
    static const double target[] = {2, 1, 1};
    harness_case(h, "imbalance of loads by targets");
    check(h, fabs(inlay_partition_imbalance(load, target, 3) - 0.2) < 1e-12);
    check(h, fabs(inlay_partition_imbalance(load, NULL, 3) - 0.2) < 1e-12);
    check(h, fabs(inlay_partition_imbalance(load, target, 2) - (30.0 / 70 * 3 - 1)) < 1e-12);
    check(h, inlay_partition_imbalance(none, target, 3) == 0);
}

static void check_refused(harness *h, whole *w, const double *target, int32_t parts, const char *text)
{
    inlay_partition_options o = options_of(w, "rcb", parts, 0.05, target);
    inlay_diag *diag = inlay_diag_new();
    memset(w->share_part, 0x55, (size_t)w->share.rows * sizeof *w->share_part);
    check_fails(h, inlay_partition(&w->share, &o, w->share_part, diag), INLAY_BAD_ARGUMENT, text, diag);
    check(h, w->share.rows == 0 || w->share_part[0] == 0x55555555);
    inlay_diag_free(diag);
}

static void hostile(harness *h)
{
    static const double zero[] = {1, 0, 1}, negative[] = {1, 1, -2}, nan[] = {NAN, 1, 1}, infinite[] = {1, INFINITY, 1};
    whole *w = whole_grid(6, 4, 1, 0);
    whole_share_blocks(h, w);
    harness_case(h, "targets that cannot be");
    check_refused(h, w, zero, 3, "the target of part 1 is 0; expected a number above 0");
    check_refused(h, w, negative, 3, "the target of part 2 is -2");
    check_refused(h, w, nan, 3, "the target of part 0 is ");
    check_refused(h, w, infinite, 3, "the target of part 1 is inf");
    if (h->ranks > 1) {
        const double mine[] = {1, h->rank == 1 ? 2 : 3, 1}, alike[] = {1, 1, 1};
        check_refused(h, w, mine, 3, "ranks ask for different targets");
        check_refused(h, w, h->rank == 1 ? NULL : alike, 3, "ranks ask for different targets");
    }
    whole_free(w);
    w = whole_grid(6, 2, 1, 0);
    w->unit = false;
    w->load[3] = 50;
    whole_share_blocks(h, w);
    harness_case(h, "a vertex too heavy for the largest target, and one that it has room for");
    static const double small[] = {2, 1}, large[] = {1, 9};
    inlay_partition_options o = options_of(w, "rcb", 2, 0.1, small);
    inlay_diag *diag = inlay_diag_new();
    check_fails(h, inlay_partition(&w->share, &o, w->share_part, diag), INLAY_NO_ANSWER,
                "a vertex weighs 50, more than the 44 that the largest of 2 parts may", diag);
    o.target = large;
    check_ok(h, inlay_partition(&w->share, &o, w->share_part, h->diag));
    whole_collect_parts(w);
    check_targets(h, w, large, 2, 0.1);
    inlay_diag_free(diag);
    whole_free(w);
}

void suite_targets(harness *h);

void suite_targets(harness *h)
{
    figures(h);
    hostile(h);
    equal(h);
    methods(h);
    close_to_them(h);
}
