/* METIS, Scotch and Matrix Market in: what their numbers become, what is refused, and back from what is written. */
#include "unit.h"
#include "random_app.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[64];

static void name_path(void)
{
    snprintf(path, sizeof path, "/tmp/inlay-unit-numbers-%ld", (long)getpid());
}

static void remove_path(void)
{
    unlink(path);
}

/* As text: a line a module, `name time`, then a line a link, `from to messages bytes flags`. */
static void expect_graph(const char *data, const char *format, const char *expected)
{
    char text[1024];
    size_t used = 0;
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_app_read_memory(data, strlen(data), "in", format, &app, diag);
    ck_assert_msg(status == INLAY_OK, "%s: %s", data, inlay_diag_message(diag));
    for (inlay_id i = 0; i < inlay_app_modules(app); i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s %" PRId64 "\n", inlay_app_module_name(app, i),
                                 inlay_app_time(app, i));
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        inlay_links out = inlay_app_out(app, i);
        for (int64_t l = 0; l < out.count; l++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%d %d %" PRId64 " %" PRId64 " %d\n", (int)i,
                                     (int)out.module[l], out.messages[l], out.bytes[l], out.flags[l]);
    }
    ck_assert_str_eq(text, expected);
    ck_assert_int_eq(inlay_app_unit(app), INLAY_UNIT_TICK);
    ck_assert_str_eq(inlay_diag_warning(diag, 0) != NULL ? "told" : "", "told");
    inlay_app_free(app);
    inlay_diag_free(diag);
}

START_TEST(good_files)
{
    expect_graph("% c\n3 2\n2\n1 3\n% c\n2\n", NULL, "1 1\n2 1\n3 1\n0 1 1 0 1\n1 2 1 0 1\n");
    expect_graph("3 1 11\n5 3 7\n6\n7 1 7\n", NULL, "1 5\n2 6\n3 7\n0 2 7 0 1\n");
    expect_graph("3 1 011 2\n5 9 3 7\n6 9\n7 9 1 7\n\n", "metis-bytes", "1 5\n2 6\n3 7\n0 2 1 7 1\n");
    expect_graph("2 0\n\n\n", NULL, "1 1\n2 1\n");
    expect_graph("0\n3 4\n0 000\n1 1\n2 0 2\n1 1\n", NULL, "0 1\n1 1\n2 1\n0 1 1 0 1\n1 2 1 0 1\n");
    expect_graph("0 3 4\n100 111\n9 5 1 4 7\n7 6 2 4 9 3\n 8\n8 1 1 3 7", "scotch",
                 "9 5\n7 6\n8 1\n0 1 4 0 1\n1 2 3 0 1\n");
    expect_graph("%%MatrixMarket matrix coordinate pattern symmetric\n% c\n\n3 3 3\n1 1\n2 1\n3 2\n", NULL,
                 "1 2\n2 2\n3 1\n0 1 2 0 1\n1 2 2 0 1\n");
    expect_graph("%%matrixmarket MATRIX coordinate real General\n2 2 3\n1 2 -1e3\n\n2 1 .5\n2 2 0\n", NULL,
                 "1 1\n2 2\n0 1 2 0 1\n");
    expect_graph("%%MatrixMarket matrix array integer general\n2 2\n1\n0\n3\n4\n", NULL, "1 2\n2 1\n0 1 1 0 1\n");
    expect_graph("2 2 1\n2 1 0.5\n", "mtx", "1 0\n2 1\n0 1 1 0 1\n");
}
END_TEST

static const struct {
    const char *data, *format, *message;
} bad[] = {
    {"2 1\n2\n\n", "metis", "in: 1 neighbours; expected two for each of 1 edges"},
    {"2 1\n2\n3\n", "metis", "in:3: '3' where a neighbour stands; expected a whole number from 1 to 2"},
    {"3 1\n2\n3\n\n", "metis", "in: neighbours do not name each other alike; expected every edge from both its ends"},
    {"2 1 1\n2 5\n1 6\n", "metis",
     "in: neighbours do not name each other alike; expected every edge from both its ends"},
    {"2 1 1\n2\n1 6\n", "metis",
     "in:2: the line ends where the weight of an edge stands; expected a whole number from 0 to 9223372036854775807"},
    {"2 1 2\n", "metis", "in:1: the format is 2; expected three digits of 0 or 1"},
    {"2 1\n2\n", "metis", "in:3: the file ends in front of vertex 2; expected 2, as its first line says"},
    {"2 1\n2\n1\n1\n", "metis", "in:4: '1' behind the last number of the graph; expected its end"},
    {"1 1\n1\n", "metis", "in:2: a vertex that is its own neighbour; expected others"},
    {"", "metis",
     "in:1: the line ends where the number of vertices stands; expected a whole number from 1 to 2147483646"},
    {"2000000000 1\n", "metis",
     "in:2: the file ends in front of vertex 1; expected 2000000000, as its first line says"},
    {"1\n2 2\n0 000\n", "scotch", "in:1: '1' where the version stands; expected a whole number from 0 to 0"},
    {"0\n2 2\n0 000\n1 1\n1 2\n", "scotch", "in:5: '2' where a neighbour stands; expected a whole number from 0 to 1"},
    {"0\n2 2\n0 100\n5 1 6\n5 1 5\n", "scotch", "in:5: duplicate module '5'; expected every name once"},
    {"0\n2 2\n0 100\n5 1 6\n7 1 5\n", "scotch", "in: a neighbour of label 6; expected the label of a vertex"},
    {"0\n2 4\n0 000\n1 1\n1 0\n", "scotch", "in: 2 neighbours; expected 4 arcs"},
    {"%%MatrixMarket matrix coordinate real general\n2 3 0\n", NULL,
     "in:2: 2 rows and 3 columns; expected a square matrix, which is a graph"},
    {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1\n", NULL, "in:3: the value is ''; expected a number"},
    {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n", NULL,
     "in:3: entry 1, 2 of a symmetric matrix; expected the lower triangle"},
    {"%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n", NULL,
     "in:4: the file ends after 1 of 2 entries; expected all"},
    {"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n2 1\n", NULL,
     "in:4: '2' behind the last number of the graph; expected its end"},
};

START_TEST(bad_files)
{
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_app_read_memory(bad[_i].data, strlen(bad[_i].data), "in", bad[_i].format, &app, diag);
    ck_assert_str_eq(inlay_diag_message(diag), bad[_i].message);
    ck_assert_int_eq(status, INLAY_BAD_INPUT);
    ck_assert_ptr_null(app);
    inlay_diag_free(diag);
}
END_TEST

/* ---- There and back ---- */

static char *content_of(const char *name)
{
    FILE *file = fopen(name, "r");
    ck_assert_ptr_nonnull(file);
    char *text = calloc(1, 1 << 16);
    ck_assert_uint_lt(fread(text, 1, (1 << 16) - 1, file), (1 << 16) - 1);
    fclose(file);
    return text;
}

/* What is written is told to be of its format, and written again from what was read it is the same to the last byte. */
START_TEST(written_files_are_read)
{
    static const char *const formats[] = {"metis", "metis-bytes", "scotch", "scotch-bytes"};
    uint64_t state = 7000 + (uint64_t)_i;
    random_times times;
    inlay_app *app =
        random_app(&state, 1 + (inlay_id)random_below(&state, RANDOM_MODULES), RANDOM_TRAFFIC_ONLY, &times);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        inlay_app *back = NULL;
        inlay_diag *diag = inlay_diag_new();
        ck_assert_int_eq(inlay_app_write(app, path, formats[f], diag), INLAY_OK);
        char *first = content_of(path);
        ck_assert_int_eq(inlay_app_read(path, f % 2 == 0 ? NULL : formats[f], &back, diag), INLAY_OK);
        ck_assert_int_eq(inlay_app_modules(back), inlay_app_modules(app));
        ck_assert_int_eq(inlay_app_write(back, path, formats[f], diag), INLAY_OK);
        char *second = content_of(path);
        ck_assert_str_eq(first, second);
        free(first);
        free(second);
        inlay_app_free(back);
        inlay_diag_free(diag);
    }
    inlay_app_free(app);
}
END_TEST

Suite *suite_numbers(void)
{
    Suite *suite = suite_create("numbers");
    TCase *tests = tcase_create("graphs");
    tcase_add_checked_fixture(tests, name_path, remove_path);
    tcase_add_test(tests, good_files);
    tcase_add_loop_test(tests, bad_files, 0, (int)(sizeof bad / sizeof *bad));
    tcase_add_loop_test(tests, written_files_are_read, 0, 60);
    suite_add_tcase(suite, tests);
    return suite;
}
