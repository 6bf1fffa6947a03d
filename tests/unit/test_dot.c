/* Applications and machines as DOT: what is written reads back, and what the attributes mean. */
#include "random_app.h"
#include "unit.h"

#include "io/dot/dot.h"
#include <inlay/inlay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Helpers ---- */

static inlay_app *app_from(const char *dot)
{
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = dot_app_from(dot, strlen(dot), "in.dot", &(inlay_reading){0}, &app, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return app;
}

static void same_links(inlay_links a, inlay_links b)
{
    ck_assert_int_eq(a.count, b.count);
    for (int64_t i = 0; i < a.count; i++) {
        ck_assert_int_eq(a.module[i], b.module[i]);
        ck_assert_int_eq(a.messages[i], b.messages[i]);
        ck_assert_int_eq(a.bytes[i], b.bytes[i]);
        ck_assert_int_eq(a.flags[i], b.flags[i]);
    }
}

static void same_text(const char *a, const char *b)
{
    ck_assert_int_eq(a == NULL, b == NULL);
    if (a != NULL) ck_assert_str_eq(a, b);
}

static void same_module(const inlay_app *a, const inlay_app *b, inlay_id i)
{
    same_text(inlay_app_module_name(a, i), inlay_app_module_name(b, i));
    same_text(inlay_app_module_kind(a, i), inlay_app_module_kind(b, i));
    ck_assert_int_eq(inlay_app_time(a, i), inlay_app_time(b, i));
    ck_assert_int_eq(inlay_app_blocking(a, i), inlay_app_blocking(b, i));
    ck_assert_int_eq(inlay_app_memory(a, i), inlay_app_memory(b, i));
    ck_assert_int_eq(inlay_app_cores(a, i), inlay_app_cores(b, i));
    ck_assert_int_eq(inlay_app_pin(a, i), inlay_app_pin(b, i));
    ck_assert(inlay_app_arithmetic(a, i) == inlay_app_arithmetic(b, i));
    ck_assert(inlay_app_functions(a, i) == inlay_app_functions(b, i));
    ck_assert_int_eq(inlay_app_traffic_memory(a, i), inlay_app_traffic_memory(b, i));
    ck_assert_int_eq(inlay_app_deadline(a, i), inlay_app_deadline(b, i));
    for (int t = 0; t < inlay_app_types(a); t++)
        ck_assert_int_eq(inlay_app_type_time(a, t, i), inlay_app_type_time(b, t, i));
    same_links(inlay_app_out(a, i), inlay_app_out(b, i));
}

static void same_app(const inlay_app *a, const inlay_app *b)
{
    same_text(inlay_app_name(a), inlay_app_name(b));
    ck_assert_int_eq(inlay_app_unit(a), inlay_app_unit(b));
    ck_assert_int_eq(inlay_app_decimals(a), inlay_app_decimals(b));
    ck_assert_int_eq(inlay_app_has_blocking(a), inlay_app_has_blocking(b));
    ck_assert_int_eq(inlay_app_links(a), inlay_app_links(b));
    ck_assert_int_eq(inlay_app_types(a), inlay_app_types(b));
    for (int t = 0; t < inlay_app_types(a); t++)
        same_text(inlay_app_type_name(a, t), inlay_app_type_name(b, t));
    ck_assert_int_eq(inlay_app_modules(a), inlay_app_modules(b));
    for (inlay_id i = 0; i < inlay_app_modules(a); i++)
        same_module(a, b, i);
    ck_assert_int_eq(inlay_app_blocks(a), inlay_app_blocks(b));
    for (inlay_id d = 0; d < inlay_app_blocks(a); d++) {
        same_text(inlay_app_block_name(a, d), inlay_app_block_name(b, d));
        ck_assert_int_eq(inlay_app_block_size(a, d), inlay_app_block_size(b, d));
        ck_assert_int_eq(inlay_app_block_time(a, d), inlay_app_block_time(b, d));
        same_links(inlay_app_uses(a, d), inlay_app_uses(b, d));
    }
}

/** Written, read and written again: the same application and the same bytes. */
static void round_trip(const inlay_app *app)
{
    text_buffer first = {0}, second = {0};
    ck_assert_int_eq(dot_app_to(app, &first, NULL), INLAY_OK);
    inlay_app *again = app_from(first.data);
    same_app(app, again);
    ck_assert_int_eq(dot_app_to(again, &second, NULL), INLAY_OK);
    ck_assert_str_eq(first.data, second.data);
    text_clear(&first);
    text_clear(&second);
    inlay_app_free(again);
}

/* ---- Applications that are good ---- */

START_TEST(random_round_trips)
{
    uint64_t state = 20240607;
    for (int i = 0; i < 200; i++) {
        random_times times;
        inlay_id modules = (inlay_id)(1 + random_below(&state, RANDOM_MODULES));
        inlay_app *app = random_app(&state, modules,
                                    (unsigned)random_below(&state, RANDOM_DATA) |
                                        (unsigned)random_below(&state, 2) * (RANDOM_DEADLINES | RANDOM_TRAFFIC_MEMORY),
                                    &times);
        round_trip(app);
        inlay_app_free(app);
    }
}
END_TEST

/** Names and kinds that need quotes, and some that quotes cannot hold. */
static const char *const odd_names[] = {
    "a b",   "node",  "Graph",  "12",     "-3.5",  "1.",  "4KiB", "\"",        "say \"hi\"", "C:\\dir", "\\\\",
    "end\\", "\\\"",  "a\\\nb", "a\nb",   "\r\t",  "<b>", "a>b",  "\xC3\xA9",  "%7",         "%",       "\1",
    "\1%",   "{x|y}", "a->b",   "#",      "/* */", "//",  ";",    "x=1,y=[2]", "a+b",        "@",       "'",
    "\\N",   "m:n:s", "é\\",    "strict", "a\\b>", "_",   "A1_",  "subgraph"};
enum { ODD_NAMES = sizeof odd_names / sizeof *odd_names };

START_TEST(odd_names_round_trip)
{
    inlay_app_builder *builder = inlay_app_builder_new("an \"odd\" name", INLAY_UNIT_MS);
    for (inlay_id i = 0; i < ODD_NAMES; i++) {
        inlay_module module = {.name = odd_names[i],
                               .time = {{INT64_C(25) * i, 2}, INLAY_UNIT_NONE},
                               .cores = i + 1,
                               .arithmetic = i == 3   ? 1e300 / 3
                                             : i == 4 ? 1e-300 / 7
                                                      : i * 1e9,
                               .functions = i / 3.0,
                               .kind = odd_names[ODD_NAMES - 1 - i]};
        ck_assert_int_eq(inlay_app_add_module(builder, &module, NULL), INLAY_OK);
        inlay_duration time = {{i, 1}, INLAY_UNIT_NONE};
        ck_assert_int_eq(inlay_app_add_type_time(builder, i, i % 2 ? "gpu" : "my fpga", time, NULL), INLAY_OK);
        unsigned flags = i % 2 ? INLAY_LINK_TRAFFIC_ONLY : 0;
        if (i > 0) ck_assert_int_eq(inlay_app_add_link(builder, i - 1, i, i, INT64_C(8) * i, flags, NULL), INLAY_OK);
    }
    inlay_duration none = {.unit = INLAY_UNIT_NONE};
    ck_assert_int_eq(inlay_app_add_block(builder, "used by nobody", 0, none, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_app_add_block(builder, "edge", INT64_MAX, none, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_app_add_use(builder, 1, 3, 0, 0, NULL), INLAY_OK);
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_app_build(builder, &app, NULL), INLAY_OK);
    round_trip(app);
    inlay_app_free(app);
    inlay_app_builder_free(builder);
}
END_TEST

START_TEST(unwritable_names_are_refused)
{
    inlay_app_builder *builder = inlay_app_builder_new("x", INLAY_UNIT_TICK);
    inlay_module module = {.name = "<\\"};
    ck_assert_int_eq(inlay_app_add_module(builder, &module, NULL), INLAY_OK);
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_app_build(builder, &app, NULL), INLAY_OK);
    text_buffer to = {0};
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(dot_app_to(app, &to, diag), INLAY_BAD_INPUT);
    ck_assert_str_eq(inlay_diag_message(diag), "'<\\' cannot be written in DOT; expected no backslash in front of a "
                                               "quote, a line's end or its end");
    ck_assert_uint_eq(to.size, 0);
    inlay_diag_free(diag);
    inlay_app_free(app);
    inlay_app_builder_free(builder);
}
END_TEST

/** One graph, written in two ways. */
static void expect_same(const char *a, const char *b)
{
    inlay_app *first = app_from(a), *second = app_from(b);
    same_app(first, second);
    inlay_app_free(first);
    inlay_app_free(second);
}

START_TEST(ways_to_write)
{
    static const char plain[] = "digraph g { graph [time_unit=ms]; b [time=2]; a [time=1]; b -> a [bytes=8]; }";
    expect_same("\xEF\xBB\xBF# 1 \"pre\"\n/* c */ DiGraph g { // d\n time_unit=\"m\" + \"s\" node [time=1]\n"
                "edge [bytes=8; label=<<b>x</b>>]; b:n:sw [time=\"2\"] b:p -> a [style=dashed] }\n# rest\n",
                plain);
    expect_same("digraph g { time_unit=ms; b [time=2ms]; a [time=0.001s, color=red]; b -> a [bytes=4, messages=0];"
                " b -> a [bytes=4]; }",
                plain);
    expect_same("digraph g { time_unit=ms; subgraph cluster { label=x; b [time=2e+0] } { a [time=1.0, shape=box] };"
                " {b} -> {a} [bytes=8B] }",
                plain);
    expect_same("digraph { name=g time_unit=ms b [time=\"2 ms\"] a [time=1][kind=\"\"]; b -> a [bytes=8]}", plain);
    expect_same("digraph g { graph [time_unit=ms]; b, a [time=1]; a [color=red]; b [memory=0]; b -> a [bytes=8]; }",
                "digraph g { graph [time_unit=ms]; b [time=1000us]; a [time=1]; b -> a [bytes=8]; }");
}
END_TEST

START_TEST(what_the_attributes_mean)
{
    inlay_app *app = app_from("digraph g { graph [time_unit=tick];\n"
                              "m1 [time=24, blocking=0, memory=4KiB, arithmetic=12, functions=2, \"time.gpu\"=3];\n"
                              "m2 [time=1, blocking=2, cores=4, pin=7, kind=fft];\n"
                              "m1 -> m2 [messages=2, bytes=8]; m2 -> m1 [messages=3, kind=traffic];\n"
                              "d1 [kind=data, size=1MiB, time=3]; m1 -> d1; d1 -> m2 [messages=5, bytes=1kB]; }");
    ck_assert_int_eq(inlay_app_memory(app, 0), 4096);
    ck_assert_int_eq(inlay_app_type_time(app, 0, 0), 3);
    ck_assert_int_eq(inlay_app_type_time(app, 0, 1), -1);
    ck_assert_int_eq(inlay_app_cores(app, 1), 4);
    ck_assert_int_eq(inlay_app_pin(app, 1), 7);
    ck_assert_str_eq(inlay_app_module_kind(app, 1), "fft");
    ck_assert_int_eq(inlay_app_out(app, 1).flags[0], INLAY_LINK_TRAFFIC_ONLY);
    ck_assert_int_eq(inlay_app_block_size(app, 0), 1 << 20);
    inlay_links uses = inlay_app_uses(app, 0);
    ck_assert_int_eq(uses.count, 2);
    ck_assert(uses.messages[0] == 1 && uses.bytes[0] == 1 << 20 && uses.messages[1] == 5 && uses.bytes[1] == 1000);
    inlay_app_free(app);
}
END_TEST

START_TEST(name_of_an_unnamed_graph)
{
    static const char dot[] = "digraph { a [time=1] }";
    inlay_app *app = NULL;
    ck_assert_int_eq(dot_app_from(dot, strlen(dot), "some/where/fft.v2.dot", &(inlay_reading){0}, &app, NULL),
                     INLAY_OK);
    ck_assert_str_eq(inlay_app_name(app), "fft");
    inlay_app_free(app);
}
END_TEST

/* ---- Machines ---- */

START_TEST(machines_round_trip)
{
    static const char *const strings[] = {
        "bus:17,memory=distributed,capacity=1msg/tick",
        "bus:4,memory=common,capacity=1.25GB/s,message_size=64KiB,transfers=2,latency=20us,common_memory=1GiB,type=x-y",
    };
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        inlay_machine *machine = NULL, *again = NULL;
        text_buffer written = {0};
        ck_assert_int_eq(inlay_machine_read(strings[i], &machine, NULL), INLAY_OK);
        ck_assert_int_eq(dot_machine_to(machine, &written, NULL), INLAY_OK);
        ck_assert(dot_is_machine(written.data, written.size));
        ck_assert_int_eq(dot_machine_from(written.data, written.size, "m.dot", &again, NULL), INLAY_OK);
        ck_assert_str_eq(inlay_machine_text(machine), inlay_machine_text(again));
        ck_assert_str_eq(inlay_machine_name(machine), inlay_machine_name(again));
        text_clear(&written);
        inlay_machine_free(machine);
        inlay_machine_free(again);
    }
}
END_TEST

START_TEST(machine_files)
{
    static const char path[] = "build/test-machine.dot";
    static const char dot[] = "digraph { graph [network=bus, processors=3, memory=common, label=\"three\",\n"
                              " processor_memory=64MiB] }\n";
    inlay_machine *machine = NULL;
    ck_assert_int_eq(dot_machine_from(dot, strlen(dot), path, &machine, NULL), INLAY_OK);
    ck_assert_str_eq(inlay_machine_name(machine), "test-machine");
    ck_assert_int_eq(inlay_machine_processor_memory(machine), 64 << 20);
    inlay_machine_free(machine);
}
END_TEST

static void expect_machine_error(const char *dot, const char *message)
{
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(dot_machine_from(dot, strlen(dot), "m.dot", &machine, diag), INLAY_BAD_INPUT);
    ck_assert_str_eq(inlay_diag_message(diag), message);
    ck_assert_ptr_null(machine);
    inlay_diag_free(diag);
}

START_TEST(bad_machines)
{
    expect_machine_error("\ngraph g { processors=4 }", "m.dot:2: the graph has no attribute network; expected a "
                                                       "machine, graph [network=bus, processors=NUMBER]");
    expect_machine_error("graph g { graph [network=bus, processors=4, memory=common]\n p0 }",
                         "m.dot:2: a machine with the node 'p0'; expected attributes of the graph alone");
}
END_TEST

START_TEST(missing_machine_files)
{
    static const char *const paths[] = {"no/such/machine", "machine.dot", "./bus:4"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        inlay_machine *machine = NULL;
        char message[200];
        inlay_diag *diag = inlay_diag_new();
        snprintf(
            message, sizeof message,
            "%s: No such file or directory; expected a machine: a file, a string such as bus:16, or speeds such as "
            "6,4,4",
            paths[i]);
        ck_assert_int_eq(inlay_machine_read(paths[i], &machine, diag), INLAY_BAD_INPUT);
        ck_assert_str_eq(inlay_diag_message(diag), message);
        inlay_diag_free(diag);
    }
}
END_TEST

START_TEST(machines_are_told_apart)
{
    static const struct {
        const char *dot;
        bool machine;
    } cases[] = {
        {"graph g { graph [network=bus] }", true},
        {"digraph g { network=bus; ] broken behind it", true},
        {"digraph g { a [network=bus]; subgraph s { network=bus } }", false},
        {"digraph g { \"network\"; a -> network /* network=bus */ }", false},
        {"network=bus", false},
        {"", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_int_eq(dot_is_machine(cases[i].dot, strlen(cases[i].dot)), cases[i].machine);
}
END_TEST

Suite *suite_dot(void)
{
    Suite *suite = suite_create("dot");
    TCase *good = tcase_create("applications");
    tcase_add_test(good, random_round_trips);
    tcase_add_test(good, odd_names_round_trip);
    tcase_add_test(good, unwritable_names_are_refused);
    tcase_add_test(good, ways_to_write);
    tcase_add_test(good, what_the_attributes_mean);
    tcase_add_test(good, name_of_an_unnamed_graph);
    suite_add_tcase(suite, good);

    TCase *machines = tcase_create("machines");
    tcase_add_test(machines, machines_round_trip);
    tcase_add_test(machines, machine_files);
    tcase_add_test(machines, bad_machines);
    tcase_add_test(machines, missing_machine_files);
    tcase_add_test(machines, machines_are_told_apart);
    suite_add_tcase(suite, machines);
    return suite;
}
