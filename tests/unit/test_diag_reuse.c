/* One diagnostic for many calls: it tells about the last one alone, unless it is told to keep warnings. */
#include "base/diag.h"
#include "dataflow_subject.h"
#include "unit.h"
#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char toy[] = "digraph toy { graph [time_unit=tick]; A [time=10]; B [time=20]; A -> B [messages=4]; }";

/* A WfFormat file of which reading warns. */
static const char unsized[] =
    "{\"schemaVersion\": \"1.4\", \"workflow\": {\"tasks\": ["
    "{\"name\": \"a\", \"runtime\": 1, \"files\": [{\"link\": \"output\", \"name\": \"f\"}]},"
    "{\"name\": \"b\", \"runtime\": 1, \"parents\": [\"a\"], \"files\": [{\"link\": \"input\", \"name\": \"f\"}]}]}}";
static const char unsized_warning[] = "w: some files between tasks have no size; they count as 0 bytes";

static inlay_app *app;
static inlay_machine *machine;
static inlay_mapping *mapping;
static inlay_diag *diag;

static void open_subject(void)
{
    diag = inlay_diag_new();
    ck_assert_int_eq(inlay_app_read_memory(toy, strlen(toy), "toy", NULL, &app, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_machine_parse("bus:2", &machine, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_map(app, machine, NULL, &mapping, NULL), INLAY_OK);
}

static void close_subject(void)
{
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
    inlay_diag_free(diag);
}

/* ---- Public calls of all chapters, each as one that succeeds without a warning and as one that fails ---- */

static int read_app(bool good, inlay_diag *told)
{
    inlay_app *made = NULL;
    int status = inlay_app_read_memory(toy, strlen(toy) - (good ? 0 : 1), "toy", NULL, &made, told);
    inlay_app_free(made);
    return status;
}

static int read_file(bool good, inlay_diag *told)
{
    (void)good; /* the file that is there is read by the other calls */
    inlay_app *made = NULL;
    int status = inlay_app_read("/nowhere/app.dot", NULL, &made, told);
    inlay_app_free(made);
    return status;
}

static int parse_machine(bool good, inlay_diag *told)
{
    inlay_machine *made = NULL;
    int status = inlay_machine_parse(good ? "mesh:2x2" : "mesh:none", &made, told);
    inlay_machine_free(made);
    return status;
}

static int read_machine(bool good, inlay_diag *told)
{
    inlay_machine *made = NULL;
    int status = inlay_machine_read(good ? "mesh:2x2" : "mesh:none", &made, told);
    inlay_machine_free(made);
    return status;
}

static int build_app(bool good, inlay_diag *told)
{
    inlay_app_builder *builder = inlay_app_builder_new("t", INLAY_UNIT_S);
    inlay_module module = {.name = good ? "a" : "", .time = {{1, 0}, INLAY_UNIT_NONE}};
    int status = inlay_app_add_module(builder, &module, told);
    inlay_app_builder_free(builder);
    return status;
}

static int map(bool good, inlay_diag *told)
{
    inlay_options options = {.has_time_frame = true, .time_frame = {{good ? 100 : 1, 0}, INLAY_UNIT_TICK}};
    inlay_mapping *made = NULL;
    int status = inlay_map(app, machine, &options, &made, told);
    inlay_mapping_free(made);
    return status;
}

static int evaluate(bool good, inlay_diag *told)
{
    const inlay_id processor_of[] = {0, good ? 0 : 7};
    inlay_mapping *made = NULL;
    int status = inlay_evaluate(app, machine, processor_of, NULL, &made, told);
    inlay_mapping_free(made);
    return status;
}

static int simulate(bool good, inlay_diag *told)
{
    inlay_simulation_options options = {.replications = good ? 1 : -1};
    inlay_simulation *made = NULL;
    int status = inlay_simulate(mapping, &options, &made, told);
    inlay_simulation_free(made);
    return status;
}

static int front(bool good, inlay_diag *told)
{
    inlay_pareto_options options = {.from = good ? 0 : -1};
    inlay_pareto_result *made = NULL;
    int status = inlay_pareto(app, machine, &options, &made, told);
    inlay_pareto_free(made);
    return status;
}

static int advise(bool good, inlay_diag *told)
{
    const inlay_advise_input inputs[] = {{app, NULL, NULL, "app", "app"}, {NULL, machine, NULL, "machine", "machine"}};
    inlay_advise_options options = {.from = good ? 0 : -1};
    inlay_advice *made = NULL;
    int status = inlay_advise(inputs, 2, &options, &made, told);
    inlay_advice_free(made);
    return status;
}

static int set_parameter(bool good, inlay_diag *told)
{
    inlay_program *program = inlay_program_new("p");
    int status = inlay_program_set(program, "n", good ? 1 : NAN, told);
    inlay_program_free(program);
    return status;
}

static int speed(bool good, inlay_diag *told)
{
    inlay_performance *made = NULL;
    int status = inlay_performance_constant(good ? 1 : -1, &made, told);
    inlay_performance_free(made);
    return status;
}

static int write_bytes(bool good, inlay_diag *told)
{
    return inlay_bytes_write(good ? "/dev/null" : "/nowhere/file", "x", 1, told);
}

static int write_mapping(bool good, inlay_diag *told)
{
    (void)good; /* where it succeeds it writes the warnings, and leaves them: a test of its own below */
    const inlay_origin origin = {.command = "map", .app_path = "/nowhere/app.dot"};
    return inlay_mapping_write(mapping, &origin, "/dev/null", told);
}

typedef struct call {
    int (*of)(bool good, inlay_diag *told);
    bool fails_only, leaves_warnings;
} call;

static const call calls[] = {
    {.of = read_app},      {.of = read_file, .fails_only = true},
    {.of = parse_machine}, {.of = read_machine},
    {.of = build_app},     {.of = map},
    {.of = evaluate},      {.of = simulate},
    {.of = front},         {.of = advise},
    {.of = set_parameter}, {.of = speed},
    {.of = write_bytes},   {.of = write_mapping, .fails_only = true, .leaves_warnings = true},
};

enum { CALLS = sizeof calls / sizeof *calls };

static void soil(void)
{
    diag_warn(diag, "an earlier warning");
    diag_fail(diag, INLAY_BAD_INPUT, "an earlier error");
    diag_remedy(diag, "--earlier", "1");
}

START_TEST(good_call_leaves_nothing_of_an_earlier_one)
{
    const call *c = &calls[_i];
    soil();
    if (c->fails_only) return;
    ck_assert_int_eq(c->of(true, diag), INLAY_OK);
    ck_assert_str_eq(inlay_diag_message(diag), "");
    ck_assert_uint_eq(inlay_diag_remedies(diag), 0);
    ck_assert_uint_eq(inlay_diag_warnings(diag), 0);
}
END_TEST

/* What is told is what a new diagnostic is told. */
START_TEST(failed_call_tells_of_itself_alone)
{
    const call *c = &calls[_i];
    inlay_diag *fresh = inlay_diag_new();
    int status = c->of(false, fresh);
    ck_assert_int_ne(status, INLAY_OK);
    ck_assert_str_ne(inlay_diag_message(fresh), "");
    soil();
    for (int again = 0; again < 2; again++) {
        ck_assert_int_eq(c->of(false, diag), status);
        ck_assert_str_eq(inlay_diag_message(diag), inlay_diag_message(fresh));
        ck_assert_uint_eq(inlay_diag_remedies(diag), inlay_diag_remedies(fresh));
        for (size_t r = 0; r < inlay_diag_remedies(fresh); r++) {
            ck_assert_str_eq(inlay_diag_remedy_option_at(diag, r), inlay_diag_remedy_option_at(fresh, r));
            ck_assert_str_eq(inlay_diag_remedy_value_at(diag, r), inlay_diag_remedy_value_at(fresh, r));
        }
        ck_assert_uint_eq(inlay_diag_warnings(diag), inlay_diag_warnings(fresh) + c->leaves_warnings);
    }
    inlay_diag_free(fresh);
}
END_TEST

START_TEST(kept_warnings_stay_and_errors_do_not)
{
    const call *c = &calls[_i];
    inlay_diag_keep_warnings(diag, true);
    soil();
    int status = c->of(!c->fails_only, diag);
    ck_assert_int_eq(status == INLAY_OK, !c->fails_only);
    ck_assert_str_ne(inlay_diag_message(diag), "an earlier error");
    ck_assert_uint_eq(inlay_diag_remedies(diag), 0);
    ck_assert_uint_eq(inlay_diag_warnings(diag), 1);
    ck_assert_str_eq(inlay_diag_warning(diag, 0), "an earlier warning");
}
END_TEST

/* ---- Apart ---- */

static void read_unsized(void)
{
    inlay_app *made = NULL;
    ck_assert_int_eq(inlay_app_read_memory(unsized, strlen(unsized), "w", NULL, &made, diag), INLAY_OK);
    inlay_app_free(made);
}

START_TEST(warnings_of_the_last_call_alone)
{
    read_unsized();
    read_unsized();
    ck_assert_uint_eq(inlay_diag_warnings(diag), 1);
    ck_assert_str_eq(inlay_diag_warning(diag, 0), unsized_warning);
    ck_assert_int_eq(parse_machine(true, diag), INLAY_OK);
    ck_assert_uint_eq(inlay_diag_warnings(diag), 0);
    inlay_diag_keep_warnings(diag, true);
    read_unsized();
    ck_assert_int_ne(parse_machine(false, diag), INLAY_OK);
    ck_assert_uint_eq(inlay_diag_warnings(diag), 1);
    inlay_diag_keep_warnings(diag, false);
    ck_assert_int_ne(parse_machine(false, diag), INLAY_OK);
    ck_assert_uint_eq(inlay_diag_warnings(diag), 0);
}
END_TEST

/* The profile warns of the values that are left, and builds its application with public calls afterwards. */
START_TEST(calls_inside_a_call_forget_nothing)
{
    hand_program h = hand_of(put_three, get_one);
    ck_assert_int_eq(inlay_program_wire(h.program, 0, 0, 1, 0, 4, 0, h.diag), INLAY_OK);
    ck_assert_int_ne(parse_machine(false, h.diag), INLAY_OK);
    ck_assert_int_eq(hand_run(&h, NULL), INLAY_OK);
    ck_assert_str_eq(inlay_diag_message(h.diag), "");
    ck_assert_uint_eq(inlay_diag_warnings(h.diag), 1);
    ck_assert_ptr_nonnull(strstr(inlay_diag_warning(h.diag, 0), "nobody got 2 of the 3 values"));
    hand_end(&h);
}
END_TEST

START_TEST(mapping_file_has_the_warnings_that_are_there)
{
    char app_path[] = "/tmp/inlay-reuse-XXXXXX", path[] = "/tmp/inlay-reuse-XXXXXX";
    close(mkstemp(app_path));
    close(mkstemp(path));
    ck_assert_int_eq(inlay_bytes_write(app_path, toy, strlen(toy), diag), INLAY_OK);
    soil();
    const inlay_origin origin = {.command = "map", .app_path = app_path};
    ck_assert_int_eq(inlay_mapping_write(mapping, &origin, path, diag), INLAY_OK);
    ck_assert_str_eq(inlay_diag_message(diag), "");
    json_t *written = json_load_file(path, 0, NULL);
    const json_t *warnings = json_object_get(written, "warnings");
    ck_assert_uint_eq(json_array_size(warnings), 1);
    ck_assert_str_eq(json_string_value(json_array_get(warnings, 0)), "an earlier warning");
    json_decref(written);
    unlink(app_path);
    unlink(path);
}
END_TEST

START_TEST(clearing_keeps_what_calls_may_do)
{
    char path[] = "/tmp/inlay-reuse-XXXXXX";
    close(mkstemp(path));
    inlay_outputs *outputs = inlay_outputs_new();
    inlay_diag_gather(diag, outputs);
    inlay_diag_set_most_unpacked(diag, 7);
    soil();
    inlay_diag_clear(diag);
    inlay_diag_clear(NULL);
    ck_assert_str_eq(inlay_diag_message(diag), "");
    ck_assert_uint_eq(inlay_diag_remedies(diag), 0);
    ck_assert_uint_eq(inlay_diag_warnings(diag), 0);
    ck_assert_int_eq(diag_most_unpacked(diag), 7);
    ck_assert_int_eq(inlay_bytes_write(path, "abc", 3, diag), INLAY_OK);
    ck_assert_int_eq(inlay_outputs_bytes(outputs, path), 3); /* it waits */
    inlay_outputs_free(outputs);
    unlink(path);
}
END_TEST

Suite *suite_diag_reuse(void)
{
    Suite *suite = suite_create("diag_reuse");
    TCase *tests = tcase_create("diag_reuse");
    tcase_add_checked_fixture(tests, open_subject, close_subject);
    tcase_add_loop_test(tests, good_call_leaves_nothing_of_an_earlier_one, 0, CALLS);
    tcase_add_loop_test(tests, failed_call_tells_of_itself_alone, 0, CALLS);
    tcase_add_loop_test(tests, kept_warnings_stay_and_errors_do_not, 0, CALLS);
    tcase_add_test(tests, warnings_of_the_last_call_alone);
    tcase_add_test(tests, calls_inside_a_call_forget_nothing);
    tcase_add_test(tests, mapping_file_has_the_warnings_that_are_there);
    tcase_add_test(tests, clearing_keeps_what_calls_may_do);
    suite_add_tcase(suite, tests);
    return suite;
}
