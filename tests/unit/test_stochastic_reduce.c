/* Stochastic graphs become applications: totals, loops, rounding; and what cannot be one, in DOT and in calls. */
#include "base/plain.h"
#include "random_app.h"
#include "slow_stochastic.h"
#include "unit.h"

#include "base/file.h"
#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inlay_stochastic *graph_from(const char *dot)
{
    inlay_stochastic *graph = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_stochastic_read_memory(dot, strlen(dot), "in.dot", &graph, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return graph;
}

static inlay_app *reduce(const inlay_stochastic *graph, inlay_cycles cycles, int64_t executions)
{
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    inlay_stochastic_options options = {cycles, executions};
    int status = inlay_stochastic_reduce(graph, &options, &app, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    ck_assert_uint_eq(inlay_diag_warnings(diag), 0);
    inlay_diag_free(diag);
    return app;
}

static inlay_app *app_from(const char *dot, inlay_cycles cycles, int64_t executions)
{
    inlay_stochastic *graph = graph_from(dot);
    inlay_app *app = reduce(graph, cycles, executions);
    inlay_stochastic_free(graph);
    return app;
}

static void expect_near(double found, double expected, double tolerance)
{
    ck_assert_msg(fabs(found - expected) <= tolerance * fabs(expected) + 1e-12, "%.17g, expected %.17g", found,
                  expected);
}

static inlay_id module_of(const inlay_app *app, const char *name)
{
    inlay_id module = inlay_app_find_module(app, name);
    ck_assert_msg(module >= 0, "no module '%s'", name);
    return module;
}

static void expect_time(const inlay_app *app, const char *name, double time)
{
    expect_near(inlay_app_in_units(app, inlay_app_time(app, module_of(app, name))), time, 1e-9);
}

/* The link of a pair with these flags must have so much traffic; -1: there must be none. */
static void expect_link(const inlay_app *app, const char *from, const char *to, unsigned flags, int64_t messages,
                        int64_t bytes)
{
    inlay_links out = inlay_app_out(app, module_of(app, from));
    int64_t found_messages = -1, found_bytes = -1;
    for (int64_t l = 0; l < out.count; l++) {
        if (out.module[l] == module_of(app, to) && out.flags[l] == flags) {
            found_messages = out.messages[l];
            found_bytes = out.bytes[l];
        }
    }
    ck_assert_int_eq(found_messages, messages);
    ck_assert_int_eq(found_bytes, bytes);
}

/* ---- The rules, by hand ---- */

static const char retry[] = "digraph retry { graph [time_unit=ms];\n"
                            " a [time=2, memory=100, arithmetic=10, functions=3];\n"
                            " b [time=\"1ms\", kind=eor, memory=200];\n"
                            " c [time=4, kind=and, memory=400];\n"
                            " end [time=1, entries=0.5];\n"
                            " d [kind=data, size=1000, time=0.5];\n"
                            " a -> b [messages=2, bytes=10, time=\"250us\"];\n"
                            " b -> c [probability=0.6, messages=3, bytes=100, time=1];\n"
                            " c -> b [bytes=7];\n"
                            " b -> end [probability=0.4, bytes=9];\n"
                            " c -> a [kind=traffic, messages=2, bytes=5, time=\"0.5ms\"];\n"
                            " c -> d [messages=2];\n"
                            " d -> end; }\n";

/* v: a 1, b 1 / 0.4 = 2.5, c 1.5, end 1.5 */
START_TEST(one_loop_counted_by_hand)
{
    inlay_stochastic *graph = graph_from(retry);
    const inlay_stochastic_summary *s = inlay_stochastic_summary_of(graph);
    static const double visits[] = {1, 2.5, 1.5, 1.5};
    for (inlay_id i = 0; i < 4; i++)
        expect_near(inlay_stochastic_visits(graph, i), visits[i], 1e-12);
    expect_near(s->work, 2.25 + 2.5 * 1.6 + 1.5 * 4.5 + 1.5, 1e-12);
    expect_near(s->block_time, 0.5 * 3, 1e-12);
    /* turns of the loop are geometric, each of 1 + 1 + 4.5; then b and the end; half an end more as a coin falls */
    expect_near(s->work_deviation, sqrt(6.5 * 6.5 * 0.6 / 0.16 + 0.25), 1e-12);

    inlay_app *app = reduce(graph, INLAY_CYCLES_TRAFFIC, 1);
    expect_time(app, "a", 2.25);
    expect_time(app, "b", 4);
    expect_time(app, "c", 6.75);
    expect_time(app, "end", 1.5);
    expect_link(app, "a", "b", 0, 2, 10);
    expect_link(app, "b", "c", 0, 5, 150);                      /* 4.5 messages */
    expect_link(app, "c", "b", INLAY_LINK_TRAFFIC_ONLY, 2, 11); /* 1.5, 10.5 */
    expect_link(app, "c", "b", 0, -1, -1);
    expect_link(app, "b", "end", 0, 1, 9);
    expect_link(app, "c", "a", INLAY_LINK_TRAFFIC_ONLY, 3, 8); /* 7.5 */
    expect_near(inlay_app_arithmetic(app, 0), 10, 1e-12);
    expect_near(inlay_app_functions(app, 0), 3, 1e-12);
    ck_assert_int_eq(inlay_app_memory(app, 2), 400);
    ck_assert_ptr_null(inlay_app_module_kind(app, 1));
    inlay_links uses = inlay_app_uses(app, 0);
    ck_assert_int_eq(uses.count, 2);
    ck_assert_int_eq(uses.messages[0], 3);
    ck_assert_int_eq(uses.bytes[0], 1500);
    ck_assert_int_eq(uses.messages[1], 2);
    expect_near(inlay_app_in_units(app, inlay_app_block_time(app, 0)), 1.5, 1e-12);
    inlay_app_free(app);
    inlay_stochastic_free(graph);
}
END_TEST

START_TEST(folding_makes_one_module_of_a_loop)
{
    inlay_app *app = app_from(retry, INLAY_CYCLES_FOLD, 1);
    ck_assert_int_eq(inlay_app_modules(app), 3);
    expect_time(app, "b+c", 4 + 6.75);
    ck_assert_int_eq(inlay_app_memory(app, module_of(app, "b+c")), 600);
    expect_link(app, "a", "b+c", 0, 2, 10);
    expect_link(app, "b+c", "end", 0, 1, 9);
    expect_link(app, "b+c", "a", INLAY_LINK_TRAFFIC_ONLY, 3, 8);
    ck_assert_int_eq(inlay_app_links(app), 3);
    inlay_app_free(app);
}
END_TEST

START_TEST(more_executions_round_less)
{
    inlay_app *app = app_from(retry, INLAY_CYCLES_TRAFFIC, 10);
    expect_time(app, "c", 67.5);
    expect_link(app, "b", "c", 0, 45, 1500);
    expect_link(app, "c", "b", INLAY_LINK_TRAFFIC_ONLY, 15, 105);
    expect_link(app, "b", "end", 0, 10, 90);
    ck_assert_int_eq(inlay_app_memory(app, 2), 400);
    expect_near(inlay_app_arithmetic(app, 0), 100, 1e-12);
    inlay_app_free(app);
}
END_TEST

START_TEST(folded_names_are_short_and_new)
{
    static const char dot[] = "digraph { node [time=1]; in [entries=1]; x [kind=eor]; in -> a -> b -> c -> d -> e -> x;"
                              " x -> a; x -> \"a+b+c+3 more\"; }";
    inlay_app *app = app_from(dot, INLAY_CYCLES_FOLD, 1);
    ck_assert_int_eq(inlay_app_modules(app), 3);
    expect_time(app, "a+b+c+3 more", 1);
    expect_time(app, "x+a+b+3 more", 12);
    inlay_app_free(app);
}
END_TEST

START_TEST(defaults_are_told_by_the_links)
{
    /* a turns to itself alone, and b is led to with the probability 0: entries are a's alone, and b's */
    inlay_stochastic *graph =
        graph_from("digraph { node [time=1]; a [kind=eor]; a -> a; a -> c; c [kind=eor]; c -> d [probability=1];"
                   " c -> e [probability=0]; e [entries=2]; }");
    static const double visits[] = {2, 1, 1, 2};
    for (inlay_id i = 0; i < 4; i++)
        expect_near(inlay_stochastic_visits(graph, i), visits[i], 1e-12);
    ck_assert_int_eq(inlay_stochastic_summary_of(graph)->links, 3);
    inlay_app *app = reduce(graph, INLAY_CYCLES_FOLD, 1);
    expect_link(app, "a", "c", 0, 1, 0);
    expect_link(app, "c", "e", 0, -1, -1);
    ck_assert_int_eq(inlay_app_links(app), 2);
    inlay_app_free(app);
    inlay_stochastic_free(graph);
}
END_TEST

/* ---- Totals of random graphs ---- */

static slow_sg g;
static slow_sg_solution slow;

/* `g` as DOT, with all digits. */
static char *dot_of_g(void)
{
    char *text = NULL;
    size_t size;
    plain_scope scope = plain_enter();
    FILE *to = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(to);
    fprintf(to, "digraph g {\n");
    for (int i = 0; i < g.modules; i++)
        fprintf(to, "m%d [time=%.3f, kind=%s, entries=%.2f, memory=%d];\n", i, g.time[i], g.eor[i] ? "eor" : "and",
                g.entries[i], i);
    for (int l = 0; l < g.links; l++) {
        const slow_sg_link *link = &g.link[l];
        fprintf(to, "m%d -> m%d [time=%.3f, messages=%d, bytes=%d", link->from, link->to, link->time, link->messages,
                link->bytes);
        if (g.eor[link->from] && !link->traffic) fprintf(to, ", probability=\"%.17g\"", link->probability);
        fprintf(to, "%s];\n", link->traffic ? ", kind=traffic" : "");
    }
    fprintf(to, "}\n");
    ck_assert_int_eq(fclose(to), 0);
    plain_leave(scope);
    return text;
}

/* What all links of one pair of modules send, traffic and others apart. */
static void add_expected(const inlay_stochastic *graph, bool fold, double executions, double *messages)
{
    for (int l = 0; l < g.links; l++) {
        const slow_sg_link *link = &g.link[l];
        inlay_id from = fold ? inlay_stochastic_part(graph, link->from) : link->from;
        inlay_id to = fold ? inlay_stochastic_part(graph, link->to) : link->to;
        double taken = executions * slow.visits[link->from] * (link->traffic ? 1 : link->probability);
        if (from != to) messages[from * g.modules + to] += taken * link->messages;
    }
}

/* All traffic is there, and less than one message a link more; links with precedence stay so, except in loops. */
static void expect_flows(const inlay_stochastic *graph, const inlay_app *app, bool fold, double executions)
{
    double *messages = calloc((size_t)g.modules * (size_t)g.modules, sizeof *messages);
    ck_assert_ptr_nonnull(messages);
    add_expected(graph, fold, executions, messages);
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        inlay_links out = inlay_app_out(app, i);
        for (int64_t l = 0; l < out.count; l++)
            messages[i * g.modules + out.module[l]] -= (double)out.messages[l];
    }
    for (int p = 0; p < g.modules * g.modules; p++)
        ck_assert_msg(messages[p] < 1e-6 && messages[p] > -2, "pair %d lacks %g messages", p, messages[p]);
    free(messages);
}

static void expect_precedence(const inlay_stochastic *graph, const inlay_app *app)
{
    for (int l = 0; l < g.links; l++) {
        const slow_sg_link *link = &g.link[l];
        bool inside = inlay_stochastic_part(graph, link->from) == inlay_stochastic_part(graph, link->to);
        bool found = false;
        int64_t count;
        const inlay_id *before = inlay_app_predecessors(app, link->to, &count);
        for (int64_t i = 0; i < count; i++)
            found = found || before[i] == link->from;
        if (!link->traffic && !inside) ck_assert(found);
    }
}

static void expect_totals(const inlay_stochastic *graph, const inlay_app *app, bool fold, double executions)
{
    inlay_time time = 0;
    int64_t memory = 0;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        time += inlay_app_time(app, i);
        memory += inlay_app_memory(app, i);
    }
    expect_near(inlay_app_in_units(app, time), executions * slow.work, 1e-8);
    ck_assert_int_eq(memory, g.modules * (g.modules - 1) / 2);
    expect_flows(graph, app, fold, executions);
}

START_TEST(applications_keep_the_totals)
{
    int looped = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        uint64_t state = 70 + seed;
        slow_sg_random(&state, 2 + (int)random_below(&state, 40), (int)random_below(&state, 12), &g);
        if (!slow_sg_solve(&g, &slow) || slow.work > 1e6) continue;
        char *dot = dot_of_g();
        inlay_stochastic *graph = graph_from(dot);
        int64_t executions = 1 + random_below(&state, 5);
        inlay_app *folded = reduce(graph, INLAY_CYCLES_FOLD, executions);
        inlay_app *flat = reduce(graph, INLAY_CYCLES_TRAFFIC, executions);
        expect_totals(graph, folded, true, (double)executions);
        expect_totals(graph, flat, false, (double)executions);
        expect_precedence(graph, flat);
        looped += inlay_app_modules(folded) < inlay_app_modules(flat);
        inlay_app_free(folded);
        inlay_app_free(flat);
        inlay_stochastic_free(graph);
        free(dot);
    }
    ck_assert_int_gt(looped, 50);
}
END_TEST

/* ---- Numbers at the edges ---- */

START_TEST(times_keep_nine_digits)
{
    inlay_app *app =
        app_from("digraph { a [time=123456.789012345, entries=3]; a -> b; b [kind=eor, time=1]; node [time=0.001];"
                 " b -> c; b -> d; b -> e; c; d; e; }",
                 INLAY_CYCLES_FOLD, 1);
    expect_near(inlay_app_in_units(app, inlay_app_time(app, 0)), 370370.367, 1e-15);
    expect_near(inlay_app_in_units(app, inlay_app_time(app, 2)), 0.001, 1e-15);
    expect_link(app, "a", "b", 0, 3, 0);
    expect_link(app, "b", "c", 0, 1, 0); /* a third of 3 is no more than 1 */
    inlay_app_free(app);
}
END_TEST

static void expect_status(const char *dot, int64_t executions, int expected, const char *message)
{
    inlay_stochastic *graph = graph_from(dot);
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    inlay_stochastic_options options = {INLAY_CYCLES_FOLD, executions};
    ck_assert_int_eq(inlay_stochastic_reduce(graph, &options, &app, diag), expected);
    ck_assert_str_eq(expected == INLAY_OK ? inlay_diag_warning(diag, 0) : inlay_diag_message(diag), message);
    ck_assert_int_eq(app != NULL, expected == INLAY_OK);
    inlay_app_free(app);
    inlay_diag_free(diag);
    inlay_stochastic_free(graph);
}

START_TEST(numbers_that_are_too_large_are_told)
{
    expect_status("digraph g { a [time=1]; b [time=1, kind=eor]; a -> b [messages=9000000000000000000]; }", 2,
                  INLAY_OVERFLOW, "g: a link or use has 1.8e+19 messages of 0 bytes; expected fewer than 2^63");
    expect_status("digraph g { a [time=1, kind=eor]; d [kind=data, size=9000000000000000000]; a -> d; }", 2,
                  INLAY_OVERFLOW, "g: a link or use has 2 messages of 1.8e+19 bytes; expected fewer than 2^63");
    expect_status("digraph g { a [time=2e18, kind=eor]; }", 2, INLAY_OVERFLOW,
                  "g: the times add up to more than 2^61 s; expected a larger unit");
    expect_status("digraph g { node [memory=9000000000000000000, time=1]; a [entries=1]; b [kind=eor]; a -> b -> a;"
                  " b -> c; }",
                  1, INLAY_OVERFLOW, "g: the modules of a loop need more than 2^63 bytes of memory; expected less");
    expect_status("digraph g { a [time=1e15, kind=eor]; a -> b; b [time=0.00001234]; }", 1, INLAY_OK,
                  "g: times are kept to 3 decimals of a s: 'b', and perhaps others, to fewer than 6 digits");
    expect_status("digraph g { a [time=1, kind=eor]; }", -1, INLAY_BAD_ARGUMENT,
                  "a graph is reduced for 1 or more executions, by folding or traffic");
}
END_TEST

START_TEST(what_floating_point_cannot_hold_is_told)
{
    static const char dot[] = "digraph g { a [time=\"1e15\", entries=\"1e300\", kind=eor]; }";
    inlay_stochastic *graph = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_stochastic_read_memory(dot, strlen(dot), "in.dot", &graph, diag), INLAY_OVERFLOW);
    ck_assert_str_eq(inlay_diag_message(diag), "in.dot: visits and times of the graph are too large for floating-point "
                                               "numbers; expected smaller ones");
    ck_assert_ptr_null(graph);
    inlay_diag_free(diag);
}
END_TEST

/* ---- Calls that are wrong ---- */

typedef struct wrong_call {
    int status;
    const char *message;
    int (*call)(inlay_stochastic_builder *b, inlay_diag *diag);
} wrong_call;

static int add_module(inlay_stochastic_builder *b, inlay_stochastic_module module, inlay_diag *diag)
{
    return inlay_stochastic_add_module(b, &module, diag);
}

static int add_link(inlay_stochastic_builder *b, inlay_stochastic_link link, inlay_diag *diag)
{
    return inlay_stochastic_add_link(b, &link, diag);
}

#define CALL(name, expression)                                                                                         \
    static int name(inlay_stochastic_builder *b, inlay_diag *diag)                                                     \
    {                                                                                                                  \
        return expression;                                                                                             \
    }

CALL(no_name, add_module(b, (inlay_stochastic_module){.name = ""}, diag))
CALL(twice, add_module(b, (inlay_stochastic_module){.name = "a"}, diag))
CALL(negative_time, add_module(b, (inlay_stochastic_module){.name = "n", .time = {{-1, 0}, INLAY_UNIT_NONE}}, diag))
CALL(ticks, add_module(b, (inlay_stochastic_module){.name = "n", .time = {{1, 0}, INLAY_UNIT_TICK}}, diag))
CALL(no_entries, add_module(b, (inlay_stochastic_module){.name = "n", .has_entries = true, .entries = NAN}, diag))
CALL(no_memory, add_module(b, (inlay_stochastic_module){.name = "n", .memory = -1}, diag))
CALL(nowhere, add_link(b, (inlay_stochastic_link){.from = 0, .to = 2}, diag))
CALL(few_messages, add_link(b, (inlay_stochastic_link){.from = 0, .to = 1, .messages = -1}, diag))
CALL(few_bytes, add_link(b, (inlay_stochastic_link){.from = 0, .to = 1, .bytes = -1}, diag))
CALL(no_draw, add_link(b, (inlay_stochastic_link){.from = 0, .to = 1, .has_probability = true, .probability = 1}, diag))
CALL(unlikely, add_link(b, (inlay_stochastic_link){.from = 1, .has_probability = true, .probability = NAN}, diag))
CALL(drawn_traffic,
     add_link(b, (inlay_stochastic_link){.from = 1, .has_probability = true, .traffic_only = true}, diag))
CALL(small_block, inlay_stochastic_add_block(b, "d", -1, (inlay_duration){0}, diag))
CALL(named_block, inlay_stochastic_add_block(b, "a", 1, (inlay_duration){0}, diag))
CALL(no_block, inlay_stochastic_add_use(b, 1, 0, 1, 1, diag))
CALL(negative_use, inlay_stochastic_add_use(b, 0, 0, -1, 1, diag))

static const wrong_call wrong_calls[] = {
    {INLAY_BAD_INPUT, "t: a module has no name; expected one", no_name},
    {INLAY_BAD_INPUT, "t: duplicate module 'a'; expected every name once", twice},
    {INLAY_BAD_INPUT, "t: the time of module 'n' is negative; expected 0 or more", negative_time},
    {INLAY_BAD_INPUT, "t: the time of module 'n' is in tick; expected s", ticks},
    {INLAY_BAD_INPUT, "t: entries, operations or memory of module 'n'; expected 0 or more", no_entries},
    {INLAY_BAD_INPUT, "t: entries, operations or memory of module 'n'; expected 0 or more", no_memory},
    {INLAY_BAD_ARGUMENT, "a link needs two modules that were added before", nowhere},
    {INLAY_BAD_INPUT, "t: the link 'a' -> 'b' has negative messages; expected 0 or more", few_messages},
    {INLAY_BAD_INPUT, "t: the link 'a' -> 'b' has negative bytes; expected 0 or more", few_bytes},
    {INLAY_BAD_INPUT,
     "t: the link 'a' -> 'b' has a probability, but comes from an AND module, which takes all its links; expected "
     "none, "
     "or kind=eor of the module",
     no_draw},
    {INLAY_BAD_INPUT, "t: the link 'b' -> 'a' has a probability outside 0 .. 1; expected a number from 0 to 1",
     unlikely},
    {INLAY_BAD_INPUT,
     "t: the link 'b' -> 'a' has a probability, but passes no control; expected none with kind=traffic", drawn_traffic},
    {INLAY_BAD_INPUT, "t: the size of data block 'd' is negative; expected 0 or more", small_block},
    {INLAY_BAD_INPUT, "t: duplicate data block 'a'; expected every name once", named_block},
    {INLAY_BAD_ARGUMENT, "a use needs a block and a module that were added before", no_block},
    {INLAY_BAD_INPUT, "t: messages of a use are negative; expected 0 or more", negative_use}};

START_TEST(wrong_calls_are_refused)
{
    const wrong_call *wrong = &wrong_calls[_i];
    inlay_diag *diag = inlay_diag_new();
    inlay_stochastic_builder *b = inlay_stochastic_builder_new("t", INLAY_UNIT_S);
    ck_assert_int_eq(add_module(b, (inlay_stochastic_module){.name = "a"}, diag), INLAY_OK);
    ck_assert_int_eq(add_module(b, (inlay_stochastic_module){.name = "b", .eor = true}, diag), INLAY_OK);
    ck_assert_int_eq(inlay_stochastic_add_block(b, "block", 1, (inlay_duration){0}, diag), INLAY_OK);
    ck_assert_int_eq(wrong->call(b, diag), wrong->status);
    ck_assert_str_eq(inlay_diag_message(diag), wrong->message);
    /* what was refused has left nothing behind */
    inlay_stochastic *graph = NULL;
    ck_assert_int_eq(inlay_stochastic_build(b, &graph, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_stochastic_summary_of(graph)->modules, 2);
    inlay_stochastic_free(graph);
    inlay_stochastic_builder_free(b);
    inlay_diag_free(diag);
}
END_TEST

/* ---- Hostile bytes ---- */

START_TEST(damaged_files_do_no_harm)
{
    uint64_t state = 4;
    int read = 0, refused = 0;
    char text[sizeof retry];
    static const char bits[] = "{}[]=;->\"0159.e-+, \n\\abcd";
    for (int round = 0; round < 3000; round++) {
        size_t size = sizeof retry - 1;
        memcpy(text, retry, sizeof retry);
        for (int64_t d = 1 + random_below(&state, 4); d > 0; d--)
            text[random_below(&state, (int64_t)size)] = bits[random_below(&state, (int64_t)sizeof bits - 1)];
        if (random_once_in(&state, 10)) size = (size_t)random_below(&state, (int64_t)size);
        inlay_stochastic *graph = NULL;
        inlay_diag *diag = inlay_diag_new();
        int status = inlay_stochastic_read_memory(text, size, "in.dot", &graph, diag);
        const char *message = inlay_diag_message(diag);
        ck_assert_int_eq(status == INLAY_OK, graph != NULL);
        ck_assert(status == INLAY_OK || strncmp(message, "in.dot:", 7) == 0);
        ck_assert(status == INLAY_OK || strstr(message, "; expected ") != NULL);
        ck_assert_ptr_null(strchr(message, '\n'));
        read += status == INLAY_OK;
        refused += status != INLAY_OK;
        inlay_stochastic_free(graph);
        inlay_diag_free(diag);
    }
    ck_assert_int_gt(read, 30);
    ck_assert_int_gt(refused, 1000);
}
END_TEST

Suite *suite_stochastic_reduce(void)
{
    Suite *suite = suite_create("stochastic_reduce");
    TCase *tests = tcase_create("stochastic_reduce");
    tcase_add_test(tests, one_loop_counted_by_hand);
    tcase_add_test(tests, folding_makes_one_module_of_a_loop);
    tcase_add_test(tests, more_executions_round_less);
    tcase_add_test(tests, folded_names_are_short_and_new);
    tcase_add_test(tests, defaults_are_told_by_the_links);
    tcase_add_test(tests, applications_keep_the_totals);
    tcase_add_test(tests, times_keep_nine_digits);
    tcase_add_test(tests, numbers_that_are_too_large_are_told);
    tcase_add_test(tests, what_floating_point_cannot_hold_is_told);
    tcase_add_loop_test(tests, wrong_calls_are_refused, 0, sizeof wrong_calls / sizeof *wrong_calls);
    tcase_add_test(tests, damaged_files_do_no_harm);
    suite_add_tcase(suite, tests);
    return suite;
}
