/* The run that a WfFormat file records, before 1.5 and from then on. */
#include "unit.h"

#include <inlay/io.h>
#include <string.h>

static int read_as(const char *text, const inlay_reading *how, inlay_app **app, inlay_diag *diag)
{
    inlay_reading reading = *how;
    reading.format = "wfformat";
    *app = NULL;
    return inlay_app_read_memory_as(text, strlen(text), "w", &reading, app, diag);
}

/* 1.5 with what is not the number that it should be in the places of two. */
static const char *with(const char *makespan, const char *cores)
{
    static char text[1000];
    snprintf(
        text, sizeof text,
        "{\"schemaVersion\": \"1.5\", \"runtimeSystem\": {\"name\": \"Nextflow\"}, \"workflow\": {"
        "\"specification\": {\"tasks\": [{\"name\": \"a\", \"id\": \"a\", \"inputFiles\": [\"f\"]}, "
        "{\"name\": \"b\", \"id\": \"b\"}], \"files\": [{\"id\": \"f\", \"sizeInBytes\": 5}]},\n"
        "\"execution\": {\"makespanInSeconds\": %s, \"machines\": [{\"nodeName\": \"x\", \"cpu\": {\"coreCount\": 8}}, "
        "{\"nodeName\": \"y\", \"cpu\": {\"coreCount\": %s}}],\n"
        "\"tasks\": [{\"id\": \"b\", \"runtimeInSeconds\": 1, \"machines\": [\"y\"], \"readBytes\": 6}, "
        "{\"id\": \"a\", \"runtimeInSeconds\": 2, \"machines\": [\"x\"], \"writtenBytes\": 7}]}}}",
        makespan, cores);
    return text;
}

START_TEST(a_run_is_kept)
{
    inlay_app *app;
    ck_assert_int_eq(read_as(with("10.5", "4"), &(inlay_reading){0}, &app, NULL), INLAY_OK);
    const inlay_recorded *run = inlay_app_recorded(app);
    ck_assert_ptr_nonnull(run);
    ck_assert(run->makespan == 10.5);
    ck_assert_str_eq(run->system, "Nextflow");
    ck_assert_int_eq(run->hosts, 2);
    ck_assert_str_eq(run->host[1].name, "y");
    ck_assert_int_eq(run->host[1].cores, 4);
    ck_assert_int_eq(run->cores, 12);
    ck_assert(run->ran_on[0] == 0 && run->ran_on[1] == 1);
    ck_assert(run->read[0] == -1 && run->read[1] == 6);
    ck_assert(run->written[0] == 7 && run->written[1] == -1);
    inlay_app_free(app);
}
END_TEST

/* The modules that a storage adds ran nowhere. */
START_TEST(a_storage_did_not_run)
{
    inlay_app *app;
    const inlay_reading how = {.file_storage = true};
    ck_assert_int_eq(read_as(with("1", "1"), &how, &app, NULL), INLAY_OK);
    const inlay_recorded *run = inlay_app_recorded(app);
    ck_assert_int_gt(inlay_app_modules(app), 2);
    for (inlay_id i = 2; i < inlay_app_modules(app); i++)
        ck_assert(run->ran_on[i] == -1 && run->read[i] == -1 && run->written[i] == -1);
    inlay_app_free(app);
}
END_TEST

START_TEST(what_is_not_given_is_not_guessed)
{
    static const char *const none[] = {"null", "0"};
    inlay_app *app;
    ck_assert_int_eq(read_as(with(none[_i], none[_i]), &(inlay_reading){0}, &app, NULL), INLAY_OK);
    const inlay_recorded *run = inlay_app_recorded(app);
    ck_assert(run->makespan == 0 && run->host[1].cores == 0 && run->cores == 0);
    inlay_app_free(app);

    const char *const bare = "{\"schemaVersion\": \"1.4\", \"wms\": {\"name\": \"Pegasus\"}, \"workflow\": {\"tasks\": "
                             "[{\"name\": \"a\", \"runtimeInSeconds\": 1}]}}";
    ck_assert_int_eq(read_as(bare, &(inlay_reading){0}, &app, NULL), INLAY_OK);
    ck_assert_ptr_null(inlay_app_recorded(app));
    inlay_app_free(app);
}
END_TEST

START_TEST(bad_values_are_refused)
{
    static const struct {
        const char *makespan, *cores, *message;
    } bad[] = {
        {"-1", "1", "w:2: workflow.execution.makespanInSeconds is -1; expected a number, 0 or more"},
        {"\"NaN\"", "1", "w:2: workflow.execution.makespanInSeconds is 'NaN'; expected a number, 0 or more"},
        {"1", "-1", "w:2: workflow.execution.machines[1].cpu.coreCount is -1; expected an integer, 0 or more"},
    };
    inlay_app *app;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(read_as(with(bad[_i].makespan, bad[_i].cores), &(inlay_reading){0}, &app, diag), INLAY_BAD_INPUT);
    ck_assert_str_eq(inlay_diag_message(diag), bad[_i].message);
    ck_assert_ptr_null(app);
    inlay_diag_free(diag);
}
END_TEST

Suite *suite_recorded(void)
{
    Suite *suite = suite_create("recorded");
    TCase *tests = tcase_create("recorded");
    tcase_add_test(tests, a_run_is_kept);
    tcase_add_test(tests, a_storage_did_not_run);
    tcase_add_loop_test(tests, what_is_not_given_is_not_guessed, 0, 2);
    tcase_add_loop_test(tests, bad_values_are_refused, 0, 3);
    suite_add_tcase(suite, tests);
    return suite;
}
