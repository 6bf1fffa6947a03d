/*
 * The front on random applications: every point is a mapping that the checker holds and that mapping by itself comes to;
 * no method by itself is shorter on so many processors or fewer; front and knee are found once more by trying all.
 */
#include "check_subject.h"
#include "drawn.h"
#include "random_app.h"
#include "sound_run.h"
#include "unit.h"

#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SEEDS = DRAWN_PARETO, MODULES = 9, TEXT = 200 };

typedef struct question {
    int seed;
    inlay_app *app;
    inlay_machine *machine;
    inlay_pareto_options options;
    inlay_pareto_result *result; /* NULL where there is none */
} question;

static const char *const machines[] = {
    "bus:6,capacity=1msg/%s,price=0.25,currency=EUR,power=20",
    "bus:4,memory=common,capacity=0.05msg/%s",
    "bus:5,capacity=0.5msg/%s,processor_memory=64KiB,latency=1%s",
    "multibus:6,memories=3,buses=2,capacity=0.2msg/%s,transfers=2",
    "omega-pe:4,switch=2,cycle=1%s",
    "mesh:3x2,capacity=1msg/%s",
    "star:2,cores=2,capacity=2msg/%s,latency=1%s",
};
enum { MACHINES = sizeof machines / sizeof *machines };

static void answer(question *ask)
{
    inlay_diag *diag = inlay_diag_new();
    ask->result = NULL;
    int status = inlay_pareto(ask->app, ask->machine, &ask->options, &ask->result, diag);
    ck_assert_msg(status == INLAY_OK || status == INLAY_NO_ANSWER, "seed %d: %s", ask->seed, inlay_diag_message(diag));
    ck_assert((status == INLAY_OK) == (ask->result != NULL));
    ck_assert(status == INLAY_OK || strlen(inlay_diag_message(diag)) > 0);
    inlay_diag_free(diag);
}

/* The application stands in a file, for the checker. */
static void open_question(question *ask, int seed, unsigned features)
{
    static const inlay_blocking blocking[] = {INLAY_BLOCKING_AUTO, INLAY_BLOCKING_YES, INLAY_BLOCKING_NO};
    uint64_t state = (uint64_t)seed * 104729 + 7;
    random_times times;
    char text[TEXT];
    *ask = (question){.seed = seed};
    inlay_id modules = 1 + (inlay_id)random_below(&state, MODULES);
    inlay_app *drawn = random_app(&state, modules, (unsigned)random_next(&state) & features, &times);
    ck_assert_int_eq(inlay_app_write(drawn, subject_app(), "dot", NULL), INLAY_OK);
    ck_assert_int_eq(inlay_app_read(subject_app(), NULL, &ask->app, NULL), INLAY_OK);
    const char *unit = inlay_unit_name(inlay_app_unit(drawn));
    inlay_app_free(drawn);
    ask->options.mapping.blocking = blocking[random_below(&state, 3)];
    ask->options.mapping.order = random_once_in(&state, 3) ? INLAY_ORDER_BOTTOM_LEVEL : INLAY_ORDER_GIVEN;
    ask->options.mapping.tick_seconds = 1e-3;
    snprintf(text, sizeof text, machines[random_below(&state, MACHINES)], unit, unit);
    ck_assert_msg(inlay_machine_parse(text, &ask->machine, NULL) == INLAY_OK, "seed %d: %s", seed, text);
    answer(ask);
}

static void close_question(question *ask)
{
    inlay_pareto_free(ask->result);
    inlay_machine_free(ask->machine);
    inlay_app_free(ask->app);
}

static size_t points_of(const question *ask)
{
    return ask->result != NULL ? inlay_pareto_points(ask->result) : 0;
}

/* Of two figures that may be unknown. */
static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* ---- Every point is a mapping ---- */

static void expect_figures(const question *ask, const inlay_pareto_point *point, const inlay_mapping *mapping)
{
    const inlay_summary *s = inlay_mapping_summary(mapping);
    ck_assert_msg(point->elapsed == s->elapsed && point->elapsed_is == s->elapsed_is, "seed %d, P = %d: %.17g, %.17g",
                  ask->seed, point->processors, point->elapsed, s->elapsed);
    ck_assert_int_eq(point->processors, s->processors);
    ck_assert_int_eq(point->clusters, s->clusters);
    ck_assert_int_le(point->clusters, point->processors);
    ck_assert_str_eq(point->method, s->winner.method);
    ck_assert_int_le(s->winner.processors, point->processors);
    ck_assert(same(point->gap, s->gap) && same(point->speedup, s->speedup) && same(point->efficiency, s->efficiency));
    ck_assert(same(point->price, s->price) && same(point->energy, s->energy));
    ck_assert(point->messages == s->messages && point->traffic == s->traffic && point->load == s->load);
    ck_assert(point->lower_bound == s->lower_bound && point->elapsed >= s->lower_bound * (1 - 1e-12));
}

START_TEST(points_are_mappings_that_hold)
{
    const inlay_origin origin = {.command = "pareto", .app_path = subject_app(), .app_format = "dot"};
    const inlay_simulation_options options = {.threads = 1};
    char what[TEXT];
    question ask;
    open_question(&ask, _i, RANDOM_EVERYTHING);
    for (size_t i = 0; i < points_of(&ask); i++) {
        const inlay_pareto_point *point = inlay_pareto_point_at(ask.result, i);
        inlay_mapping *mapping = NULL;
        ck_assert_int_eq(inlay_pareto_mapping(ask.result, i, &mapping, NULL), INLAY_OK);
        expect_figures(&ask, point, mapping);
        ck_assert_int_eq(point->elapsed_is, INLAY_ELAPSED_SIMULATED);
        ck_assert(point->elapsed == simulated_makespan(mapping, &options));
        ck_assert_int_eq(inlay_mapping_write(mapping, &origin, subject_mapping(), NULL), INLAY_OK);
        snprintf(what, sizeof what, "seed %d, P = %d", ask.seed, point->processors);
        subject_findings(NULL, true, what);
        inlay_mapping_free(mapping);
    }
    close_question(&ask);
}
END_TEST

/* Where nothing may be simulated. */
START_TEST(points_may_be_screens)
{
    question ask;
    open_question(&ask, 500 + _i, RANDOM_EVERYTHING);
    inlay_pareto_free(ask.result);
    ask.options.mapping.max_events = -1;
    answer(&ask);
    double least = INFINITY;
    for (size_t i = 0; i < points_of(&ask); i++) {
        const inlay_pareto_point *point = inlay_pareto_point_at(ask.result, i);
        inlay_mapping *mapping = NULL;
        ck_assert_int_eq(inlay_pareto_mapping(ask.result, i, &mapping, NULL), INLAY_OK);
        expect_figures(&ask, point, mapping);
        ck_assert_int_eq(point->elapsed_is, INLAY_ELAPSED_SCREEN);
        ck_assert(point->elapsed == screen_of(mapping, INLAY_CONTENTION_QUEUES));
        ck_assert(point->front == (i == 0 || point->elapsed < least));
        least = fmin(least, point->elapsed);
        inlay_mapping_free(mapping);
    }
    close_question(&ask);
}
END_TEST

/* ---- Front and knee, by trying all ---- */

static bool is_on_front(const question *ask, size_t i)
{
    for (size_t j = 0; j < i; j++) {
        if (inlay_pareto_point_at(ask->result, j)->elapsed <= inlay_pareto_point_at(ask->result, i)->elapsed) {
            return false;
        }
    }
    return true;
}

START_TEST(front_and_knee_by_trying_all)
{
    question ask;
    size_t front = 0;
    open_question(&ask, 2000 + _i, RANDOM_EVERYTHING & ~(unsigned)(RANDOM_MEMORY | RANDOM_PINS));
    ck_assert_ptr_nonnull(ask.result);
    const inlay_pareto_summary *s = inlay_pareto_summary_of(ask.result);
    const inlay_pareto_point *knee = inlay_pareto_point_at(ask.result, s->knee);
    for (size_t i = 0; i < points_of(&ask); i++) {
        const inlay_pareto_point *point = inlay_pareto_point_at(ask.result, i);
        ck_assert_int_eq(point->processors, (inlay_id)i + 1);
        ck_assert_msg(point->front == is_on_front(&ask, i), "seed %d, P = %d", ask.seed, point->processors);
        front += point->front;
        double here = point->efficiency / point->elapsed, there = knee->efficiency / knee->elapsed;
        ck_assert_msg(knee->elapsed == 0 || here <= there * (1 + 1e-12), "seed %d: knee %d, not %d", ask.seed,
                      knee->processors, point->processors);
    }
    inlay_id modules = inlay_app_modules(ask.app), most = inlay_machine_processors(ask.machine);
    ck_assert_uint_eq(points_of(&ask), (size_t)(modules < most ? modules : most));
    ck_assert_uint_eq(front, s->front);
    ck_assert(knee->front);
    close_question(&ask);
}
END_TEST

/* ---- Nothing that mapping comes to is shorter ---- */

/* What a method comes to on so many processors; INFINITY where it has no answer. */
static double mapped(const question *ask, const inlay_method *method, inlay_id processors)
{
    inlay_options options = ask->options.mapping;
    inlay_mapping *mapping = NULL;
    options.method = method;
    options.processors = processors;
    if (inlay_map(ask->app, ask->machine, &options, &mapping, NULL) != INLAY_OK) {
        return INFINITY;
    }
    double elapsed = inlay_mapping_summary(mapping)->elapsed;
    inlay_mapping_free(mapping);
    return elapsed;
}

/* The shortest at most so many processors, INFINITY where there is no point. */
static double point_at(const question *ask, inlay_id processors)
{
    double elapsed = INFINITY;
    for (size_t i = 0; i < points_of(ask); i++) {
        const inlay_pareto_point *point = inlay_pareto_point_at(ask->result, i);
        elapsed = point->processors <= processors ? point->elapsed : elapsed;
    }
    return elapsed;
}

START_TEST(points_are_the_best_of_all_methods)
{
    question ask;
    open_question(&ask, 3000 + _i, RANDOM_EVERYTHING);
    double before = INFINITY;
    inlay_id most = inlay_machine_processors(ask.machine), modules = inlay_app_modules(ask.app);
    for (inlay_id processors = 1; processors <= most; processors++) {
        double point = point_at(&ask, processors), least = before;
        for (size_t i = 0; i < inlay_methods(); i++) {
            const inlay_method *method = inlay_method_at(i);
            if (method->by_name) continue;
            double alone = mapped(&ask, method, processors);
            bool best = strcmp(method->name, "best") == 0;
            ck_assert_msg(best ? point == alone : point <= alone, "seed %d, P = %d, %s: %.17g, not %.17g", ask.seed,
                          processors, method->name, alone, point);
            least = fmin(least, alone);
        }
        ck_assert_msg(processors > modules ? point <= least : point == least, "seed %d, P = %d: %.17g, not %.17g",
                      ask.seed, processors, point, least);
        before = point;
    }
    close_question(&ask);
}
END_TEST

START_TEST(one_method_by_itself)
{
    question ask;
    open_question(&ask, 4000 + _i, RANDOM_EVERYTHING);
    inlay_pareto_free(ask.result);
    ask.options.mapping.method = inlay_method_at((size_t)_i % inlay_methods());
    answer(&ask);
    double least = INFINITY;
    for (inlay_id processors = 1; processors <= inlay_machine_processors(ask.machine); processors++) {
        least = fmin(least, mapped(&ask, ask.options.mapping.method, processors));
        bool differs = !ask.options.mapping.method->places && inlay_app_blocks(ask.app) > 0; /* where blocks live */
        ck_assert_msg(point_at(&ask, processors) == least || differs || processors > inlay_app_modules(ask.app),
                      "seed %d, P = %d, %s: %.17g, not %.17g", ask.seed, processors, ask.options.mapping.method->name,
                      point_at(&ask, processors), least);
    }
    close_question(&ask);
}
END_TEST

/* ---- Ranges ---- */

START_TEST(ranges_are_kept)
{
    question ask;
    open_question(&ask, 5000 + _i, RANDOM_BLOCKING);
    inlay_id most = inlay_machine_processors(ask.machine);
    for (inlay_id from = 1; from <= most; from += 2) {
        question other = ask;
        other.options.from = from;
        other.options.to = from + 1 < most ? from + 1 : most;
        answer(&other);
        ck_assert_int_eq(inlay_pareto_point_at(other.result, 0)->processors, from);
        ck_assert(inlay_pareto_point_at(other.result, 0)->front);
        for (size_t i = 0; i < points_of(&other); i++) {
            const inlay_pareto_point *point = inlay_pareto_point_at(other.result, i);
            ck_assert_int_le(point->processors, other.options.to);
            ck_assert(point->elapsed == point_at(&ask, point->processors));
        }
        inlay_pareto_free(other.result);
    }
    close_question(&ask);
}
END_TEST

/* Up to 32 processors each has a point, above it powers of two, halfway between these, and the last. */
START_TEST(counts_of_processors_that_are_tried)
{
    static const inlay_id counts[] = {48, 50};
    char text[4096];
    size_t used = (size_t)snprintf(text, sizeof text, "digraph a { graph [time_unit=tick];");
    for (int i = 0; i < 50; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, " m%d [time=%d];", i, 1 + i % 7);
    }
    snprintf(text + used, sizeof text - used, " }");
    question ask = {.app = subject_read(text)};
    ck_assert_int_eq(inlay_machine_parse("bus:50,capacity=1msg/tick", &ask.machine, NULL), INLAY_OK);
    answer(&ask);
    ck_assert_uint_eq(points_of(&ask), 34);
    for (size_t i = 0; i < 34; i++) {
        const inlay_pareto_point *point = inlay_pareto_point_at(ask.result, i);
        ck_assert_int_eq(point->processors, i < 32 ? (inlay_id)i + 1 : counts[i - 32]);
        ck_assert(point->elapsed >= point->lower_bound);
    }
    ck_assert_double_eq(inlay_pareto_point_at(ask.result, 0)->elapsed, 197); /* the sum: 7 * 28 + 1 */
    ck_assert_double_eq(inlay_pareto_point_at(ask.result, 33)->elapsed, 7);
    close_question(&ask);
}
END_TEST

START_TEST(wrong_questions)
{
    static const inlay_pareto_options wrong[] = {{.from = 3, .to = 2}, {.from = -1},
                                                 {.to = -1},           {.to = 17},
                                                 {.from = 17},         {.mapping = {.has_time_frame = true}}};
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    inlay_pareto_result *result = NULL;
    ck_assert_int_eq(inlay_app_read("graphs/toy.dot", NULL, &app, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_machine_parse("bus:16", &machine, NULL), INLAY_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        inlay_diag *diag = inlay_diag_new();
        ck_assert_int_eq(inlay_pareto(app, machine, &wrong[i], &result, diag), INLAY_BAD_ARGUMENT);
        ck_assert_str_ne(inlay_diag_message(diag), "");
        ck_assert_ptr_null(result);
        inlay_diag_free(diag);
    }
    ck_assert_int_eq(inlay_pareto(app, machine, NULL, &result, NULL), INLAY_OK);
    inlay_mapping *mapping = NULL;
    ck_assert_int_eq(inlay_pareto_mapping(result, inlay_pareto_points(result), &mapping, NULL), INLAY_BAD_ARGUMENT);
    ck_assert_ptr_null(mapping);
    inlay_pareto_free(result);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

Suite *suite_pareto(void)
{
    Suite *suite = suite_create("front");
    TCase *tests = tcase_create("front");
    tcase_add_checked_fixture(tests, subject_set_up, subject_tear_down);
    tcase_add_loop_test(tests, points_are_mappings_that_hold, 0, SEEDS);
    tcase_add_loop_test(tests, points_may_be_screens, 0, SEEDS / 2);
    tcase_add_loop_test(tests, front_and_knee_by_trying_all, 0, SEEDS);
    tcase_add_loop_test(tests, points_are_the_best_of_all_methods, 0, SEEDS / 2);
    tcase_add_loop_test(tests, one_method_by_itself, 0, SEEDS);
    tcase_add_loop_test(tests, ranges_are_kept, 0, SEEDS / 3);
    tcase_add_test(tests, counts_of_processors_that_are_tried);
    tcase_add_test(tests, wrong_questions);
    suite_add_tcase(suite, tests);
    return suite;
}
