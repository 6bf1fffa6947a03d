/* The elapsed times of a sweep: each is what a mapping under the row's T takes when it is simulated by itself. */
#include "random_app.h"
#include "sound_run.h"
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
    return simulated_makespan(mapping, &options);
}

static int64_t events_of(const inlay_mapping *mapping)
{
    const inlay_simulation_options options = {.seed = SEED};
    inlay_simulation *simulation = simulated(mapping, &options);
    int64_t events = inlay_simulation_result(simulation)->events;
    inlay_simulation_free(simulation);
    return events;
}

/* Whether at its first T, or a later one of the row, the network is not saturated: mapping raises T no further. */
static bool is_open(const inlay_app *app, const inlay_machine *machine, const inlay_sweep_row *row)
{
    inlay_time last = row->bounded ? row->until - 1 : INT64_MAX / 4;
    inlay_mapping *mapping = mapped(app, machine, row->cost.saturated ? last : row->time_frame);
    bool open = mapping != NULL;
    inlay_mapping_free(mapping);
    return open;
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
        inlay_bound bound = inlay_sweep_summary_of(sweep)->lower_bound;
        ck_assert_double_le(bound.value, row->elapsed * (1 + 1e-9));
        if (mapping != NULL) {
            ck_assert_double_eq(row->elapsed, makespan_of(mapping));
            inlay_bound of_mapping = inlay_mapping_largest_bound(mapping, false);
            ck_assert_double_eq(bound.value, of_mapping.value);
            ck_assert_str_eq(bound.name, of_mapping.name);
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

/* Rows of more clusters than there are processors have none; those that would take more events are screens. */
START_TEST(some_rows_are_not_simulated)
{
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_app_read("graphs/cholesky4.dot", NULL, &app, NULL), INLAY_OK);
    inlay_machine *small = machine_of("bus:8"), *twice = machine_of("bus:17,transfers=2");
    inlay_sweep_result *few = swept(app, small, INT64_MAX, 1), *none = swept(app, twice, -1, 1);
    inlay_mapping *sixth = mapped(app, twice, inlay_sweep_row_at(none, 6)->time_frame);
    int64_t most = events_of(sixth);
    inlay_sweep_result *quiet = swept(app, twice, most, 1);
    size_t screens = 0, rows = inlay_sweep_rows(quiet);
    for (size_t i = 0; i < rows; i++) {
        const inlay_sweep_row *row = inlay_sweep_row_at(few, i);
        ck_assert_int_eq(isfinite(row->elapsed), row->clusters <= 8);
        row = inlay_sweep_row_at(quiet, i);
        inlay_mapping *mapping = mapped(app, twice, row->time_frame);
        bool is_screen = events_of(mapping) > most;
        double screen = screen_of(mapping, INLAY_CONTENTION_QUEUES);
        ck_assert_int_eq(row->elapsed_is, is_screen ? INLAY_ELAPSED_SCREEN : INLAY_ELAPSED_SIMULATED);
        ck_assert_double_eq(row->elapsed, is_screen ? screen : makespan_of(mapping));
        row = inlay_sweep_row_at(none, i);
        ck_assert_int_eq(row->elapsed_is, INLAY_ELAPSED_SCREEN);
        ck_assert_double_eq(row->elapsed, screen);
        screens += is_screen;
        inlay_mapping_free(mapping);
    }
    ck_assert(screens > 0 && screens < rows);
    inlay_mapping_free(sixth);
    inlay_sweep_free(none);
    inlay_sweep_free(quiet);
    inlay_sweep_free(few);
    inlay_machine_free(twice);
    inlay_machine_free(small);
    inlay_app_free(app);
}
END_TEST

/* The best row is the shortest of at most P clusters that some T opens; of equal ones the fewest clusters, then the least T. */
START_TEST(best_is_the_shortest_row)
{
    uint64_t state = 40 + (uint64_t)_i;
    inlay_machine *machine = machine_of(machines[_i]);
    size_t found = 0;
    for (size_t i = 0; i < APPS / 2; i++) {
        random_times times;
        inlay_app *app = random_app(&state, 4 + (inlay_id)random_below(&state, MODULES), RANDOM_BLOCKING, &times);
        inlay_sweep_options options = {.mapping = {.tick_seconds = tick, .processors = 5}, .threads = 1};
        inlay_sweep_result *sweep = NULL;
        const inlay_sweep_row *best = NULL;
        ck_assert_int_eq(inlay_sweep(app, machine, &options, &sweep, NULL), INLAY_OK);
        for (size_t r = 0; r < inlay_sweep_rows(sweep); r++) {
            const inlay_sweep_row *row = inlay_sweep_row_at(sweep, r);
            bool better = best == NULL || row->elapsed < best->elapsed ||
                          (row->elapsed == best->elapsed && row->clusters < best->clusters);
            best = row->clusters <= 5 && better && is_open(app, machine, row) ? row : best;
        }
        const inlay_sweep_point *told = &inlay_sweep_summary_of(sweep)->best;
        ck_assert_int_eq(told->exists, best != NULL);
        ck_assert(best == NULL || inlay_sweep_row_at(sweep, told->row) == best);
        found += best != NULL;
        inlay_sweep_free(sweep);
        inlay_app_free(app);
    }
    ck_assert_uint_gt(found, APPS / 8);
    inlay_machine_free(machine);
}
END_TEST

Suite *suite_sweep_elapsed(void)
{
    Suite *suite = suite_create("elapsed times of the sweep");
    TCase *tests = tcase_create("elapsed times of the sweep");
    tcase_add_loop_test(tests, rows_are_simulated_mappings, 0, (int)(sizeof machines / sizeof *machines));
    tcase_add_loop_test(tests, best_is_the_shortest_row, 0, (int)(sizeof machines / sizeof *machines));
    tcase_add_test(tests, some_rows_are_not_simulated);
    suite_add_tcase(suite, tests);
    return suite;
}
