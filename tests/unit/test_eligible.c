/*
 * Clustering and reduction on processors that differ, against what follows from the rules in docs/links.md: enough
 * processors for clusters that only some kinds can take, clusterings that hold up to the next time frame, longest clusters
 * that no other assignment makes shorter. Everything is counted anew here, from the applications' own times.
 */
#include "drawn.h"
#include "map_by_houstis.h"
#include "random_app.h"
#include "unit.h"

#include <inlay/io.h>
#include <inlay/pareto.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = DRAWN_FLEET, MOST_HOSTS = 6, MOST_KINDS = 6, MODULES = 24 };

typedef struct subject {
    int seed;
    uint64_t state;
    inlay_app *app;
    inlay_machine *machine;
    int hosts, kinds;
    int kind_of[MOST_HOSTS];
    inlay_processor kind[MOST_KINDS];
    int count[MOST_KINDS];
} subject;

/* ---- Making ---- */

static void make_app(subject *s)
{
    static char text[64 * 1024];
    size_t used = (size_t)snprintf(text, sizeof text, "digraph a { graph [time_unit=tick];\n");
    int modules = 2 + (int)random_below(&s->state, MODULES - 1);
    for (int i = 0; i < modules; i++) {
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "m%d [time=%d", i, 1 + (int)random_below(&s->state, 40));
        if (random_once_in(&s->state, 3))
            used += (size_t)snprintf(text + used, sizeof text - used, ", \"time.gpu\"=%d",
                                     1 + (int)random_below(&s->state, 60));
        if (random_once_in(&s->state, 3))
            used +=
                (size_t)snprintf(text + used, sizeof text - used, ", memory=%d", 1 + (int)random_below(&s->state, 900));
        used += (size_t)snprintf(text + used, sizeof text - used, "];\n");
    }
    for (int i = 0; i < modules; i++)
        for (int j = i + 1; j < modules; j++)
            if (random_once_in(&s->state, 6))
                used += (size_t)snprintf(text + used, sizeof text - used, "m%d -> m%d [messages=%d];\n", i, j,
                                         (int)random_below(&s->state, 9));
    snprintf(text + used, sizeof text - used, "}\n");
    ck_assert_int_eq(inlay_app_read_memory(text, strlen(text), "a.dot", "dot", &s->app, NULL), INLAY_OK);
}

static bool alike(const inlay_processor *a, const inlay_processor *b)
{
    return !strcmp(a->type ? a->type : "", b->type ? b->type : "") && a->speed == b->speed && a->memory == b->memory;
}

static void make_machine(subject *s)
{
    static const char *const speeds[] = {"1", "0.5", "0.25", "1"};
    char text[4096];
    size_t used = (size_t)snprintf(text, sizeof text, "graph m { graph [network=links]; s [kind=switch];\n");
    s->hosts = 2 + (int)random_below(&s->state, MOST_HOSTS - 1);
    for (int h = 0; h < s->hosts; h++) {
        /* the first is the fastest, so that a grain of T is a grain of work */
        used += (size_t)snprintf(text + used, sizeof text - used, "p%d [speed=%s", h,
                                 speeds[h == 0 ? 0 : random_below(&s->state, 4)]);
        if (random_once_in(&s->state, 3)) used += (size_t)snprintf(text + used, sizeof text - used, ", type=gpu");
        if (random_once_in(&s->state, 3)) used += (size_t)snprintf(text + used, sizeof text - used, ", memory=6000");
        used += (size_t)snprintf(text + used, sizeof text - used, "]; p%d -- s [capacity=\"1000msg/tick\"];\n", h);
    }
    snprintf(text + used, sizeof text - used, "}\n");
    ck_assert_int_eq(inlay_machine_read_memory(text, strlen(text), "m.dot", "dot", &s->machine, NULL), INLAY_OK);
    for (int h = 0; h < s->hosts; h++) {
        inlay_processor p = inlay_machine_processor(s->machine, h);
        int k = 0;
        while (k < s->kinds && !alike(&p, &s->kind[k]))
            k++;
        s->kind[k] = p;
        s->kinds += k == s->kinds;
        s->kind_of[h] = k;
        s->count[k]++;
    }
}

static void open_subject(subject *s, int seed)
{
    memset(s, 0, sizeof *s);
    s->seed = seed;
    s->state = (uint64_t)seed;
    make_app(s);
    make_machine(s);
}

static void close_subject(subject *s)
{
    inlay_machine_free(s->machine);
    inlay_app_free(s->app);
}

/* ---- Counting ---- */

/* Time of a module on a kind, ticks. */
static double time_on(const subject *s, inlay_id module, int kind)
{
    inlay_time own = -1;
    for (int t = 0; s->kind[kind].type && t < inlay_app_types(s->app); t++)
        if (!strcmp(inlay_app_type_name(s->app, t), s->kind[kind].type)) own = inlay_app_type_time(s->app, t, module);
    if (own < 0) own = inlay_app_time(s->app, module);
    return inlay_app_in_units(s->app, own) / s->kind[kind].speed;
}

/* The kinds that can take all modules of a cluster within T: a set, one bit a kind. */
static unsigned takers(const subject *s, const inlay_id *cluster_of, inlay_id cluster, double frame)
{
    unsigned set = 0;
    for (int k = 0; k < s->kinds; k++) {
        double time = 0;
        int64_t memory = 0;
        for (inlay_id i = 0; i < inlay_app_modules(s->app); i++)
            if (cluster_of[i] == cluster) {
                time += time_on(s, i, k);
                memory += inlay_app_memory(s->app, i);
            }
        if (time <= frame * (1 + 1e-9) && (s->kind[k].memory < 0 || memory <= s->kind[k].memory)) set |= 1U << k;
    }
    return set;
}

/* Clusters that only kinds of a set can take, less the processors of these kinds; 0 where there are enough. */
static int lacking(const subject *s, const inlay_id *cluster_of, inlay_id clusters, double frame, unsigned set)
{
    int needed = 0, room = 0;
    for (inlay_id c = 0; c < clusters; c++)
        needed += (takers(s, cluster_of, c, frame) & ~set) == 0;
    for (int k = 0; k < s->kinds; k++)
        room += set >> k & 1 ? s->count[k] : 0;
    return needed > room ? needed - room : 0;
}

/* ---- Tests ---- */

static int cluster_at(const subject *s, inlay_time frame, inlay_clustering *clustering)
{
    inlay_options options = {.has_time_frame = true, .time_frame = {{frame, 0}, INLAY_UNIT_TICK}};
    return inlay_cluster(s->app, s->machine, &options, clustering, NULL);
}

START_TEST(enough_processors_for_picky_clusters)
{
    subject s;
    open_subject(&s, _i);
    inlay_id modules = inlay_app_modules(s.app), alone[MODULES + 1];
    int answered = 0;
    for (inlay_id i = 0; i < modules; i++)
        alone[i] = i;
    for (inlay_time frame = 20; frame <= 640; frame *= 2) {
        inlay_clustering c;
        if (cluster_at(&s, frame, &c) != INLAY_OK) continue;
        answered++;
        for (unsigned set = 1; set + 1 < 1U << s.kinds; set++) {
            int before = lacking(&s, alone, modules, (double)frame, set);
            int after = lacking(&s, c.cluster_of, c.clusters, (double)frame, set);
            ck_assert_msg(after <= before, "seed %d, T %ld, kinds %x: %d too many, %d before", s.seed, (long)frame, set,
                          after, before);
        }
        for (inlay_id k = 0; k < c.clusters; k++)
            ck_assert_msg(takers(&s, c.cluster_of, k, (double)frame) != 0, "seed %d, T %ld: cluster %d fits nowhere",
                          s.seed, (long)frame, k);
        inlay_clustering_clear(&c);
    }
    ck_assert_int_gt(answered, 0);
    close_subject(&s);
}
END_TEST

START_TEST(clusterings_hold_until_the_next_frame)
{
    subject s;
    open_subject(&s, _i);
    for (inlay_time frame = 40; frame <= 320; frame *= 2) {
        inlay_clustering here, there;
        if (cluster_at(&s, frame, &here) != INLAY_OK) continue;
        inlay_time last = here.next_known ? here.next_frame - 1 : 100000;
        if (last > frame) {
            ck_assert_int_eq(cluster_at(&s, last, &there), INLAY_OK);
            ck_assert_int_eq(here.clusters, there.clusters);
            for (inlay_id i = 0; i < inlay_app_modules(s.app); i++)
                ck_assert_msg(here.cluster_of[i] == there.cluster_of[i], "seed %d: T %ld and %ld differ at module %d",
                              s.seed, (long)frame, (long)last, i);
            inlay_clustering_clear(&there);
        }
        inlay_clustering_clear(&here);
    }
    close_subject(&s);
}
END_TEST

/* The least that the longest cluster can take: every assignment of clusters from `cluster` on to free processors. */
static double shortest(const subject *s, double work[][MOST_KINDS], const int64_t *memory, int clusters, int cluster,
                       unsigned taken)
{
    double best = INFINITY;
    if (cluster == clusters) return 0;
    for (int h = 0; h < s->hosts; h++) {
        int k = s->kind_of[h];
        if (taken >> h & 1 || (s->kind[k].memory >= 0 && memory[cluster] > s->kind[k].memory)) continue;
        double rest = shortest(s, work, memory, clusters, cluster + 1, taken | 1U << h);
        best = fmin(best, fmax(work[cluster][k], rest));
    }
    return best;
}

START_TEST(no_assignment_has_a_shorter_longest_cluster)
{
    subject s;
    inlay_mapping *mapping = NULL;
    open_subject(&s, _i);
    if (map_by_houstis(s.app, s.machine, NULL, &mapping, NULL) == INLAY_OK) {
        double work[MOST_HOSTS][MOST_KINDS] = {0}, longest = 0;
        int64_t memory[MOST_HOSTS] = {0};
        int clusters = (int)inlay_mapping_summary(mapping)->clusters;
        ck_assert_int_le(clusters, s.hosts);
        for (inlay_id i = 0; i < inlay_app_modules(s.app); i++) {
            inlay_id c = inlay_mapping_cluster_of(mapping, i);
            memory[c] += inlay_app_memory(s.app, i);
            for (int k = 0; k < s.kinds; k++)
                work[c][k] += time_on(&s, i, k);
        }
        unsigned seen = 0;
        for (inlay_id c = 0; c < clusters; c++) {
            inlay_cluster_info info = inlay_mapping_cluster(mapping, c);
            int kind = s.kind_of[info.processor];
            longest = fmax(longest, work[c][kind]);
            ck_assert_msg(!(seen >> info.processor & 1), "seed %d: two clusters on one processor", s.seed);
            ck_assert_msg(s.kind[kind].memory < 0 || memory[c] <= s.kind[kind].memory, "seed %d: memory", s.seed);
            seen |= 1U << info.processor;
        }
        double least = shortest(&s, work, memory, clusters, 0, 0);
        ck_assert_msg(longest <= least * (1 + 1e-9), "seed %d: %g, and %g is possible", s.seed, longest, least);
        inlay_mapping_free(mapping);
    }
    close_subject(&s);
}
END_TEST

/* A processor four times as fast and three others are worth seven like them, where work can be divided at will. */
START_TEST(work_is_dealt_out_by_speed)
{
    static const char machine_text[] =
        "graph m { graph [network=links]; s [kind=switch]; p0 [speed=4]; p1; p2; p3; node [speed=1];\n"
        "p0 -- s [capacity=\"1000msg/tick\"]; p1 -- s [capacity=\"1000msg/tick\"];\n"
        "p2 -- s [capacity=\"1000msg/tick\"]; p3 -- s [capacity=\"1000msg/tick\"]; }\n";
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = NULL;
    static char text[32 * 1024];
    size_t used = (size_t)snprintf(text, sizeof text, "digraph a { graph [time_unit=tick];\n");
    for (int i = 0; i < 280; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "m%d [time=10];\n", i);
    snprintf(text + used, sizeof text - used, "}\n");
    ck_assert_int_eq(inlay_app_read_memory(text, strlen(text), "a.dot", "dot", &app, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_machine_read_memory(machine_text, strlen(machine_text), "m.dot", "dot", &machine, NULL),
                     INLAY_OK);
    ck_assert_int_eq(map_by_houstis(app, machine, NULL, &mapping, NULL), INLAY_OK);
    const inlay_summary *sum = inlay_mapping_summary(mapping);
    ck_assert_double_eq_tol(sum->lower_bound, 400, 1e-9);
    inlay_machine *seven = NULL;
    inlay_mapping *alike = NULL;
    ck_assert_int_eq(inlay_machine_parse("star:7,capacity=1000msg/tick", &seven, NULL), INLAY_OK);
    ck_assert_int_eq(map_by_houstis(app, seven, NULL, &alike, NULL), INLAY_OK);
    ck_assert_double_le(sum->estimate, 1.1 * inlay_mapping_summary(alike)->estimate);
    inlay_mapping_free(alike);
    inlay_machine_free(seven);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

/* What a point of a front promises its mapping keeps, however it was reduced. */
START_TEST(points_are_what_their_mappings_are)
{
    subject s;
    inlay_pareto_result *front = NULL;
    open_subject(&s, _i);
    if (inlay_pareto(s.app, s.machine, NULL, &front, NULL) == INLAY_OK) {
        for (size_t i = 0; i < inlay_pareto_points(front); i++) {
            const inlay_pareto_point *point = inlay_pareto_point_at(front, i);
            inlay_mapping *mapping = NULL;
            ck_assert_int_eq(inlay_pareto_mapping(front, i, &mapping, NULL), INLAY_OK);
            const inlay_summary *sum = inlay_mapping_summary(mapping);
            ck_assert_msg(sum->clusters == point->clusters && sum->elapsed == point->elapsed,
                          "seed %d, point %zu: %g on %d, its mapping %g on %d", s.seed, i, point->elapsed,
                          point->clusters, sum->elapsed, sum->clusters);
            inlay_mapping_free(mapping);
        }
        inlay_pareto_free(front);
    }
    close_subject(&s);
}
END_TEST

Suite *suite_eligible(void)
{
    Suite *suite = suite_create("eligible");
    TCase *unlike = tcase_create("unlike");
    tcase_add_loop_test(unlike, enough_processors_for_picky_clusters, 0, SEEDS);
    tcase_add_loop_test(unlike, clusterings_hold_until_the_next_frame, 0, SEEDS);
    tcase_add_loop_test(unlike, no_assignment_has_a_shorter_longest_cluster, 0, SEEDS);
    tcase_add_loop_test(unlike, points_are_what_their_mappings_are, 0, SEEDS / 5);
    tcase_add_test(unlike, work_is_dealt_out_by_speed);
    suite_add_tcase(suite, unlike);
    return suite;
}
