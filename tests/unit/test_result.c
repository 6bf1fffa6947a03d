/* A C caller gets the bytes that the command line prints. */
#include "unit.h"

#include <inlay/inlay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 1 << 20 };

#define APP     "graphs/cholesky4.dot"
#define MACHINE "bus:17"

static char path[64];

static void name_path(void)
{
    snprintf(path, sizeof path, "/tmp/inlay-unit-%ld.result.json", (long)getpid());
}

static void remove_path(void)
{
    unlink(path);
}

/* All of a stream; the caller frees it. */
static char *read_all(FILE *from)
{
    char *text = calloc(ROOM, 1);
    ck_assert_ptr_nonnull(from);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_lt(fread(text, 1, ROOM, from), ROOM);
    return text;
}

/* The file that a call has written is what `inlay WORDS` prints. */
static void expect_printed(const char *words)
{
    char command[512];
    const char *program = getenv("INLAY");
    snprintf(command, sizeof command, "%s %s", program != NULL ? program : "build/inlay", words);
    FILE *ours = fopen(path, "r"), *theirs = popen(command, "r"); // NOLINT(cert-env33-c): the program under test
    char *called = read_all(ours), *printed = read_all(theirs);
    fclose(ours);
    ck_assert_int_eq(pclose(theirs), 0);
    ck_assert_uint_gt(strlen(called), 100);
    ck_assert_str_eq(called, printed);
    free(called);
    free(printed);
}

static inlay_app *app;
static inlay_machine *machine;
static inlay_diag *diag;

static void read_both(void)
{
    name_path();
    diag = inlay_diag_new();
    ck_assert_int_eq(inlay_app_read(APP, NULL, &app, diag), INLAY_OK);
    ck_assert_int_eq(inlay_machine_read(MACHINE, &machine, diag), INLAY_OK);
}

static void free_both(void)
{
    inlay_machine_free(machine);
    inlay_app_free(app);
    inlay_diag_free(diag);
    remove_path();
}

START_TEST(sweep_as_printed)
{
    const inlay_result_context context = {.command = "sweep", .said = diag};
    const inlay_sweep_options options = {.simulate = 1000000};
    inlay_sweep_result *sweep = NULL;
    ck_assert_int_eq(inlay_sweep(app, machine, &options, &sweep, diag), INLAY_OK);
    ck_assert_int_eq(inlay_sweep_write_json(sweep, &context, path, diag), INLAY_OK);
    expect_printed("sweep " APP " " MACHINE " --json");
    inlay_sweep_free(sweep);
}
END_TEST

START_TEST(pareto_as_printed)
{
    const inlay_result_context context = {.command = "pareto", .said = diag};
    const inlay_pareto_options options = {.simulate = 1000000};
    inlay_pareto_result *front = NULL;
    ck_assert_int_eq(inlay_pareto(app, machine, &options, &front, diag), INLAY_OK);
    ck_assert_int_eq(inlay_pareto_write_json(front, &context, path, diag), INLAY_OK);
    expect_printed("pareto " APP " " MACHINE " --json");
    inlay_pareto_free(front);
}
END_TEST

START_TEST(map_as_printed)
{
    inlay_mapping *mapping = NULL;
    const inlay_origin origin = {.command = "map", .app_path = APP};
    ck_assert_int_eq(inlay_map(app, machine, NULL, &mapping, diag), INLAY_OK);
    ck_assert_int_eq(inlay_mapping_write(mapping, &origin, path, diag), INLAY_OK);
    expect_printed("map " APP " " MACHINE " --simulate no --json");
    inlay_mapping_free(mapping);
}
END_TEST

/* What a caller adds, with warnings and a seed beyond 2^63. */
static int put_own(inlay_json *json, const void *of)
{
    inlay_json_count(json, "count", -1);
    inlay_json_string(json, "text", of);
    inlay_json_string(json, "none", NULL);
    return INLAY_OK;
}

START_TEST(own_result)
{
    const inlay_result_context context = {.command = "own", .seed = UINT64_MAX, .said = diag};
    char expected[512];
    inlay_diag_clear(diag);
    inlay_diag_add_warning(diag, "beware");
    inlay_diag_keep_warnings(diag, true);
    ck_assert_int_eq(inlay_result_write(&context, put_own, "a\tb", path, diag), INLAY_OK);
    snprintf(
        expected, sizeof expected,
        "{\n  \"inlay\": \"%s\",\n  \"command\": \"own\",\n  \"seed\": 18446744073709551615,\n"
        "  \"warnings\": [\n    \"beware\"\n  ],\n  \"count\": null,\n  \"text\": \"a\\tb\",\n  \"none\": null\n}\n",
        inlay_version());
    FILE *file = fopen(path, "r");
    char *text = read_all(file);
    fclose(file);
    ck_assert_str_eq(text, expected);
    free(text);
}
END_TEST

static int refuse(inlay_json *json, const void *of)
{
    (void)of;
    inlay_json_null(json, "half");
    return INLAY_NO_MEMORY;
}

START_TEST(half_a_result_is_not_written)
{
    const inlay_result_context context = {.command = "own"};
    ck_assert_int_eq(inlay_result_write(&context, refuse, NULL, path, diag), INLAY_NO_MEMORY);
    ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

Suite *suite_result(void)
{
    Suite *suite = suite_create("result");
    TCase *test = tcase_create("result");
    tcase_add_checked_fixture(test, read_both, free_both);
    tcase_add_test(test, sweep_as_printed);
    tcase_add_test(test, pareto_as_printed);
    tcase_add_test(test, map_as_printed);
    tcase_add_test(test, own_result);
    tcase_add_test(test, half_a_result_is_not_written);
    suite_add_tcase(suite, test);
    return suite;
}
