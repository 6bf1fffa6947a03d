/*
 * The sweep on random applications. Every clustering is made once more by a run of its own; the slow reference tells
 * what holds at every T that there is; every figure is that of map_by_houstis(); and nothing depends on threads.
 */
#include "drawn.h"
#include "map_by_houstis.h"
#include "random_app.h"
#include "search/steps.h"
#include "slow.h"
#include "unit.h"

#include <inlay/generate.h>
#include <inlay/sweep.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = DRAWN_SWEEP, MOST_STEPS = 4096 };

/** One random question. */
typedef struct question {
    int seed;
    inlay_app *app;
    inlay_machine *machine;
    inlay_options options;
} question;

typedef struct kept {
    const inlay_app *app;
    size_t count;
    inlay_time time_frame[MOST_STEPS];
    inlay_id *cluster_of[MOST_STEPS];
} kept;

static size_t size_of_clustering(const inlay_app *app)
{
    return (size_t)inlay_app_modules(app) * sizeof(inlay_id);
}

static int keep(void *context, const inlay_sweep_step *step)
{
    kept *all = context;
    ck_assert_uint_lt(all->count, MOST_STEPS);
    all->time_frame[all->count] = step->time_frame;
    all->cluster_of[all->count] = malloc(size_of_clustering(all->app));
    memcpy(all->cluster_of[all->count++], step->cluster_of, size_of_clustering(all->app));
    return 0;
}

static void forget(kept *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->cluster_of[i]);
    }
    free(all);
}

/* ---- Questions ---- */

static const char *const machines[] = {
    "bus:64,capacity=1msg/%s",
    "bus:64,memory=common,capacity=0.05msg/%s",
    "bus:5,capacity=0.5msg/%s,processor_memory=64KiB,latency=1%s",
    "multibus:64,memories=8,buses=2,capacity=0.2msg/%s,transfers=1.5",
    "omega:64,switch=2,packets=4,cycle=2%s",
    "omega-pe:16,switch=4,cycle=1%s",
    "bus:64,capacity=1msg/%s,speed=2",
    "bus:64,capacity=0.3msg/%s,speed=0.3",
};
enum { MACHINES = sizeof machines / sizeof *machines };

static void open_question(question *ask, int seed, inlay_id most)
{
    static const char *const units[] = {"", "s", "ms", "us", "ns", "tick"};
    static const inlay_blocking blocking[] = {INLAY_BLOCKING_AUTO, INLAY_BLOCKING_YES, INLAY_BLOCKING_NO};
    uint64_t state = (uint64_t)seed * 7919 + 13;
    random_times times;
    memset(ask, 0, sizeof *ask);
    ask->seed = seed;
    inlay_id modules = 1 + (inlay_id)random_below(&state, most);
    unsigned features = (unsigned)random_next(&state) & RANDOM_EVERYTHING;
    ask->app = random_app(&state, modules, features, &times);
    ask->options.parallel = random_once_in(&state, 4) ? INLAY_PARALLEL_OVERLAP : INLAY_PARALLEL_LEVEL;
    ask->options.keep_unrelated = random_once_in(&state, 4);
    ask->options.blocking = blocking[random_below(&state, 3)];
    const char *unit = units[inlay_app_unit(ask->app)];
    const char *form = machines[random_below(&state, MACHINES)];
    char text[200];
    snprintf(text, sizeof text, form, unit, unit);
    ck_assert_msg(inlay_machine_parse(text, &ask->machine, NULL) == INLAY_OK, "seed %d: %s", seed, text);
}

static void close_question(question *ask)
{
    inlay_machine_free(ask->machine);
    inlay_app_free(ask->app);
}

/* The time in which the processors do so many grains of work. */
static inlay_duration frame_of_time(const question *ask, inlay_time time)
{
    double speed = inlay_machine_processor(ask->machine, 0).speed;
    if (speed < 1 || speed > 1) {
        inlay_decimal slower;
        double own = inlay_app_in_units(ask->app, time) / speed;
        ck_assert_int_eq(inlay_decimal_from_double(own, &slower), INLAY_OK);
        return (inlay_duration){slower, inlay_app_unit(ask->app)};
    }
    return (inlay_duration){{time, inlay_app_decimals(ask->app)}, inlay_app_unit(ask->app)};
}

/* NULL where the question has no answer on that machine, with too little memory. */
static inlay_sweep_result *swept(const question *ask, inlay_id threads, kept *all)
{
    inlay_sweep_result *sweep = NULL;
    inlay_diag *diag = inlay_diag_new();
    inlay_sweep_options options = {
        .mapping = ask->options, .all = true, .threads = threads, .each = all != NULL ? keep : NULL, .context = all};
    int status = inlay_sweep(ask->app, ask->machine, &options, &sweep, diag);
    ck_assert_msg(status == INLAY_OK || status == INLAY_NO_ANSWER, "seed %d: %s", ask->seed, inlay_diag_message(diag));
    inlay_diag_free(diag);
    return sweep;
}

static inlay_clustering alone(const question *ask, inlay_time time)
{
    inlay_clustering made = {0};
    inlay_options options = ask->options;
    options.has_time_frame = true;
    options.time_frame = frame_of_time(ask, time);
    ck_assert_int_eq(inlay_cluster(ask->app, ask->machine, &options, &made, NULL), INLAY_OK);
    return made;
}

/* ---- Every clustering by a run of its own ---- */

static void expect_alone(const question *ask, inlay_time time, const inlay_id *cluster_of)
{
    inlay_clustering made = alone(ask, time);
    ck_assert_msg(memcmp(made.cluster_of, cluster_of, size_of_clustering(ask->app)) == 0, "seed %d, T = %lld grains",
                  ask->seed, (long long)time);
    inlay_clustering_clear(&made);
}

/* The steps that runs by themselves find, one from the other; those of blocks aside, a step is a row. */
static void expect_all_steps(const question *ask, const inlay_sweep_result *sweep, const kept *all)
{
    size_t at = 0;
    inlay_time time = all->time_frame[0];
    inlay_id *before = NULL;
    for (bool more = true; more;) {
        inlay_clustering made = alone(ask, time);
        if (before == NULL || memcmp(made.cluster_of, before, size_of_clustering(ask->app)) != 0) {
            while (at < all->count && all->time_frame[at] < time) {
                at++;
            }
            ck_assert_msg(at < all->count && all->time_frame[at] == time, "seed %d: no row at %lld", ask->seed,
                          (long long)time);
        }
        free(before);
        before = made.cluster_of;
        more = made.next_known;
        time = made.next_frame;
    }
    free(before);
    for (size_t i = 0; i < all->count; i++) {
        const inlay_sweep_row *row = inlay_sweep_row_at(sweep, i);
        expect_alone(ask, row->time_frame, all->cluster_of[i]);
        if (row->bounded) {
            expect_alone(ask, row->until - 1, all->cluster_of[i]);
            expect_alone(ask, row->time_frame + (row->until - row->time_frame) / 2, all->cluster_of[i]);
        }
    }
}

START_TEST(clusterings_of_runs_by_themselves)
{
    question ask;
    open_question(&ask, _i, RANDOM_MODULES);
    kept *all = calloc(1, sizeof *all);
    all->app = ask.app;
    inlay_sweep_result *sweep = swept(&ask, 2, all);
    if (sweep != NULL) {
        ck_assert_uint_eq(inlay_sweep_rows(sweep), all->count);
        expect_all_steps(&ask, sweep, all);
    }
    inlay_sweep_free(sweep);
    forget(all);
    close_question(&ask);
}
END_TEST

/* ---- The slow reference at every T ---- */

START_TEST(reference_at_every_time_frame)
{
    question ask;
    open_question(&ask, 1000 + _i, 9);
    kept *all = calloc(1, sizeof *all);
    all->app = ask.app;
    inlay_sweep_result *sweep = swept(&ask, 1, all);
    slow_problem plain;
    slow_read(ask.app, ask.machine, &ask.options, &plain);
    for (size_t i = 0; sweep != NULL && i < all->count; i++) {
        const inlay_sweep_row *row = inlay_sweep_row_at(sweep, i);
        inlay_time last = row->bounded ? row->until : row->time_frame + 50;
        inlay_time stride = (last - row->time_frame) / 40 + 1; /* every T, where there are not too many */
        for (inlay_time time = row->time_frame; time < last; time += stride) {
            slow_clusters made;
            inlay_time next;
            ck_assert(slow_greedy(&plain, time, &made, &next));
            for (int m = 0; m < plain.modules; m++) {
                for (int n = 0; n < m; n++) {
                    ck_assert_msg((made.of[m] == made.of[n]) == (all->cluster_of[i][m] == all->cluster_of[i][n]),
                                  "seed %d, T = %lld", ask.seed, (long long)time);
                }
            }
        }
    }
    inlay_sweep_free(sweep);
    forget(all);
    close_question(&ask);
}
END_TEST

/* ---- Figures ---- */

/* A mapping at a time frame, not reduced; NULL where there is none, with too many clusters or a saturated network. */
static inlay_mapping *mapped(const question *ask, inlay_duration at)
{
    inlay_options options = ask->options;
    inlay_mapping *mapping = NULL;
    options.reduce = INLAY_REDUCE_NONE;
    options.has_time_frame = true;
    options.time_frame = at;
    int status = map_by_houstis(ask->app, ask->machine, &options, &mapping, NULL);
    ck_assert(status == INLAY_OK || status == INLAY_NO_ANSWER);
    return mapping;
}

static bool near(double a, double b, double relative)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= relative * fabs(b);
}

static void expect_cost(const question *ask, const inlay_sweep_cost *cost, const inlay_mapping *mapping)
{
    const inlay_summary *s = inlay_mapping_summary(mapping);
    double least = INFINITY, most = 0, sum = 0;
    for (inlay_id c = 0; c < s->clusters; c++) {
        double utilisation = inlay_mapping_cluster(mapping, c).utilisation;
        least = fmin(least, utilisation);
        most = fmax(most, utilisation);
        sum += utilisation;
    }
    bool same = cost->u == s->u && cost->load == s->load && cost->delay == s->delay && cost->tau == s->tau &&
                cost->estimate == s->estimate && cost->utilisation_least == least && cost->utilisation_most == most;
    ck_assert_msg(same && !cost->saturated, "seed %d, T = %s", ask->seed, s->time_frame_text);
    ck_assert(near(cost->utilisation_mean, sum / s->clusters, 1e-12));
    ck_assert(near(cost->communication, s->tau * (double)s->weighted_traffic, 1e-15));
}

static void expect_row(const question *ask, const inlay_sweep_row *row, bool *mapped_one)
{
    inlay_mapping *mapping = mapped(ask, frame_of_time(ask, row->time_frame));
    bool enough = row->clusters <= inlay_machine_processors(ask->machine);
    ck_assert_msg((mapping != NULL) == (enough && !row->cost.saturated), "seed %d, T = %lld grains", ask->seed,
                  (long long)row->time_frame);
    if (mapping == NULL) {
        return;
    }
    const inlay_summary *s = inlay_mapping_summary(mapping);
    ck_assert_int_eq(row->clusters, s->clusters);
    ck_assert_int_eq(row->parallelism, s->parallelism);
    ck_assert_int_eq(row->messages, s->messages);
    ck_assert_int_eq(row->traffic, s->traffic);
    ck_assert_int_eq(row->weighted_traffic, s->weighted_traffic);
    expect_cost(ask, &row->cost, mapping);
    ck_assert_msg(near(row->estimate_fixed_point, s->estimate_fixed_point, 1e-13), "seed %d: %.17g, %.17g", ask->seed,
                  row->estimate_fixed_point, s->estimate_fixed_point);
    *mapped_one = true;
    inlay_mapping_free(mapping);
}

START_TEST(figures_of_mappings)
{
    question ask;
    bool any = false;
    open_question(&ask, 2000 + _i, 30);
    inlay_sweep_result *sweep = swept(&ask, 1, NULL);
    for (size_t i = 0; sweep != NULL && i < inlay_sweep_rows(sweep); i++) {
        expect_row(&ask, inlay_sweep_row_at(sweep, i), &any);
    }
    inlay_sweep_free(sweep);
    close_question(&ask);
}
END_TEST

/* ---- Time frames that stand out ---- */

static bool in_intervals(const inlay_sweep_result *sweep, double time)
{
    size_t count;
    const inlay_sweep_interval *fits = inlay_sweep_fits(sweep, &count);
    for (size_t i = 0; i < count; i++) {
        if (fits[i].from <= time && time < fits[i].to) {
            return true;
        }
    }
    return false;
}

/* What a mapping at that T says; *saturated: the network is, on however many processors. */
static void expect_membership(const question *ask, const inlay_sweep_result *sweep, double time)
{
    inlay_decimal exact;
    ck_assert_int_eq(inlay_decimal_from_double(time, &exact), INLAY_OK);
    inlay_mapping *mapping = mapped(ask, (inlay_duration){exact, inlay_app_unit(ask->app)});
    const inlay_sweep_summary *s = inlay_sweep_summary_of(sweep);
    bool fits = mapping != NULL && inlay_mapping_summary(mapping)->fits_with_delay;
    ck_assert_msg(fits == in_intervals(sweep, time), "seed %d: T = %.17g %s", ask->seed, time,
                  fits ? "fits" : "does not fit");
    ck_assert(!fits || (s->t_fit.exists && s->t_fit.time_frame <= time));
    if (fits && inlay_mapping_summary(mapping)->parallelism == inlay_mapping_summary(mapping)->clusters) {
        ck_assert(s->t_par.exists && s->t_par.time_frame <= time);
    }
    ck_assert(mapping == NULL || (s->t_min.exists && s->t_min.time_frame <= time && s->t_processors.exists &&
                                  s->t_processors.time_frame <= time));
    inlay_mapping_free(mapping);
}

/* At the point itself a mapping says what it promises. */
static void expect_point(const question *ask, const inlay_sweep_point *point, bool fits, bool parallel)
{
    inlay_duration at = {.unit = inlay_app_unit(ask->app)};
    if (!point->exists) {
        return;
    }
    ck_assert_int_eq(inlay_decimal_parse(point->text, &at.value), INLAY_OK);
    inlay_mapping *mapping = mapped(ask, at);
    ck_assert_msg(mapping != NULL, "seed %d: T = %s", ask->seed, point->text);
    const inlay_summary *s = inlay_mapping_summary(mapping);
    ck_assert_msg(s->time_frame == point->time_frame, "seed %d: %s", ask->seed, point->text);
    ck_assert_msg(!fits || s->fits_with_delay, "seed %d: T = %s", ask->seed, point->text);
    ck_assert(!parallel || s->parallelism == s->clusters);
    expect_cost(ask, &point->cost, mapping);
    inlay_mapping_free(mapping);
}

START_TEST(time_frames_that_stand_out)
{
    question ask;
    open_question(&ask, 3000 + _i, 12);
    inlay_sweep_result *sweep = swept(&ask, 1, NULL);
    for (size_t i = 0; sweep != NULL && i < inlay_sweep_rows(sweep); i++) {
        const inlay_sweep_row *row = inlay_sweep_row_at(sweep, i);
        double from = inlay_sweep_time(sweep, row->time_frame);
        double until = row->bounded ? inlay_sweep_time(sweep, row->until) : 3 * from;
        for (int k = 0; k <= 12; k++) {
            expect_membership(&ask, sweep, from + (until - from) * k / 12.5);
        }
        if (row->fits && row->fits_from > from) {
            expect_membership(&ask, sweep, nextafter(nextafter(row->fits_from, 0), 0));
            expect_membership(&ask, sweep, row->fits_from);
        }
    }
    if (sweep != NULL) {
        const inlay_sweep_summary *s = inlay_sweep_summary_of(sweep);
        expect_point(&ask, &s->t_processors, false, false);
        expect_point(&ask, &s->t_fit, true, false);
        expect_point(&ask, &s->t_par, true, true);
        expect_point(&ask, &s->best, false, false);
    }
    inlay_sweep_free(sweep);
    close_question(&ask);
}
END_TEST

/* ---- Threads ---- */

static void expect_same(const inlay_sweep_result *a, const inlay_sweep_result *b)
{
    ck_assert_uint_eq(inlay_sweep_rows(a), inlay_sweep_rows(b));
    for (size_t i = 0; i < inlay_sweep_rows(a); i++) {
        const inlay_sweep_row *x = inlay_sweep_row_at(a, i), *y = inlay_sweep_row_at(b, i);
        ck_assert_int_eq(x->time_frame, y->time_frame);
        ck_assert_int_eq(x->clusters, y->clusters);
        ck_assert(x->cost.estimate == y->cost.estimate || isnan(x->cost.estimate));
        ck_assert(x->estimate_fixed_point == y->estimate_fixed_point || isnan(x->estimate_fixed_point));
        ck_assert(x->fits == y->fits && (!x->fits || x->fits_from == y->fits_from));
    }
}

START_TEST(threads_do_not_matter)
{
    question ask;
    open_question(&ask, 4000 + _i, RANDOM_MODULES);
    inlay_sweep_result *one = swept(&ask, 1, NULL), *seven = swept(&ask, 7, NULL);
    if (one != NULL) expect_same(one, seven);
    inlay_sweep_free(one);
    inlay_sweep_free(seven);
    close_question(&ask);
}
END_TEST

/* ---- Shared runs and runs by themselves ---- */

/* At least so many steps, or the test would prove little. */
static void expect_same_steps(const inlay_app *app, const inlay_machine *machine, const inlay_options *options,
                              int least)
{
    problem p;
    steps shared, apart;
    ck_assert_int_eq(problem_make(app, machine, options, &p, NULL), INLAY_OK);
    ck_assert_int_eq(steps_make(&p, true, &shared, NULL), INLAY_OK);
    ck_assert_int_eq(steps_make(&p, false, &apart, NULL), INLAY_OK);
    ck_assert(shared.shared && !apart.shared);
    inlay_time time = 1;
    for (inlay_id i = 0; i < p.modules; i++) {
        time = p.work[i] > time ? p.work[i] : time;
    }
    int count = 0;
    for (; time != INT64_MAX && count < 400; time = apart.next, count++) {
        ck_assert_int_eq(steps_to(&shared, time, NULL), INLAY_OK);
        ck_assert_int_eq(steps_to(&apart, time, NULL), INLAY_OK);
        ck_assert_int_eq(shared.clusters, apart.clusters);
        ck_assert_int_eq(shared.next, apart.next);
        ck_assert_mem_eq(shared.cluster_of, apart.cluster_of, size_of_clustering(app));
    }
    ck_assert_int_ge(count, least);
    steps_clear(&shared);
    steps_clear(&apart);
    problem_clear(&p);
}

static const struct {
    const char *kind;
    inlay_size size;
    int64_t value;
} generated[] = {{"cholesky", INLAY_SIZE_TILES, 9}, {"lu", INLAY_SIZE_TILES, 7}, {"fft", INLAY_SIZE_SIZE, 64}};

START_TEST(generated_graphs_share)
{
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    inlay_generator_options options = {.kind = generated[_i / 4].kind};
    options.sizes[generated[_i / 4].size] = generated[_i / 4].value;
    ck_assert_int_eq(inlay_generate(&options, &app, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_machine_parse("bus:4096,capacity=1e9msg/tick", &machine, NULL), INLAY_OK);
    inlay_options rules = {.keep_unrelated = _i % 2 == 1,
                           .blocking = _i / 2 % 2 == 1 ? INLAY_BLOCKING_YES : INLAY_BLOCKING_NO};
    expect_same_steps(app, machine, &rules, 2);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

/* Times of 0, which change numbers and not work, and many that are equal: ties of every kind. */
static inlay_app *idle_app(uint64_t state)
{
    static const int64_t times[] = {0, 0, 1, 1, 2, 3};
    inlay_app *app = NULL;
    inlay_app_builder *builder = inlay_app_builder_new("idle", INLAY_UNIT_TICK);
    inlay_id modules = 4 + (inlay_id)random_below(&state, 26);
    int64_t sparseness = 2 + random_below(&state, 8), talkative = random_below(&state, 3);
    for (inlay_id i = 0; i < modules; i++) {
        char name[16];
        snprintf(name, sizeof name, "m%d", (int)i);
        inlay_module module = {.name = name, .time = {{times[random_below(&state, 6)], 0}, INLAY_UNIT_TICK}};
        ck_assert_int_eq(inlay_app_add_module(builder, &module, NULL), INLAY_OK);
    }
    for (inlay_id i = 0; i < modules; i++) {
        /* numbers that do not rise along the links: what is merged has the smaller ones */
        for (inlay_id j = 0; j < i; j++) {
            if (random_once_in(&state, sparseness)) {
                int64_t messages = talkative > 0 ? random_below(&state, 3) : 0;
                ck_assert_int_eq(inlay_app_add_link(builder, i, j, messages, 0, 0, NULL), INLAY_OK);
            }
        }
    }
    ck_assert_int_eq(inlay_app_build(builder, &app, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    return app;
}

START_TEST(idle_modules_share)
{
    inlay_machine *machine = NULL;
    ck_assert_int_eq(inlay_machine_parse("bus:64,capacity=1e9msg/tick", &machine, NULL), INLAY_OK);
    for (int round = 0; round < DRAWN_IDLE; round++) {
        inlay_app *app = idle_app((uint64_t)(1000 * _i + round));
        expect_same_steps(app, machine, &(inlay_options){0}, 1);
        inlay_app_free(app);
    }
    inlay_machine_free(machine);
}
END_TEST

Suite *suite_sweep_random(void)
{
    Suite *suite = suite_create("sweep on random applications");
    TCase *tests = tcase_create("sweep on random applications");
    tcase_add_loop_test(tests, clusterings_of_runs_by_themselves, 0, SEEDS);
    tcase_add_loop_test(tests, reference_at_every_time_frame, 0, SEEDS);
    tcase_add_loop_test(tests, figures_of_mappings, 0, SEEDS);
    tcase_add_loop_test(tests, time_frames_that_stand_out, 0, SEEDS);
    tcase_add_loop_test(tests, threads_do_not_matter, 0, 12);
    tcase_add_loop_test(tests, idle_modules_share, 0, 20);
    tcase_add_loop_test(tests, generated_graphs_share, 0, 4 * (int)(sizeof generated / sizeof *generated));
    suite_add_tcase(suite, tests);
    return suite;
}
