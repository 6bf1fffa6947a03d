// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Runs the unit tests: `unit [SUITE...]`, by default all of them, from the top of the checkout.
 * The exit status is 0 when all passed, 1 when a test failed, 2 when there is no such suite.
 */
#include "unit.h"

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

/* The folder itself, or the one beside it that `beside` leads to; NULL where there is none. */
static const char *data_folder(const char *beside, char *path, size_t size)
{
    const char *data = getenv("INLAY_DATA");
    struct stat info;
    int length = snprintf(path, size, "%s%s", data != NULL ? data : "../shared/data", beside);
    if (length < 0 || (size_t)length >= size || stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) return NULL;
    return path;
}

const char *unit_data(void)
{
    static char path[4096];
    return data_folder("", path, sizeof path);
}

const char *unit_spec(void)
{
    static char path[4096];
    return data_folder("/../spec", path, sizeof path);
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
    setenv("CK_DEFAULT_TIMEOUT", "120", 0); /* seconds for one test: enough with sanitizers */
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
    int skipped = print_skips();
    if (known)
        printf("%d passed, %d failed, %d skipped\n", srunner_ntests_run(runner) - failed - skipped, failed, skipped);
    srunner_free(runner);
    fclose(skips);
    return !known ? 2 : failed > 0;
}
