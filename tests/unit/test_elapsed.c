/*
 * The elapsed time of a mapping is that of the slow simulator, or of the slow screen where a simulation would take more
 * events than it may; and what follows from it is counted once more by hand.
 */
#include "check_subject.h"
#include "golden.h"
#include "random_app.h"
#include "slow_run.h"
#include "unit.h"

#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MODULES = 12, ROUNDS = 40, PROCESSORS = 8 };

/* %s stands for the application's unit. All times that follow are whole grains. */
static const char *const machines[] = {
    "bus:8,capacity=1msg/%s,price=0.75,currency=EUR,power=40",
    "bus:8,capacity=0.5msg/%s,memory=common,latency=2%s,price=1",
    "multibus:8,memories=3,buses=2,capacity=0.25msg/%s",
    "omega:8,packets=4,cycle=1%s,transfers=2,power=3",
    "omega-pe:8,packets=2,cycle=1%s",
};
enum { MACHINES = sizeof machines / sizeof *machines };

typedef struct question {
    uint64_t state;
    inlay_app *app;
    inlay_machine *machine;
    inlay_options options;
    inlay_id processor[MODULES];
} question;

static void draw(question *ask, const char *form, int round)
{
    char text[200];
    random_times times;
    unsigned features = (unsigned)random_next(&ask->state) & ~(unsigned)(RANDOM_MEMORY | RANDOM_PINS);
    inlay_id modules = 1 + (inlay_id)random_below(&ask->state, MODULES);
    ask->app = random_app(&ask->state, modules, features & (RANDOM_EVERYTHING | RANDOM_DATA), &times);
    const char *unit = inlay_unit_name(inlay_app_unit(ask->app));
    snprintf(text, sizeof text, form, unit, unit);
    ask->machine = golden_machine(text);
    ask->options = (inlay_options){.seed = (uint64_t)round, .tick_seconds = round % 2 == 0 ? 0.25 : 0};
    for (inlay_id i = 0; i < modules; i++) {
        ask->processor[i] = (inlay_id)random_below(&ask->state, PROCESSORS);
    }
}

static void clear(question *ask)
{
    inlay_machine_free(ask->machine);
    inlay_app_free(ask->app);
}

static inlay_mapping *evaluate(const question *ask, int64_t max_events)
{
    inlay_options options = ask->options;
    inlay_mapping *mapping = NULL;
    options.max_events = max_events;
    ck_assert_int_eq(inlay_evaluate(ask->app, ask->machine, ask->processor, &options, &mapping, NULL), INLAY_OK);
    return mapping;
}

/* By a method, each in turn, or as it was drawn. */
static inlay_mapping *map_anyhow(const question *ask, int round)
{
    inlay_options options = ask->options;
    inlay_mapping *mapping = NULL;
    options.method = inlay_method_at((size_t)round % (inlay_methods() + 1));
    if (options.method == NULL) {
        return evaluate(ask, 0);
    }
    ck_assert_int_eq(inlay_map(ask->app, ask->machine, &options, &mapping, NULL), INLAY_OK);
    return mapping;
}

/* Where one is unknown the other is, too. */
static void near(double value, double expected)
{
    ck_assert_msg(isnan(expected) ? isnan(value) : fabs(value - expected) <= 1e-12 * fabs(expected),
                  "%.17g, expected %.17g", value, expected);
}

static double unit_seconds(const question *ask)
{
    switch (inlay_app_unit(ask->app)) {
    case INLAY_UNIT_S: return 1;
    case INLAY_UNIT_MS: return 1e-3;
    case INLAY_UNIT_US: return 1e-6;
    case INLAY_UNIT_NS: return 1e-9;
    default: return ask->options.tick_seconds > 0 ? ask->options.tick_seconds : NAN;
    }
}

static void expect_figures(const question *ask, const inlay_summary *s)
{
    double work = 0, price = NAN, power = NAN;
    for (inlay_id i = 0; i < inlay_app_modules(ask->app); i++) {
        work += inlay_app_in_units(ask->app, inlay_app_time(ask->app, i));
    }
    double paid = s->elapsed * unit_seconds(ask) * s->clusters; /* seconds of processors */
    (void)inlay_machine_price(ask->machine, &price);
    (void)inlay_machine_power(ask->machine, &power);
    near(s->speedup, s->elapsed > 0 ? work / s->elapsed : NAN);
    near(s->efficiency, s->elapsed > 0 ? work / s->elapsed / s->clusters : NAN);
    near(s->seconds, s->elapsed * unit_seconds(ask));
    near(s->price, paid * price / 3600);
    near(s->energy, paid * power);
    if (s->lower_bound > 0) {
        near(1 + s->gap, s->elapsed / s->lower_bound);
    }
}

START_TEST(elapsed_is_the_slow_simulators)
{
    question ask = {.state = (uint64_t)_i + 1};
    slow_run *slow = malloc(sizeof *slow);
    int longer = 0;
    for (int round = 0; round < ROUNDS; round++) {
        draw(&ask, machines[_i], round);
        inlay_mapping *mapping = map_anyhow(&ask, round);
        const inlay_summary *s = inlay_mapping_summary(mapping);
        slow_simulate(mapping, &(inlay_simulation_options){.seed = ask.options.seed}, slow);
        ck_assert_int_eq(s->elapsed_is, INLAY_ELAPSED_SIMULATED);
        ck_assert_double_eq(s->elapsed, slow->elapsed);
        expect_figures(&ask, s);
        longer += s->elapsed > s->lower_bound;
        inlay_mapping_free(mapping);
        clear(&ask);
    }
    ck_assert_int_gt(longer, ROUNDS / 4);
    free(slow);
}
END_TEST

/* ---- Fewer events than a simulation takes ---- */

static int64_t events_of(const inlay_mapping *mapping, uint64_t seed)
{
    const inlay_simulation_options options = {.seed = seed, .threads = 1};
    inlay_simulation *simulation = NULL;
    ck_assert_int_eq(inlay_simulate(mapping, &options, &simulation, NULL), INLAY_OK);
    int64_t events = inlay_simulation_result(simulation)->events;
    inlay_simulation_free(simulation);
    return events;
}

static void expect_screen(const question *ask, int64_t max_events, slow_run *slow)
{
    inlay_mapping *mapping = evaluate(ask, max_events);
    const inlay_summary *s = inlay_mapping_summary(mapping);
    slow_screen(mapping, INLAY_CONTENTION_QUEUES, slow);
    ck_assert_int_eq(s->elapsed_is, INLAY_ELAPSED_SCREEN);
    ck_assert_double_eq(s->elapsed, slow->elapsed);
    expect_figures(ask, s);
    inlay_mapping_free(mapping);
}

/* The limit itself is enough. */
static void expect_no_answer_below(const question *ask, const inlay_mapping *mapping, int64_t events)
{
    inlay_simulation_options options = {.seed = ask->options.seed, .threads = 1, .max_events = events};
    inlay_simulation *simulation = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_simulate(mapping, &options, &simulation, NULL), INLAY_OK);
    ck_assert_double_eq(inlay_simulation_result(simulation)->makespan, inlay_mapping_summary(mapping)->elapsed);
    inlay_simulation_free(simulation);
    options.max_events = events - 1;
    if (options.max_events > 0) { /* 0 were no limit */
        ck_assert_int_eq(inlay_simulate(mapping, &options, &simulation, diag), INLAY_NO_ANSWER);
        ck_assert_str_ne(inlay_diag_message(diag), "");
    }
    inlay_diag_free(diag);
}

START_TEST(too_many_events_are_a_screen)
{
    question ask = {.state = 100 + (uint64_t)_i};
    slow_run *slow = malloc(sizeof *slow);
    int differ = 0;
    for (int round = 0; round < ROUNDS; round++) {
        draw(&ask, machines[_i], round);
        inlay_mapping *simulated = evaluate(&ask, 0);
        int64_t events = events_of(simulated, ask.options.seed);
        inlay_mapping *just = evaluate(&ask, events);
        const inlay_summary *s = inlay_mapping_summary(just);
        ck_assert_int_eq(s->elapsed_is, INLAY_ELAPSED_SIMULATED);
        ck_assert_double_eq(s->elapsed, inlay_mapping_summary(simulated)->elapsed);
        expect_no_answer_below(&ask, just, events);
        expect_screen(&ask, -1, slow);
        if (events > 1) {
            expect_screen(&ask, events - 1, slow);
            expect_screen(&ask, 1, slow);
        }
        differ += slow->elapsed != s->elapsed;
        inlay_mapping_free(just);
        inlay_mapping_free(simulated);
        clear(&ask);
    }
    ck_assert_int_gt(differ, 0); /* or the one were the other */
    free(slow);
}
END_TEST

/* ---- In a file ---- */

START_TEST(elapsed_is_read_back)
{
    question ask = {.state = 7};
    draw(&ask, machines[0], 2);
    ck_assert_int_eq(inlay_app_write(ask.app, subject_app(), "dot", NULL), INLAY_OK);
    inlay_mapping *mapping = evaluate(&ask, _i == 0 ? 0 : -1);
    const inlay_origin origin = {.command = "evaluate", .app_path = subject_app(), .seed = ask.options.seed};
    ck_assert_int_eq(inlay_mapping_write(mapping, &origin, subject_mapping(), NULL), INLAY_OK);
    inlay_loaded same = {0}, other = {0};
    ck_assert_int_eq(inlay_mapping_read(subject_mapping(), NULL, &same, NULL), INLAY_OK);
    const inlay_summary *s = inlay_mapping_summary(same.mapping), *of = inlay_mapping_summary(mapping);
    ck_assert_double_eq(s->elapsed, of->elapsed);
    ck_assert_int_eq(s->elapsed_is, of->elapsed_is);
    ck_assert_int_eq(s->elapsed_is, _i == 0 ? INLAY_ELAPSED_SIMULATED : INLAY_ELAPSED_SCREEN);
    expect_figures(&ask, s);
    /* with another application it is not known */
    ck_assert_int_eq(inlay_mapping_read(subject_mapping(), subject_app(), &other, NULL), INLAY_OK);
    ck_assert(isnan(inlay_mapping_summary(other.mapping)->elapsed));
    ck_assert(isnan(inlay_mapping_summary(other.mapping)->speedup));
    inlay_loaded_clear(&other);
    inlay_loaded_clear(&same);
    inlay_mapping_free(mapping);
    clear(&ask);
}
END_TEST

Suite *suite_elapsed(void)
{
    Suite *suite = suite_create("elapsed times");
    TCase *tests = tcase_create("elapsed times");
    tcase_add_checked_fixture(tests, subject_set_up, subject_tear_down);
    tcase_add_loop_test(tests, elapsed_is_the_slow_simulators, 0, MACHINES);
    tcase_add_loop_test(tests, too_many_events_are_a_screen, 0, MACHINES);
    tcase_add_loop_test(tests, elapsed_is_read_back, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
