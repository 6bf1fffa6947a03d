/* Hand-computed cases of data that go once to each processor, of the slow simulator and of the library. */
#include "golden.h"
#include "random_app.h"
#include "slow_run.h"
#include "sound_run.h"
#include "unit.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** A case of the golden file: its application, and where its modules run, as one digit each. */
static const struct {
    const char *name, *dot, *where, *machine;
} cases[] = {
    {"datum-one-destination", "h -> {c0 c1 c2 c3 c4 c5 c6 c7 c8 c9} [bytes=100, data=x];", "01111111111", "bus:2"},
    {"no-names", "h -> {c0 c1 c2 c3 c4 c5 c6 c7 c8 c9} [bytes=100];", "01111111111", "bus:2"},
    {"datum-two-destinations", "h -> {c0 c1 c2 c3 c4 c5 c6 c7 c8 c9} [bytes=100, data=x];", "01111122222", "bus:3"},
    {"datum-two-written-once", "h -> {c0 c1 c2 c3 c4 c5 c6 c7 c8 c9} [bytes=100, data=x];", "01111122222",
     "bus:3,transfers=2"},
    {"streaming-lag-passes",
     "i [time=10, blocking=0]; j [blocking=2]; k [time=5, blocking=10]; i -> {j k} [bytes=1, data=x];", "011", "bus:2"},
};
enum { CASES = sizeof cases / sizeof *cases };

static const json_t *golden_of(const json_t *file, const char *name)
{
    size_t i;
    const json_t *one, *found = NULL;
    json_array_foreach(json_object_get(file, "cases"), i, one)
    {
        if (strcmp(json_string_value(json_object_get(one, "name")), name) == 0) found = one;
    }
    ck_assert_ptr_nonnull(found);
    return found;
}

START_TEST(like_the_golden)
{
    char text[400], machine[80];
    json_t *file = unit_golden("schedule");
    const json_t *golden = golden_of(file, cases[_i].name), *start;
    inlay_app *app = NULL;
    snprintf(text, sizeof text, "digraph { graph [time_unit=tick]; node [time=1]; %s }", cases[_i].dot);
    snprintf(machine, sizeof machine, "%s,capacity=1B/tick", cases[_i].machine);
    ck_assert_int_eq(inlay_app_read_memory(text, strlen(text), "case", "dot", &app, NULL), INLAY_OK);
    inlay_machine *bus = golden_machine(machine);
    inlay_id of[SLOW_RUN_MODULES];
    for (inlay_id i = 0; i < inlay_app_modules(app); i++)
        of[i] = cases[_i].where[i] - '0';
    inlay_mapping *mapping = placed(app, bus, of, NULL);
    slow_run *slow = malloc(sizeof *slow);
    slow_simulate(mapping, &(inlay_simulation_options){0}, slow);
    double elapsed = json_number_value(json_object_get(golden, "elapsed"));
    ck_assert_double_eq(slow->elapsed, elapsed);
    const char *name;
    json_object_foreach((json_t *)json_object_get(golden, "starts"), name, start)
        ck_assert_double_eq(slow->start[inlay_app_find_module(app, name)], json_number_value(start));
    if (json_object_get(golden, "transfers"))
        ck_assert_int_eq(slow->items, json_integer_value(json_object_get(golden, "transfers")));
    ck_assert_double_eq(simulated_makespan(mapping, NULL), elapsed);
    if (json_object_get(golden, "traffic"))
        ck_assert_int_eq(inlay_mapping_summary(mapping)->traffic,
                         json_integer_value(json_object_get(golden, "traffic")));
    free(slow);
    inlay_mapping_free(mapping);
    inlay_machine_free(bus);
    inlay_app_free(app);
    json_decref(file);
}
END_TEST

/* ---- Memory at its peak ---- */

/** Bytes that a keeper holds of a datum at a time: its producer's, or a copy's, as the record has them. */
static int64_t held_at(const inlay_simulation *run, const inlay_id *host, inlay_id datum, inlay_id keeper, double time)
{
    const inlay_mapping *mapping = inlay_simulation_mapping(run);
    const inlay_app *app = inlay_mapping_app(mapping);
    inlay_datum d = inlay_app_datum(app, datum);
    size_t count;
    const inlay_simulated_message *message = inlay_simulation_messages(run, &count);
    bool produced = host[inlay_mapping_cluster_of(mapping, d.producer)] == keeper;
    double from = inlay_simulation_end(run, d.producer), until = produced ? from : 0;
    if (produced && inlay_mapping_summary(mapping)->streamed) from = inlay_simulation_start(run, d.producer);
    for (int64_t j = 0; j < d.consumers; j++)
        if (host[inlay_mapping_cluster_of(mapping, d.consumer[j])] == keeper)
            until = fmax(until, inlay_simulation_end(run, d.consumer[j]));
    for (size_t m = 0; m < count; m++) {
        if (message[m].datum != datum) continue;
        if (host[message[m].sender] == keeper) until = fmax(until, message[m].sent);
        if (!produced && host[message[m].receiver] == keeper) from = message[m].begin;
    }
    return from <= time && time < until ? d.bytes : 0;
}

START_TEST(peaks_are_those_of_the_record)
{
    static const char *const machines[] = {
        "bus:5,capacity=200",  "bus:4,transfers=2,capacity=100",    "mesh:2x2,capacity=100",
        "star:2,capacity=100", "bus:6,broadcast=tree,capacity=100", "mesh:3x2,broadcast=tree,capacity=100"};
    uint64_t state = 77 + (uint64_t)_i;
    random_times times;
    inlay_app *app = random_app(&state, 12, RANDOM_DATA | RANDOM_MEMORY | (_i % 2 ? RANDOM_BLOCKING : 0), &times);
    char text[80];
    snprintf(text, sizeof text, "%sB/%s%s", machines[_i % 6], inlay_unit_name(inlay_app_unit(app)),
             _i % 6 == 3 ? ",cores=2" : "");
    inlay_machine *machine = golden_machine(text);
    inlay_id of[RANDOM_MODULES], host[8];
    for (inlay_id i = 0; i < inlay_app_modules(app); i++)
        of[i] = (inlay_id)random_below(&state, inlay_machine_processors(machine));
    inlay_mapping *mapping = placed(app, machine, of, NULL);
    inlay_simulation *run = simulated(mapping, NULL);
    inlay_id clusters = inlay_mapping_summary(mapping)->clusters;
    int waiting = 0;
    for (inlay_id c = 0; c < clusters; c++)
        host[c] = inlay_machine_has_links(machine)
                      ? inlay_machine_host(machine, inlay_mapping_cluster(mapping, c).processor)
                      : c;
    for (inlay_id c = 0; c < clusters && inlay_app_data(app) > 0; c++) {
        int64_t always = 0, peak = 0;
        for (inlay_id other = 0; other < clusters; other++)
            always += host[other] == host[c] ? inlay_mapping_cluster(mapping, other).memory : 0;
        size_t count;
        const inlay_simulated_message *message = inlay_simulation_messages(run, &count);
        for (size_t at = 0; at < count + 2 * (size_t)inlay_app_modules(app); at++) { /* whenever something may begin */
            size_t i = (at - count) / 2;
            double time = at < count              ? message[at].begin
                          : (at - count) % 2 == 0 ? inlay_simulation_end(run, (inlay_id)i)
                                                  : inlay_simulation_start(run, (inlay_id)i);
            int64_t now = always;
            for (inlay_id d = 0; d < inlay_app_data(app); d++)
                now += held_at(run, host, d, host[c], time);
            peak = now > peak ? now : peak;
        }
        ck_assert_int_eq(inlay_simulation_processor(run, c).memory_peak, peak);
        waiting += peak > always;
    }
    ck_assert(waiting > 0 || clusters < 3 || inlay_app_data(app) < 2);
    inlay_simulation_free(run);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

Suite *suite_data_once(void)
{
    Suite *suite = suite_create("data_once");
    TCase *tests = tcase_create("data_once");
    tcase_add_loop_test(tests, like_the_golden, 0, CASES);
    tcase_add_loop_test(tests, peaks_are_those_of_the_record, 0, 96);
    suite_add_tcase(suite, tests);
    return suite;
}
