/* DOT as other programs write it: what weights and sizes become, one graph of several, attributes by other names. */
#include "unit.h"
#include <inlay/inlay.h>
#include <string.h>

/* As tg, which says everything. */
static void expect_tg(const char *dot, const inlay_reading *how, const char *expected)
{
    static const char path[] = "/tmp/inlay-unit-dialect.tg";
    char written[1024];
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_app_read_memory_as(dot, strlen(dot), "in.dot", how, &app, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    ck_assert_int_eq(inlay_app_write(app, path, "tg", diag), INLAY_OK);
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    written[fread(written, 1, sizeof written - 1, file)] = '\0';
    fclose(file);
    remove(path);
    ck_assert_str_eq(written, expected);
    inlay_app_free(app);
    inlay_diag_free(diag);
}

static void expect_refusal(const char *dot, const inlay_reading *how, const char *message)
{
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_ne(inlay_app_read_memory_as(dot, strlen(dot), "in.dot", how, &app, diag), INLAY_OK);
    ck_assert_str_eq(inlay_diag_message(diag), message);
    ck_assert_ptr_null(app);
    inlay_diag_free(diag);
}

START_TEST(weights)
{
    expect_tg(
        "digraph \"x y\" { \"No of edges\"=2; a [Weight=2]; a -> b [Weight=7]; b [Weight=1.5]; a -> c; c [Weight=0]}",
        NULL, "tg 1 3 2 tick\n2 - 0 a\n1.5 - 0 b\n0 - 0 c\n0 1 7 0 -\n0 2 1 0 -\n");
    expect_tg("digraph { a [weight=2]; b [weight=3]; a -> b [weight=0] }", NULL,
              "tg 1 2 1 tick\n2 - 0 a\n3 - 0 b\n0 1 0 0 -\n");
    expect_refusal("digraph { a [Weight=2];\n b; a -> b }", NULL,
                   "in.dot:2: module 'b' has no Weight; expected Weight=TIME");
    expect_refusal("digraph { a [Weight=2]; b [Weight=1];\n a -> b [Weight=1.5] }", NULL,
                   "in.dot:2: Weight '1.5' of the link 'a' -> 'b' cannot be read; expected a whole number, 0 or more");
    expect_refusal("digraph {\n a [Weight=-2] }", NULL,
                   "in.dot:2: Weight '-2' of module 'a' cannot be read; expected ticks, 0 or more");
}
END_TEST

START_TEST(sizes)
{
    expect_tg(
        "digraph { a [size=\"2.5e9\", category=x]; root -> a [size=\"1e6\"]; a -> b [size=\"-1.\"]; b [size=\"1e8\"];"
        " a -> c [size=\"10.25\"]; a -> end; b -> end [size=\"1e-12\"]; c [size=0] }",
        NULL,
        "tg 1 5 5 s\n2.5 - 0 a\n0 - 0 root\n0.1 - 0 b\n0 - 0 c\n0 - 0 end\n"
        "0 2 0 0 -\n0 3 1 11 -\n0 4 1 0 -\n1 0 1 1000000 -\n2 4 1 0 -\n"
        "reference 1\n1000000000\n");
    expect_refusal("digraph { a [size=x] }", NULL,
                   "in.dot:1: size 'x' of module 'a' cannot be read; expected flops, 0 or more");
    expect_refusal("digraph { a [size=1]; a -> b [size=y] }", NULL,
                   "in.dot:1: size 'y' of the link 'a' -> 'b' cannot be read; expected bytes, below 0 for none");
}
END_TEST

START_TEST(nothing_at_all)
{
    expect_tg("digraph { 0:1 -> 2; 2 -> 3 [label=x] }", NULL,
              "tg 1 3 2 tick\n1 - 0 0\n1 - 0 2\n1 - 0 3\n0 1 1 0 -\n1 2 1 0 -\n");
    expect_refusal("digraph { a [tme=4]; b }", NULL,
                   "in.dot:1: unknown attribute 'tme', perhaps 'time'; expected one of time, blocking, memory, "
                   "traffic_memory, cores, "
                   "kind, pin, arithmetic, intensity, functions, size, deadline, time.TYPE");
    expect_refusal("digraph { a [memory=4]; b }", NULL,
                   "in.dot:1: unknown module 'a': no statement gives it a time; expected time=NUMBER");
}
END_TEST

START_TEST(one_of_several)
{
    static const char two[] = "digraph A { a [time=1] } digraph B { b [time=2] }\n/* */ digraph A { c [time=3] }";
    static const char *const found[][2] = {{"1", "tg 1 1 0 s\n1 - 0 a\n"},
                                           {"A", "tg 1 1 0 s\n1 - 0 a\n"},
                                           {"B", "tg 1 1 0 s\n2 - 0 b\n"},
                                           {"3", "tg 1 1 0 s\n3 - 0 c\n"}};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        expect_tg(two, &(inlay_reading){.graph = found[i][0]}, found[i][1]);
    }
    expect_refusal(two, NULL,
                   "in.dot:1: a second graph begins here; expected one graph in a file, or --graph to choose one");
    expect_refusal(two, &(inlay_reading){.graph = "4"},
                   "in.dot: there is no graph '4'; expected a name, or a number up to 3");
    expect_refusal("digraph A { a [time=1] } digraph B { b [", &(inlay_reading){.graph = "B"},
                   "in.dot:1: syntax error near the end of the file; expected an attribute's name or ']'");
}
END_TEST

START_TEST(other_names)
{
    static const char dot[] = "digraph { a [wcet=5, colour=3]; b [wcet=6]; a -> b [volume=9, weight=4] }";
    const inlay_attribute names[] = {{"time", "wcet", 0}, {"bytes", "volume", 0}};
    expect_tg(dot, &(inlay_reading){.attributes = names, .attribute_count = 2},
              "tg 1 2 1 s\n5 - 0 a\n6 - 0 b\n0 1 1 9 -\n");
    const inlay_attribute nothing[] = {{"time", "wc", 0}}, unknown[] = {{"tine", "wcet", 0}};
    expect_refusal(dot, &(inlay_reading){.attributes = nothing, .attribute_count = 1},
                   "in.dot: there is no attribute 'wc'; expected the name of what is 'time' here");
    expect_refusal(dot, &(inlay_reading){.attributes = unknown, .attribute_count = 1},
                   "no node and no link has an attribute 'tine'; expected one of docs/graphs.md, as time=wcet");
}
END_TEST

Suite *suite_dialects(void)
{
    Suite *suite = suite_create("dialects");
    TCase *tests = tcase_create("DOT");
    tcase_add_test(tests, weights);
    tcase_add_test(tests, sizes);
    tcase_add_test(tests, nothing_at_all);
    tcase_add_test(tests, one_of_several);
    tcase_add_test(tests, other_names);
    suite_add_tcase(suite, tests);
    return suite;
}
