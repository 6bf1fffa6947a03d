/* Hand-computed cases of data that go once to each processor, of the slow simulator and of the library. */
#include "golden.h"
#include "slow_simulate.h"
#include "sound_run.h"
#include "unit.h"

#include <jansson.h>
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
    slow_simulate(mapping, true, 0, slow);
    double elapsed = json_number_value(json_object_get(golden, "elapsed"));
    ck_assert_double_eq((double)slow->makespan, elapsed);
    const char *name;
    json_object_foreach((json_t *)json_object_get(golden, "starts"), name, start)
        ck_assert_int_eq(slow->start[inlay_app_find_module(app, name)], json_integer_value(start));
    if (json_object_get(golden, "transfers"))
        ck_assert_int_eq(slow->messages, json_integer_value(json_object_get(golden, "transfers")));
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

Suite *suite_data_once(void)
{
    Suite *suite = suite_create("data_once");
    TCase *tests = tcase_create("data_once");
    tcase_add_loop_test(tests, like_the_golden, 0, CASES);
    suite_add_tcase(suite, tests);
    return suite;
}
