/* The elapsed times of a sweep: each is what a mapping under the row's T takes when it is simulated by itself. */
#include "random_app.h"
#include "map_by_houstis.h"
#include "unit.h"

#include <inlay/inlay.h>
#include <math.h>

enum { APPS = 24, MODULES = 24, SEED = 7 };

static const double tick = 1e-6; /* in seconds: the applications are in any unit */

static inlay_machine *machine_of(const char *text)
{
    inlay_machine *machine = NULL;
    ck_assert_int_eq(inlay_machine_parse(text, &machine, NULL), INLAY_OK);
    return machine;
}

static inlay_sweep_result *swept(const inlay_app *app, const inlay_machine *machine, int64_t max_events,
                                 inlay_id threads)
{
    inlay_sweep_options options = {.mapping = {.tick_seconds = tick, .max_events = max_events, .seed = SEED},
                                   .threads = threads};
    inlay_sweep_result *sweep = NULL;
    return inlay_sweep(app, machine, &options, &sweep, NULL) == INLAY_OK ? sweep : NULL;
}

/* A mapping of the row's clusters: under its T, or the least T of the row at which the network is not saturated. */
static inlay_mapping *mapped(const inlay_app *app, const inlay_machine *machine, inlay_time time_frame)
{
    inlay_options options = {.tick_seconds = tick,
                             .has_time_frame = true,
                             .time_frame = {{time_frame, inlay_app_decimals(app)}, inlay_app_unit(app)},
                             .reduce = INLAY_REDUCE_NONE};
    inlay_mapping *mapping = NULL;
    return map_by_houstis(app, machine, &options, &mapping, NULL) == INLAY_OK ? mapping : NULL;
}

static const char *const machines[] = {
    "bus:64,memory=common,capacity=40msg/tick,transfers=2",
    "bus:64,memory=distributed,capacity=20msg/tick,latency=3tick",
    "multibus:64,memories=8,buses=4,capacity=5msg/tick",
    "omega:64,switch=2,packets=4",
    "omega-pe:64,switch=2,packets=4",
};

static double makespan_of(const inlay_mapping *mapping)
{
    const inlay_simulation_options options = {.seed = SEED};
    inlay_simulation *simulation = NULL;
    ck_assert_int_eq(inlay_simulate(mapping, &options, &simulation, NULL), INLAY_OK);
    double makespan = inlay_simulation_result(simulation)->makespan;
    inlay_simulation_free(simulation);
    return makespan;
}

/* How many rows were compared. */
static size_t compare_rows(const inlay_app *app, const inlay_machine *machine)
{
    inlay_sweep_result *sweep = swept(app, machine, INT64_MAX, 2);
    size_t compared = 0;
    for (size_t i = 0; sweep != NULL && i < inlay_sweep_rows(sweep); i++) {
        const inlay_sweep_row *row = inlay_sweep_row_at(sweep, i);
        inlay_mapping *mapping = mapped(app, machine, row->time_frame);
        ck_assert(isfinite(row->elapsed)); /* also where the network is saturated */
        ck_assert(mapping != NULL || row->cost.saturated);
        if (mapping != NULL) {
            ck_assert_double_eq(row->elapsed, makespan_of(mapping));
            compared++;
        }
        inlay_mapping_free(mapping);
    }
    inlay_sweep_free(sweep);
    return compared;
}

START_TEST(rows_are_simulated_mappings)
{
    static const unsigned features[] = {RANDOM_BLOCKING | RANDOM_DECIMALS, RANDOM_BLOCKS | RANDOM_TRAFFIC_ONLY,
                                        RANDOM_EVERYTHING};
    uint64_t state = (uint64_t)_i + 1;
    inlay_machine *machine = machine_of(machines[_i]);
    size_t compared = 0;
    for (size_t i = 0; i < APPS; i++) {
        random_times times;
        inlay_app *app = random_app(&state, 4 + (inlay_id)random_below(&state, MODULES), features[i % 3], &times);
        compared += compare_rows(app, machine);
        inlay_app_free(app);
    }
    ck_assert_msg(compared > APPS, "%s: %zu", machines[_i], compared);
    inlay_machine_free(machine);
}
END_TEST

/* Rows of more clusters than there are processors, or of more transfers than asked for, have none. */
START_TEST(some_rows_are_not_simulated)
{
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_app_read("graphs/cholesky4.dot", NULL, &app, NULL), INLAY_OK);
    inlay_machine *small = machine_of("bus:8"), *twice = machine_of("bus:17,transfers=2");
    inlay_sweep_result *few = swept(app, small, INT64_MAX, 1), *quiet = swept(app, twice, 58, 1),
                       *none = swept(app, twice, 0, 1);
    for (size_t i = 0; i < 12; i++) {
        const inlay_sweep_row *row = inlay_sweep_row_at(few, i);
        ck_assert_int_eq(isfinite(row->elapsed), row->clusters <= 8);
        row = inlay_sweep_row_at(quiet, i);
        ck_assert_int_eq(isfinite(row->elapsed), row->messages <= 29);
        ck_assert(isnan(inlay_sweep_row_at(none, i)->elapsed));
    }
    ck_assert(isnan(inlay_sweep_row_at(quiet, 5)->elapsed) && isfinite(inlay_sweep_row_at(quiet, 6)->elapsed));
    ck_assert(isnan(inlay_sweep_row_at(few, 5)->elapsed) && isfinite(inlay_sweep_row_at(few, 6)->elapsed));
    inlay_sweep_free(none);
    inlay_sweep_free(quiet);
    inlay_sweep_free(few);
    inlay_machine_free(twice);
    inlay_machine_free(small);
    inlay_app_free(app);
}
END_TEST

Suite *suite_sweep_elapsed(void)
{
    Suite *suite = suite_create("elapsed times of the sweep");
    TCase *tests = tcase_create("elapsed times of the sweep");
    tcase_add_loop_test(tests, rows_are_simulated_mappings, 0, (int)(sizeof machines / sizeof *machines));
    tcase_add_test(tests, some_rows_are_not_simulated);
    suite_add_tcase(suite, tests);
    return suite;
}
