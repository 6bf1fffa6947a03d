// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Runs the unit tests: `unit [SUITE...]`, by default all of them, from the top of the checkout.
 * They run in the locale of the environment, which has no say in what the library reads and writes.
 * The exit status is 0 when all passed, 1 when a test failed, 2 when there is no such suite.
 */
#include "unit.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct {
    const char *name;
    Suite *(*make)(void);
} suites[] = {
#define SUITE(name) {#name, suite_##name},
#include "suites.inc"
#undef SUITE
    {NULL, NULL}};

/* Skips are noted in a file, because each test runs in a process of its own. */
static FILE *skips;

void unit_skip(const char *why)
{
    fprintf(skips, "skipped: %s: %s\n", tcase_name(), why);
    fflush(skips);
}

static int print_skips(void)
{
    char line[BUFSIZ];
    int count = 0;
    rewind(skips);
    while (fgets(line, sizeof line, skips) != NULL) {
        fputs(line, stdout);
        count++;
    }
    return count;
}

/* Rows of a loop test that share a process, and the test that Check sees in their place. */
enum { SHARING = 16 };
typedef struct rows {
    struct rows *next;
    TTest seen;
    char name[120];
    TFun row;
    int id, begin, end;
    const struct fixture *fixture;
} rows;
static rows *all_rows;

static struct fixture {
    const TCase *tests;
    SFun set_up, tear_down;
} fixtures[64];
static int fixture_count;

void unit_add_fixture(TCase *tests, SFun set_up, SFun tear_down)
{
    if (fixture_count == (int)(sizeof fixtures / sizeof *fixtures)) abort();
    fixtures[fixture_count++] = (struct fixture){tests, set_up, tear_down};
    (tcase_add_checked_fixture)(tests, set_up, tear_down);
}

static void run_rows(int id)
{
    const rows *r = all_rows;
    while (r->id != id)
        r = r->next;
    for (int i = r->begin; i < r->end; i++) {
        if (i > r->begin && r->fixture != NULL) {
            r->fixture->tear_down();
            r->fixture->set_up();
        }
        r->row(i);
    }
}

void unit_add_loop_test(TCase *tests, const TTest *test, int begin, int end)
{
    const struct fixture *fixture = fixture_count > 0 ? &fixtures[fixture_count - 1] : NULL;
    for (int i = begin; i < end; i += SHARING) {
        rows *r = malloc(sizeof *r);
        if (r == NULL) abort();
        *r = (rows){.next = all_rows, .row = test->fn, .begin = i, .end = i + SHARING < end ? i + SHARING : end};
        r->id = all_rows == NULL ? 0 : all_rows->id + 1;
        r->fixture = fixture != NULL && fixture->tests == tests ? fixture : NULL;
        snprintf(r->name, sizeof r->name, "%s, rows %d to %d", test->name, r->begin, r->end - 1);
        r->seen = (TTest){r->name, run_rows, test->file, test->line};
        all_rows = r;
        _tcase_add_test(tests, &r->seen, 0, 0, r->id, r->id + 1);
    }
}

/* How many more tests there are than Check knows. */
static int forget_rows(void)
{
    int more = 0;
    while (all_rows != NULL) {
        rows *next = all_rows->next;
        more += all_rows->end - all_rows->begin - 1;
        free(all_rows);
        all_rows = next;
    }
    return more;
}

const char *unit_data(void)
{
    const char *given = getenv("INLAY_DATA"), *data = given != NULL ? given : "../shared/data";
    struct stat info;
    return stat(data, &info) == 0 && S_ISDIR(info.st_mode) ? data : NULL;
}

json_t *unit_golden(const char *name)
{
    char path[80];
    json_error_t error;
    snprintf(path, sizeof path, "tests/golden/%s.json", name);
    json_t *file = json_load_file(path, 0, &error);
    ck_assert_msg(file != NULL, "%s:%d: %s", path, error.line, error.text);
    return file;
}

static int add_suite(SRunner *runner, const char *name)
{
    for (size_t i = 0; suites[i].name != NULL; i++)
        if (strcmp(suites[i].name, name) == 0) {
            srunner_add_suite(runner, suites[i].make());
            return 1;
        }
    fprintf(stderr, "no suite '%s'; there are:", name);
    for (size_t i = 0; suites[i].name != NULL; i++)
        fprintf(stderr, " %s", suites[i].name);
    fputs("\n", stderr);
    return 0;
}

int main(int argc, char **argv)
{
    setenv("CK_DEFAULT_TIMEOUT", "1800", 0); /* seconds after which a test hangs, however busy the computer is */
    if (setlocale(LC_ALL, "") == NULL) {
        fputs("unit: no such locale as the environment asks for\n", stderr);
        return 2;
    }
    skips = tmpfile();
    if (skips == NULL) {
        perror("unit: temporary file");
        return 2;
    }

    SRunner *runner = srunner_create(NULL);
    int known = 1;
    for (int i = 1; i < argc; i++)
        known &= add_suite(runner, argv[i]);
    for (size_t i = 0; argc == 1 && suites[i].name != NULL; i++)
        known &= add_suite(runner, suites[i].name);
    if (known) srunner_run_all(runner, CK_NORMAL);

    int failed = srunner_ntests_failed(runner);
    int skipped = print_skips(), more = forget_rows();
    if (known)
        printf("%d passed, %d failed, %d skipped\n", srunner_ntests_run(runner) + more - failed - skipped, failed,
               skipped);
    srunner_free(runner);
    fclose(skips);
    return !known ? 2 : failed > 0;
}
