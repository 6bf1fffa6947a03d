/*
 * Reduction of parallelism against the slow reference, on shapes that tie: equal works, works of zero, crowds on one
 * level and on many, traffic within a level, memory, pins, overlap, time frames that bind, starts of any kind. And
 * clusters joined at once against the same clusters merged one by one.
 */
#include "drawn.h"
#include "cluster/narrow_join.h"
#include "random_app.h"
#include "slow.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = DRAWN_REDUCE, LARGE_SEEDS = 5, FEW_MODULES = 26, MOST_MODULES = SLOW_MODULES, WAYS = 6 };

typedef struct question {
    int seed;
    uint64_t state;
    inlay_app *app;
    inlay_machine *machine;
    inlay_options options;
    slow_problem problem;
    inlay_id start_of[MOST_MODULES];
    inlay_clustering start;
} question;

/* ---- Shapes ---- */

/** What the modules of one graph have in common. */
typedef struct shape {
    inlay_id modules, levels;
    inlay_id crowded;   /* so many levels hold all that are not of the chain */
    int64_t works;      /* a module takes one of so many times */
    int64_t least_work; /* the first of them */
    int64_t messages;   /* of a link: 0 .. messages - 1 */
    int64_t apart;      /* one pair of a level in so many communicates; 0: none */
    int64_t in_all;     /* the same between levels, without precedence */
    bool memory, pins;
} shape;

static shape random_shape(uint64_t *state)
{
    shape s = {.modules = 1 + (inlay_id)random_below(state, FEW_MODULES),
               .works = 1 + random_below(state, 4),
               .least_work = random_below(state, 3),
               .messages = 1 + random_below(state, 4),
               .apart = random_below(state, 4) * 2,
               .in_all = random_below(state, 4) * 4,
               .memory = random_once_in(state, 5),
               .pins = random_once_in(state, 6)};
    s.levels = 1 + (inlay_id)random_below(state, random_once_in(state, 3) ? s.modules : 4);
    if (random_once_in(state, 3)) { /* many clusters that add no work */
        s.works = 1 + random_below(state, 2);
        s.least_work = 0;
        s.levels = 3 + (inlay_id)random_below(state, 10);
    }
    s.levels = s.levels < s.modules ? s.levels : s.modules;
    s.crowded = random_once_in(state, 2) ? s.levels : 1 + (inlay_id)random_below(state, s.levels);
    return s;
}

/** So many modules in so few levels, and so much traffic between them, that clusters have very many neighbours. */
static shape large_shape(uint64_t *state)
{
    inlay_id levels = 2 + (inlay_id)random_below(state, 3);
    return (shape){.modules = 36 + (inlay_id)random_below(state, 5),
                   .levels = levels,
                   .crowded = 1 + (inlay_id)random_below(state, levels),
                   .works = 1 + random_below(state, 3),
                   .least_work = random_below(state, 2),
                   .messages = 1 + random_below(state, 3),
                   .apart = random_below(state, 4),
                   .in_all = 1 + random_below(state, 2),
                   .memory = random_once_in(state, 6)};
}

static void add_modules(uint64_t *state, const shape *s, inlay_app_builder *builder)
{
    for (inlay_id i = 0; i < s->modules; i++) {
        char name[16];
        snprintf(name, sizeof name, "m%d", (int)i);
        inlay_module module = {.name = name,
                               .time = {{s->least_work + random_below(state, s->works), 0}, INLAY_UNIT_NONE},
                               .memory = s->memory ? random_below(state, 4) * 1024 : 0,
                               .pinned = s->pins && random_once_in(state, 4)};
        module.pin = module.pinned ? (inlay_id)random_below(state, 3) : 0;
        ck_assert_int_eq(inlay_app_add_module(builder, &module, NULL), INLAY_OK);
    }
}

/** A chain through the levels, and all other modules after one of the chain. */
static void add_links(uint64_t *state, const shape *s, inlay_app_builder *builder)
{
    inlay_id level[MOST_MODULES];
    for (inlay_id i = 0; i < s->modules; i++) {
        level[i] = i < s->levels ? i : (inlay_id)random_below(state, s->crowded) * s->levels / s->crowded;
        if (level[i] > 0) {
            int64_t messages = random_below(state, s->messages);
            ck_assert_int_eq(inlay_app_add_link(builder, level[i] - 1, i, messages, 0, 0, NULL), INLAY_OK);
        }
    }
    for (inlay_id i = 0; i < s->modules; i++)
        for (inlay_id j = i + 1; j < s->modules; j++) {
            int64_t times = level[i] == level[j] ? s->apart : s->in_all;
            if (times == 0 || !random_once_in(state, times)) continue;
            int64_t messages = 1 + random_below(state, s->messages);
            ck_assert_int_eq(inlay_app_add_link(builder, j, i, messages, 0, INLAY_LINK_TRAFFIC_ONLY, NULL), INLAY_OK);
        }
}

/** A cluster a module, random clusters, or some modules together. */
static void choose_start(question *ask, const shape *s)
{
    int64_t way = s->pins ? 0 : random_below(&ask->state, 3);
    inlay_id clusters = 1 + (inlay_id)random_below(&ask->state, s->modules), number[MOST_MODULES];
    ask->start = (inlay_clustering){.cluster_of = ask->start_of};
    for (inlay_id i = 0; i < s->modules; i++)
        number[i] = -1;
    for (inlay_id i = 0; i < s->modules; i++) {
        inlay_id of = way == 0 || (way == 1 && i > 0 && random_once_in(&ask->state, 2))
                          ? i
                          : (inlay_id)random_below(&ask->state, way == 1 ? i + 1 : clusters);
        if (number[of] < 0) number[of] = ask->start.clusters++;
        ask->start_of[i] = number[of];
    }
}

static void open_question(question *ask, int seed, bool large)
{
    memset(ask, 0, sizeof *ask);
    ask->seed = seed;
    ask->state = (uint64_t)seed + 4000;
    shape s = large ? large_shape(&ask->state) : random_shape(&ask->state);
    inlay_app_builder *builder = inlay_app_builder_new("crowd", INLAY_UNIT_TICK);
    add_modules(&ask->state, &s, builder);
    add_links(&ask->state, &s, builder);
    ck_assert_int_eq(inlay_app_build(builder, &ask->app, NULL), INLAY_OK);
    inlay_app_builder_free(builder);

    char text[120];
    snprintf(text, sizeof text, "bus:32,memory=distributed,capacity=1000000msg/tick%s%s",
             s.memory ? ",processor_memory=" : "",
             !s.memory                        ? ""
             : random_once_in(&ask->state, 2) ? "8KiB"
                                              : "16KiB");
    ck_assert_int_eq(inlay_machine_parse(text, &ask->machine, NULL), INLAY_OK);
    ask->options.parallel = random_once_in(&ask->state, 3) ? INLAY_PARALLEL_OVERLAP : INLAY_PARALLEL_LEVEL;
    ask->options.blocking = random_once_in(&ask->state, 3) ? INLAY_BLOCKING_YES : INLAY_BLOCKING_NO;
    slow_read(ask->app, ask->machine, &ask->options, &ask->problem);
    choose_start(ask, &s);
}

static void close_question(question *ask)
{
    inlay_machine_free(ask->machine);
    inlay_app_free(ask->app);
}

/* ---- Against the slow reference ---- */

/** The start as the reference has it: a cluster's number is its smallest module. */
static slow_clusters slow_start(const question *ask)
{
    slow_clusters clusters = {{0}};
    for (int i = 0; i < ask->problem.modules; i++) {
        clusters.of[i] = i;
        for (int j = i - 1; j >= 0; j--)
            if (ask->start_of[j] == ask->start_of[i]) clusters.of[i] = j;
    }
    return clusters;
}

/** From a quarter of the work, which binds, to more than all of it. */
static inlay_time random_frame(question *ask)
{
    inlay_time total = 0;
    for (int i = 0; i < ask->problem.modules; i++)
        total += ask->problem.work[i];
    return 1 + total / 4 + random_below(&ask->state, total + 1);
}

static int compare(question *ask, inlay_time frame)
{
    slow_clusters clusters = slow_start(ask);
    inlay_clustering found = {0};
    const inlay_options *options = &ask->options;
    bool answer =
        slow_reduce(&ask->problem, options->reduce, options->reduce_by_traffic, options->processors, frame, &clusters);
    int status = inlay_reduce_clusters(ask->app, ask->machine, options, &ask->start, &found, NULL);
    ck_assert_msg(status == (answer ? INLAY_OK : INLAY_NO_ANSWER), "seed %d, P %d: status %d", ask->seed,
                  (int)options->processors, status);
    inlay_id number[SLOW_MODULES], count = 0;
    for (int i = 0; answer && i < ask->problem.modules; i++) {
        number[i] = clusters.of[i] == i ? count++ : number[clusters.of[i]];
        ck_assert_msg(found.cluster_of[i] == number[i], "seed %d, P %d, H%d%s: module %d is in cluster %d, not in %d",
                      ask->seed, (int)options->processors, options->reduce == INLAY_REDUCE_H1 ? 1 : 2,
                      options->reduce_by_traffic ? " by traffic" : "", i, (int)found.cluster_of[i], (int)number[i]);
    }
    inlay_clustering_clear(&found);
    return answer;
}

/** Every way of one question; how many of them have an answer. */
static int compare_ways(int seed, bool large)
{
    question ask;
    int answers = 0;
    open_question(&ask, seed, large);
    for (int way = 0; way < WAYS; way++) {
        inlay_time frame = way < WAYS / 2 ? INT64_MAX : random_frame(&ask);
        ask.options.processors = 1 + (inlay_id)random_below(&ask.state, 1 + random_below(&ask.state, 5));
        ask.options.reduce = way % 3 == 0 ? INLAY_REDUCE_H1 : INLAY_REDUCE_H2;
        ask.options.reduce_by_traffic = way % 3 == 2;
        ask.options.has_time_frame = frame < INT64_MAX;
        ask.options.time_frame = (inlay_duration){{frame < INT64_MAX ? frame : 0, 0}, INLAY_UNIT_TICK};
        answers += compare(&ask, frame);
    }
    close_question(&ask);
    return answers;
}

START_TEST(test_shapes)
{
    int answers = 0;
    for (int seed = 1; seed <= SEEDS; seed++)
        answers += compare_ways(seed, false);
    ck_assert_int_gt(answers, SEEDS);
    ck_assert_int_gt(WAYS * SEEDS - answers, SEEDS / 10); /* refusals */
}
END_TEST

/** Clusters whose pairs wait apart from the others, and slots whose pairs by traffic are kept current. */
START_TEST(test_very_many_neighbours)
{
    int answers = 0;
    for (int seed = 1; seed <= LARGE_SEEDS; seed++)
        answers += compare_ways(seed, true);
    ck_assert_int_gt(answers, LARGE_SEEDS);
}
END_TEST

/* ---- Joining at once ---- */

/** The cluster of `other` that holds the same modules. */
static inlay_id same_cluster(const partition *part, inlay_id root, const partition *other)
{
    inlay_id there = partition_root(other, part->clusters[root].least);
    const cluster *x = &part->clusters[root], *y = &other->clusters[there];
    ck_assert_int_eq(x->least, y->least);
    ck_assert_int_eq(x->work, y->work);
    ck_assert_int_eq(x->memory, y->memory);
    ck_assert_int_eq(x->pin, y->pin);
    return there;
}

static int64_t traffic_in_all(const partition *part, inlay_id root)
{
    walk w = {0};
    inlay_id x;
    int64_t traffic, sum = 0;
    while (partition_next_neighbour(part, root, &w, &x, &traffic)) {
        ck_assert_int_eq(partition_root(part, x), x);
        ck_assert_int_ne(x, root);
        sum += traffic;
    }
    return sum;
}

static void same_partition(const partition *part, const partition *other)
{
    ck_assert_int_eq(part->count, other->count);
    for (inlay_id a = 0; a < part->p->modules; a++) {
        if (partition_root(part, a) != a) continue;
        inlay_id x = same_cluster(part, a, other);
        ck_assert_int_eq(traffic_in_all(part, a), traffic_in_all(other, x));
        for (int32_t slot = 0; slot < part->p->slots; slot++)
            ck_assert_int_eq(partition_has_slot(part, a, slot), partition_has_slot(other, x, slot));
        for (inlay_id b = 0; b < part->p->modules; b++) {
            if (partition_root(part, b) != b || a == b) continue;
            inlay_id y = same_cluster(part, b, other);
            ck_assert_int_eq(partition_traffic(part, a, b), partition_traffic(other, x, y));
            ck_assert_int_eq(partition_parallel(part, a, b), partition_parallel(other, x, y));
        }
    }
}

/** Join and merge the same random pairs, then compare, and merge on one by one. */
static void join_some(question *ask, const problem *p)
{
    partition joined, stepped;
    joining bulk;
    ck_assert_int_eq(partition_from(p, ask->start_of, ask->start.clusters, &joined, NULL), INLAY_OK);
    ck_assert_int_eq(partition_from(p, ask->start_of, ask->start.clusters, &stepped, NULL), INLAY_OK);
    ck_assert_int_eq(joining_begin(&joined, &bulk), INLAY_OK);
    for (int64_t times = random_below(&ask->state, 2 * p->modules); times > 0 && joined.count > 1; times--) {
        inlay_id a = (inlay_id)random_below(&ask->state, p->modules);
        inlay_id b = (inlay_id)random_below(&ask->state, p->modules), root;
        a = partition_root(&joined, a);
        b = partition_root(&joined, b);
        if (a == b || !partition_fits(&joined, a, b)) continue;
        joining_join(&bulk, a, b);
        partition_merge(&stepped, partition_root(&stepped, a), partition_root(&stepped, b), &root);
    }
    ck_assert_int_eq(joining_end(&bulk), INLAY_OK);
    joining_clear(&bulk);
    same_partition(&joined, &stepped);
    for (inlay_id i = 1; i < p->modules && joined.count > 2; i++) {
        inlay_id a = partition_root(&joined, i - 1), b = partition_root(&joined, i), root;
        if (a == b || !partition_fits(&joined, a, b)) continue;
        ck_assert_int_eq(partition_merge(&joined, a, b, &root), INLAY_OK);
        partition_merge(&stepped, partition_root(&stepped, i - 1), partition_root(&stepped, i), &root);
        same_partition(&joined, &stepped);
    }
    partition_clear(&joined);
    partition_clear(&stepped);
}

START_TEST(test_joining)
{
    for (int seed = 1; seed <= SEEDS; seed++) {
        question ask;
        problem p;
        open_question(&ask, seed, false);
        ck_assert_int_eq(problem_make(ask.app, ask.machine, &ask.options, &p, NULL), INLAY_OK);
        join_some(&ask, &p);
        problem_clear(&p);
        close_question(&ask);
    }
}
END_TEST

Suite *suite_reduce(void)
{
    Suite *suite = suite_create("reduce");
    TCase *tests = tcase_create("reduce");
    tcase_add_test(tests, test_shapes);
    tcase_add_test(tests, test_very_many_neighbours);
    tcase_add_test(tests, test_joining);
    suite_add_tcase(suite, tests);
    return suite;
}
