/* DOT that is no application: every bad input has its message, and no bytes do harm. */
#include "random_app.h"
#include "unit.h"

#include "base/file.h"
#include "io/dot/dot.h"
#include <inlay/inlay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inlay_app *app_from(const char *dot)
{
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = dot_app_from(dot, strlen(dot), "in.dot", &(inlay_reading){0}, &app, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return app;
}

/** The message for a bad input, which must be one line, on which nothing else was changed. */
static void expect_error(const char *dot, size_t size, const char *message)
{
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(dot_app_from(dot, size, "in.dot", &(inlay_reading){0}, &app, diag), INLAY_BAD_INPUT);
    ck_assert_str_eq(inlay_diag_message(diag), message);
    ck_assert_ptr_null(app);
    inlay_diag_free(diag);
}

/* ---- Applications that are not ---- */

#define NODE_EXPECTED                                                                                                  \
    "expected one of time, blocking, memory, traffic_memory, cores, kind, pin, arithmetic, intensity, functions, "     \
    "size, deadline, time.TYPE"
#define TIME_EXPECTED  "expected a number, 0 or more, alone or with one of s, ms, us, ns, tick"
#define BYTES_EXPECTED "expected a whole number of bytes, 0 or more, alone or with one of kB, KiB, MB, MiB, GB, GiB"

static const struct {
    const char *dot, *message;
} errors[] = {
    /* the language */
    {"", "in.dot:1: syntax error near the end of the file; expected a DOT graph (digraph NAME { ... })"},
    {"\n/* nothing */\n",
     "in.dot:3: syntax error near the end of the file; expected a DOT graph (digraph NAME { ... })"},
    {"{\"json\": 1}", "in.dot:1: syntax error near '{'; expected a DOT graph (digraph NAME { ... })"},
    {"digraph g\n a", "in.dot:2: syntax error near 'a'; expected '{' of the graph"},
    {"digraph g {\n a [time=1]\n", "in.dot:3: syntax error near the end of the file; expected a statement or '}'"},
    {"digraph g {\n a [time\n 1] }",
     "in.dot:3: syntax error near '1'; expected '=' and a value behind an attribute's name"},
    {"digraph g {\n a [time=] }", "in.dot:2: syntax error near ']'; expected a value behind '='"},
    {"digraph g {\n a [time=1,,memory=1] }", "in.dot:2: syntax error near ','; expected an attribute's name or ']'"},
    {"digraph g {\n a -> -> b }", "in.dot:2: syntax error near '->'; expected a node or a subgraph"},
    {"digraph g {\n a -- b }", "in.dot:2: syntax error near '--'; expected '->' in a digraph"},
    {"digraph g {\n 1a [time=1] }",
     "in.dot:2: syntax error near '1a'; expected a name, a number, or quotes around what is neither"},
    {"digraph g {\n node a }", "in.dot:2: syntax error near 'a'; expected '[' behind graph, node or edge"},
    {"digraph g {\n subgraph s; }", "in.dot:2: syntax error near ';'; expected '{' of a subgraph"},
    {"digraph g {\n a, {b} }", "in.dot:2: syntax error near '{'; expected a node behind ','"},
    {"digraph g {\n a:; }", "in.dot:2: syntax error near ';'; expected a port behind ':'"},
    {"digraph g {\n /* a\n\n }", "in.dot:2: a comment is not closed; expected '*/'"},
    {"digraph g {\n\n \"a\n }", "in.dot:3: a quoted string is not closed; expected '\"'"},
    {"digraph g {\n <a<b> }\n", "in.dot:2: an HTML string is not closed; expected '>'"},
    {"digraph g {\n \"a\" + b }", "in.dot:2: '+' joins nothing; expected a quoted string behind it"},
    {"digraph g { a [time=1] }\n;",
     "in.dot:2: syntax error near ';'; expected nothing behind the graph's closing brace"},
    {"digraph g { a [time=1] }\n\ndigraph h {}\n",
     "in.dot:3: a second graph begins here; expected one graph in a file, or --graph to choose one"},
    /* the graph */
    {"\ngraph g { a [time=1] }", "in.dot:2: the graph is undirected; expected digraph with '->' for an application"},
    {"digraph g {\n network=bus }", "in.dot:2: this is a machine (network=bus); expected an application"},
    {"digraph g {}", "in.dot: no modules; expected at least one"},
    {"digraph g {\n graph [time_unit=h]; a [time=1] }",
     "in.dot:2: unknown time_unit 'h'; expected s, ms, us, ns or tick"},
    {"digraph g { a [time=1]\n graph [time_units=s] }",
     "in.dot:2: unknown attribute 'time_units', perhaps 'time_unit'; expected one of time_unit, name, reference_speed, "
     "period"},
    /* modules */
    {"digraph g {\n a [time=1]\n b [tme=1] }", "in.dot:3: unknown attribute 'tme', perhaps 'time'; " NODE_EXPECTED},
    {"digraph g {\n node [time=1, Weight=1]; a }", "in.dot:2: unknown attribute 'Weight'; " NODE_EXPECTED},
    {"digraph g {\n a [\"time.\"=1] }",
     "in.dot:2: unknown attribute 'time.', perhaps 'time' or 'time.TYPE'; " NODE_EXPECTED},
    {"digraph g { a [time=1]\n a -> m33\n m33 -> b }",
     "in.dot:2: unknown module 'm33': no statement gives it a time; expected time=NUMBER"},
    {"digraph g {\n m1 [time=1];\n m2 [time=1];\n m1 [time=2, color=red] }",
     "in.dot:4: module 'm1' is given twice (first on line 2); expected one statement with a time"},
    {"digraph g {\n a\n [color=red,\n time=-1] }", "in.dot:4: time '-1' of module 'a' is negative; " TIME_EXPECTED},
    {"digraph g {\n node [time=-2]\n a; b [time=1] }", "in.dot:2: time '-2' of module 'a' is negative; " TIME_EXPECTED},
    {"digraph g {\n a [time=nan] }", "in.dot:2: time 'nan' of module 'a' is not a time; " TIME_EXPECTED},
    {"digraph g {\n a [time=inf] }", "in.dot:2: time 'inf' of module 'a' is not a time; " TIME_EXPECTED},
    {"digraph g {\n a [time=5kg] }", "in.dot:2: time '5kg' of module 'a' is not a time; " TIME_EXPECTED},
    {"digraph g {\n a [time=1, blocking=x] }", "in.dot:2: blocking 'x' of module 'a' is not a time; " TIME_EXPECTED},
    {"digraph g {\n a [time=1, \"time.gpu\"=\"-3\"] }",
     "in.dot:2: time.gpu '-3' of module 'a' is negative; " TIME_EXPECTED},
    {"digraph g { time_unit=tick\n a [time=5ms] }",
     "in.dot:2: time '5ms' of module 'a' is in seconds; expected ticks, the graph's time_unit"},
    {"digraph g {\n a [time=5ticks] }",
     "in.dot:2: time '5ticks' of module 'a' is in ticks; expected seconds, or graph [time_unit=tick]"},
    {"digraph g {\n a [time=1, memory=-4] }", "in.dot:2: memory '-4' of module 'a' cannot be read; " BYTES_EXPECTED},
    {"digraph g {\n a [time=1, memory=0.3] }", "in.dot:2: memory '0.3' of module 'a' cannot be read; " BYTES_EXPECTED},
    {"digraph g {\n a [time=1, cores=0] }",
     "in.dot:2: cores '0' of module 'a' cannot be read; expected a whole number, 1 or more"},
    {"digraph g {\n a [time=1, pin=true] }",
     "in.dot:2: pin 'true' of module 'a' cannot be read; expected the number of a processor, 0 or more"},
    {"digraph g {\n a [time=1, arithmetic=1e999] }",
     "in.dot:2: arithmetic '1e999' of module 'a' cannot be read; expected a number of operations, 0 or more"},
    {"digraph g {\n a [time=1, functions=0x1] }",
     "in.dot:2: functions '0x1' of module 'a' cannot be read; expected a number of evaluations, 0 or more"},
    {"digraph g {\n a [time=1, size=4] }",
     "in.dot:2: size '4' of module 'a' belongs to no module; expected memory, or kind=data for a data block"},
    {"digraph g {\n a [time=1, blocking=1]\n b [time=1]\n c [time=1, blocking=1] }",
     "in.dot:3: module 'b' has no blocking time but 2 of 3 modules have one; expected all or none"},
    /* links */
    {"digraph g { a, b [time=1]\n a -> b [mesages=1] }",
     "in.dot:2: unknown attribute 'mesages', perhaps 'messages'; expected one of messages, bytes, kind, data"},
    {"digraph g { a, b [time=1]\n a -> b\n a -> b [messages=1.5] }",
     "in.dot:3: messages '1.5' of the link 'a' -> 'b' cannot be read; expected a whole number, 0 or more"},
    {"digraph g { a, b [time=1]\n edge [bytes=-2]\n a -> b }",
     "in.dot:2: bytes '-2' of the link 'a' -> 'b' cannot be read; " BYTES_EXPECTED},
    {"digraph g { a, b [time=1]\n a -> b [kind=data] }",
     "in.dot:2: kind 'data' of the link 'a' -> 'b' cannot be read; expected kind=traffic (traffic without precedence) "
     "or none"},
    {"digraph g { a, b [time=1]\n a -> b\n a -> a }",
     "in.dot:3: self link of module 'a'; expected a link between two modules"},
    {"digraph g { a, b, c [time=1]\n a -> b\n {b}\n ->\n {c}\n c -> a }",
     "in.dot:2: precedence cycle a -> b -> c -> a; expected an acyclic graph (kind=traffic for traffic without "
     "precedence)"},
    {"digraph g { d1, d2 [kind=data, size=4]\n d1 -> d2 }",
     "in.dot:2: link between the data blocks 'd1' and 'd2'; expected a module at one end"},
    /* data blocks */
    {"digraph g {\n d1 [kind=data] }", "in.dot:2: data block 'd1' has no size; expected size=BYTES"},
    {"digraph g {\n d1 [kind=data, size=big] }",
     "in.dot:2: size 'big' of data block 'd1' cannot be read; " BYTES_EXPECTED},
    {"digraph g {\n d1 [kind=data, size=4, time=-1] }",
     "in.dot:2: time '-1' of data block 'd1' is negative; " TIME_EXPECTED},
};

START_TEST(bad_input_has_its_message)
{
    expect_error(errors[_i].dot, strlen(errors[_i].dot), errors[_i].message);
}
END_TEST

/** One process, many files: nothing of one shows in the next. */
START_TEST(reads_do_not_disturb_each_other)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        expect_error(errors[i].dot, strlen(errors[i].dot), errors[i].message);
        inlay_app *app = app_from("# 77 \"other.c\"\n\ndigraph g { a [time=1] }");
        ck_assert_int_eq(inlay_app_modules(app), 1);
        inlay_app_free(app);
    }
}
END_TEST

START_TEST(nul_bytes_are_refused)
{
    static const char dot[] = "digraph g {\n a\0 [time=1] }";
    expect_error(dot, sizeof dot - 1, "in.dot:2: a NUL byte; expected the text of a DOT graph");
}
END_TEST

/** `count` times `part` between `begin` and `end`. */
static char *repeated(const char *begin, const char *part, size_t count, const char *end)
{
    text_buffer made = {0};
    text_add(&made, begin);
    for (size_t i = 0; i < count; i++)
        text_add(&made, part);
    text_add(&made, end);
    ck_assert(!made.failed);
    return made.data;
}

/** Chains have no limit; groups are refused before they could exhaust the stack. */
START_TEST(long_chains_and_deep_groups)
{
    static const char begin[] = "digraph g { node [time=1]; edge [kind=traffic]\na", nested[] = "digraph g {\n";
    char *chain = repeated(begin, "->b->a", 100000, "}");
    char *groups = repeated(nested, "{", 498, "node [time=1] a");
    char *deep = repeated(groups, "}", 499, "");
    inlay_app *app = app_from(chain);
    ck_assert_int_eq(inlay_app_out(app, 0).messages[0], 100000);
    inlay_app_free(app);
    inlay_app_free(app_from(deep));
    free(chain);
    free(groups);
    free(deep);

    chain = repeated(begin, "->b->a", 3, "->a}");
    expect_error(chain, strlen(chain), "in.dot:2: self link of module 'a'; expected a link between two modules");
    free(chain);
    deep = repeated(nested, "{", 100000, "");
    expect_error(deep, strlen(deep), "in.dot:2: subgraphs are nested more than 500 deep; expected less");
    free(deep);
}
END_TEST

/* ---- Noise ---- */

/** Any bytes give an application or one line that names the file. */
static void swallow(const char *data, size_t size)
{
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = dot_app_from(data, size, "in.dot", &(inlay_reading){0}, &app, diag);
    const char *message = inlay_diag_message(diag);
    if (status == INLAY_OK) {
        ck_assert_str_eq(message, "");
        text_buffer again = {0};
        ck_assert_int_eq(dot_app_to(app, &again, NULL), INLAY_OK);
        inlay_app_free(app_from(again.data));
        text_clear(&again);
    } else {
        ck_assert_int_eq(strncmp(message, "in.dot:", 7), 0);
        ck_assert_ptr_nonnull(strstr(message, "; expected "));
        ck_assert_ptr_null(strchr(message, '\n'));
    }
    dot_is_machine(data, size);
    inlay_app_free(app);
    inlay_diag_free(diag);
}

START_TEST(random_bytes)
{
    uint64_t state = 5;
    char data[300];
    for (int i = 0; i < 3000; i++) {
        size_t size = (size_t)random_below(&state, sizeof data);
        for (size_t k = 0; k < size; k++)
            data[k] = (char)random_below(&state, 256);
        swallow(data, size);
    }
}
END_TEST

START_TEST(random_words)
{
    static const char *const words[] = {
        "digraph", "graph", "{",  "}",      "{",    "}",     "[",      "]",        "=",    "->",   "--",       ";",
        ",",       "a",     "b",  "\"x\"",  "<h>",  "node",  "edge",   "1",        "-2.5", ":",    "+",        "/*",
        "*/",      "//",    "\n", "time=3", "time", "bytes", "strict", "[time=1]", "a->b", "size", "subgraph", "4KiB"};
    uint64_t state = 6;
    for (int i = 0; i < 5000; i++) {
        text_buffer data = {0};
        text_add(&data, random_once_in(&state, 5) ? "" : "digraph g {");
        for (int64_t k = random_below(&state, 16); k > 0; k--)
            text_addf(&data, "%s ", words[random_below(&state, sizeof words / sizeof *words)]);
        text_add(&data, random_once_in(&state, 5) ? "" : "}");
        swallow(data.data, data.size);
        text_clear(&data);
    }
}
END_TEST

/** Good graphs with one byte changed, dropped, or cut off behind it. */
START_TEST(damaged_graphs)
{
    uint64_t state = 7;
    for (int i = 0; i < 2000; i++) {
        random_times times;
        text_buffer data = {0};
        inlay_app *app = random_app(&state, (inlay_id)(1 + random_below(&state, 6)), RANDOM_EVERYTHING, &times);
        ck_assert_int_eq(dot_app_to(app, &data, NULL), INLAY_OK);
        inlay_app_free(app);
        size_t at = (size_t)random_below(&state, (int64_t)data.size);
        int64_t way = random_below(&state, 3);
        if (way == 0) data.data[at] = (char)(1 + random_below(&state, 255));
        if (way == 1) memmove(data.data + at, data.data + at + 1, data.size - at);
        swallow(data.data, way == 0 ? data.size : way == 1 ? data.size - 1 : at);
        text_clear(&data);
    }
}
END_TEST

Suite *suite_dot_errors(void)
{
    Suite *suite = suite_create("dot_errors");
    TCase *bad = tcase_create("bad input");
    tcase_add_loop_test(bad, bad_input_has_its_message, 0, sizeof errors / sizeof *errors);
    tcase_add_test(bad, reads_do_not_disturb_each_other);
    tcase_add_test(bad, nul_bytes_are_refused);
    tcase_add_test(bad, long_chains_and_deep_groups);
    suite_add_tcase(suite, bad);

    TCase *noise = tcase_create("noise");
    tcase_add_test(noise, random_bytes);
    tcase_add_test(noise, random_words);
    tcase_add_test(noise, damaged_graphs);
    suite_add_tcase(suite, noise);
    return suite;
}
