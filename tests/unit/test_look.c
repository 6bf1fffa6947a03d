/* What a file is told to be by its content: each format alone claims its own, and what is none of ours is named. */
#include "unit.h"
#include "io/formats.h"
#include "io/look.h"
#include <inlay/inlay.h>
#include <stdio.h>
#include <string.h>

/* ---- Names of what is not ours ---- */

static const struct {
    const char *data, *name;
} strangers[] = {
    {"\x7F"
     "ELF\2\1\1",
     "a compiled program"},
    {"%PDF-1.4\n", "a PDF document"},
    {"PK\x03\x04", "a zip archive"},
    {"%EventDef PajeDefineContainerType 0\n", "a Paje trace"},
    {"<?xml version=\"1.0\"?>\n<!-- <sdf3/> -->\n<topology>\n</topology>\n", "hwloc's description of a computer"},
    {"<spirit:component xmlns:spirit=\"x\">\n</spirit:component>\n", "an IP-XACT component"},
    {"<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology/>\n", "hwloc's description of a computer"},
    {"{\"traceEvents\": []}", "a Chrome trace"},
    {"{\"name\": \"clusters\", \"clusters\": []}", "a mapping of Inlay, or a placement"},
    {"# a comment\n\nNodeName=n[0-3] CPUs=4\n", "a Slurm configuration"},
    {"module,processor\na,0\n", "a placement"},
    {"0\n1\n1\n0\n", "a partition, one part a line"},
    {"2\n1 2 3\n2 3 4\n", "a mesh of METIS, elements and their nodes"},
    {"2\n2\n0 1.5 2\n1 2 2.5\n", "a geometry of Scotch"},
    {"bus:4", NULL},
    {"1 2 3\n", NULL},
    {"<unknown/>", NULL},
    {"{\"traceEvents\": ", NULL},
};

START_TEST(strangers_are_named)
{
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
        char expected[256];
        inlay_app *app = NULL;
        inlay_diag *diag = inlay_diag_new();
        const char *data = strangers[i].data, *name = strangers[i].name;
        ck_assert_int_eq(inlay_app_read_memory(data, strlen(data), "in", NULL, &app, diag), INLAY_BAD_INPUT);
        ck_assert_ptr_null(app);
        snprintf(expected, sizeof expected, "in: this is %s; ", name != NULL ? name : "");
        ck_assert_msg((strncmp(inlay_diag_message(diag), expected, strlen(expected)) == 0) == (name != NULL), "%s: %s",
                      data, inlay_diag_message(diag));
        inlay_diag_free(diag);
    }
}
END_TEST

/* ---- STG ---- */

START_TEST(numbers_that_are_no_stg)
{
    static const struct {
        const char *data;
        bool stg;
    } texts[] = {
        {"1\n0 5 0\n", true},
        {"2 4\n0 5 0\n1 5 1 0\n", true},
        {"# c\n2 # d\n0 0 0\n\n1 5 1 0 # e\n2 0 1 1\n3 0 1 2", true},
        {"2\n0 0 9 0\n1 5 9 1 0\n", true}, /* deadlines */
        {"3\n0 0 0\n1 5 1 0\n", true},     /* cut off, which its reader says */
        {"2 1\n2\n1\n", false},            /* METIS */
        {"3 2\n1 2 1\n2 3 1\n1 2 1\n", false},
        {"0\n3 4\n0 000\n", false}, /* Scotch */
        {"1\n0 5 0\n1 5 1 0\n2 5 0\n3 5 0\n", false},
        {"3 3 1\n1 1 2\n", false},
        {"1\n0 5.5 0\n", false},
        {"1\n", false},
        {"", false},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ck_assert_msg(stg_looks_like(texts[i].data, strlen(texts[i].data)) == texts[i].stg, "%s", texts[i].data);
    }
}
END_TEST

/* Each content is of its format alone, whatever the file is called. */
START_TEST(numbers_told_apart)
{
    static const struct {
        const char *data;
        bool stg, metis, scotch;
    } texts[] = {
        {"2 4\n0 5 0\n1 5 1 0\n", true, false, false},         {"3 2\n2\n1 3\n2\n", false, true, false},
        {"3 2 001\n2 1\n1 1 3 0\n2 0\n", false, true, false},  {"0\n2 2\n0 000\n1 1\n1 0\n", false, false, true},
        {"3 3 3\n1 1 1\n2 2 2\n3 3 3\n", false, false, false}, /* a matrix without a header */
        {"3 3\n1 1 1\n2 2 2\n3 3 3\n", false, false, false},   {"2 3\n1 2 0\n2 2 1 1\n", true, false, false},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t size = strlen(texts[i].data);
        ck_assert_msg(stg_looks_like(texts[i].data, size) == texts[i].stg, "%s", texts[i].data);
        ck_assert_msg(metis_looks_like(texts[i].data, size) == texts[i].metis, "%s", texts[i].data);
        ck_assert_msg(scotch_looks_like(texts[i].data, size) == texts[i].scotch, "%s", texts[i].data);
    }
}
END_TEST

START_TEST(lines_of_numbers)
{
    static const char text[] = "% no\n\n 1 22\t333\r\n% no\n4\n5 x";
    number_look look = {text, text + strlen(text), '%'};
    int64_t number[2];
    ck_assert_int_eq(look_line(&look, true, number, 2), 0);
    ck_assert_int_eq(look_line(&look, true, number, 2), 3);
    ck_assert_int_eq(number[1], 22);
    ck_assert_int_eq(look_line(&look, false, number, 2), 1);
    ck_assert_int_eq(number[0], 4);
    ck_assert_int_eq(look_line(&look, false, number, 2), LOOK_NO_NUMBER);
    look = (number_look){text, text + 6, '%'};
    ck_assert_int_eq(look_line(&look, false, number, 2), LOOK_END);
}
END_TEST

Suite *suite_look(void)
{
    Suite *suite = suite_create("look");
    TCase *tests = tcase_create("content");
    tcase_add_test(tests, strangers_are_named);
    tcase_add_test(tests, numbers_that_are_no_stg);
    tcase_add_test(tests, numbers_told_apart);
    tcase_add_test(tests, lines_of_numbers);
    suite_add_tcase(suite, tests);
    return suite;
}
