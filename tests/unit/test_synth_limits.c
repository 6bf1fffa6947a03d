/* Synthetic code at its limits: what is refused, what is as short for much as for little, and that it is always the same. */
#include "check_subject.h"
#include "synth_subject.h"
#include "unit.h"

#include "mapping/mapping.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t most = INT64_C(1) << 53;

/* ---- Asking ---- */

static inlay_synth *synthesised(const inlay_mapping *mapping, const inlay_synth_options *options)
{
    inlay_synth *synth = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_synthesise(mapping, options, &synth, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return synth;
}

/* Refused, in one line, with nothing made; the line goes to `said`, of 200 bytes. */
static void expect_refused(const inlay_mapping *mapping, const inlay_synth_options *options, int status, char *said)
{
    inlay_synth *synth = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_synthesise(mapping, options, &synth, diag), status);
    ck_assert_ptr_null(synth);
    snprintf(said, 200, "%s", inlay_diag_message(diag));
    ck_assert_str_ne(said, "");
    ck_assert_ptr_null(strchr(said, '\n'));
    if (status == INLAY_BAD_ARGUMENT && options == NULL) ck_assert_str_eq(inlay_diag_remedy_option(diag), "--tick");
    inlay_diag_free(diag);
    ck_assert_int_eq(inlay_synthesise(mapping, options, &synth, NULL), status); /* also without words */
    ck_assert_ptr_null(synth);
}

/* ---- Orders that wait for each other ---- */

/* Gives the clusters these modules in this order, one cluster after the other. */
static void reorder(inlay_mapping *mapping, const inlay_id *order)
{
    for (inlay_id i = 0; i < inlay_app_modules(mapping->app); i++)
        mapping->lists.module[i] = order[i];
}

START_TEST(test_orders_that_wait)
{
    static const struct {
        const char *app;
        inlay_id processor[4], order[4];
        const char *named;
    } cases[] = {
        {"digraph g { graph [time_unit=s]; a [time=1]; b [time=1]; a -> b; }", {0, 0}, {1, 0}, "'b'"},
        {"digraph g { graph [time_unit=s]; a [time=1]; b [time=1]; c [time=1]; d [time=1]; a -> d; b -> c; }",
         {0, 1, 0, 1},
         {2, 0, 3, 1},
         "'"},
    };
    char said[200];
    synth_subject subject = synth_place(cases[_i].app, "bus:4,capacity=1msg/s", cases[_i].processor, NULL);
    inlay_synth_free(synthesised(subject.mapping, NULL));
    reorder(subject.mapping, cases[_i].order);
    expect_refused(subject.mapping, NULL, INLAY_NO_ANSWER, said);
    ck_assert_ptr_nonnull(strstr(said, cases[_i].named));
    synth_clear(&subject);
}
END_TEST

/* Orders that no mapping of today has, but that nobody waits in: d before a, b before c. */
START_TEST(test_other_orders)
{
    static const char app[] = "digraph g { graph [time_unit=s]; a [time=1]; b [time=1]; c [time=1]; d [time=1];"
                              " a -> b; d -> c; }";
    static const inlay_id processor[] = {0, 1, 1, 0}, order[] = {3, 0, 1, 2};
    static const inlay_synth_kind kind[2][4] = {
        {INLAY_SYNTH_DO, INLAY_SYNTH_SEND, INLAY_SYNTH_DO, INLAY_SYNTH_SEND},
        {INLAY_SYNTH_RECEIVE, INLAY_SYNTH_DO, INLAY_SYNTH_RECEIVE, INLAY_SYNTH_DO}};
    static const int32_t lanes[2][4] = {{0, 0, 0, 1}, {1, 0, 0, 0}}; /* d sends first and is received last */
    synth_subject subject = synth_place(app, "bus:4,capacity=1msg/s", processor, NULL);
    reorder(subject.mapping, order);
    inlay_synth *synth = synthesised(subject.mapping, NULL);
    for (inlay_id r = 0; r < 2; r++) {
        inlay_synth_walk walk = {0};
        inlay_synth_step step;
        for (int i = 0; i < 4; i++) {
            ck_assert(inlay_synth_next(synth, r, &walk, &step));
            ck_assert_int_eq(step.kind, kind[r][i]);
            if (step.kind != INLAY_SYNTH_DO) ck_assert_int_eq(step.lane, lanes[r][i]);
        }
        ck_assert(!inlay_synth_next(synth, r, &walk, &step));
    }
    ck_assert_int_eq(inlay_synth_result(synth)->lanes, 2);
    inlay_synth_free(synth);
    synth_clear(&subject);
}
END_TEST

/* ---- Ticks ---- */

static const char timed[] = "digraph g { a [time=2]; b [time=3, arithmetic=7]; a -> b; graph [time_unit=tick]; }";
static const char counted[] = "digraph g { a [time=2, functions=1]; b [time=3, arithmetic=7]; a -> b;"
                              " graph [time_unit=tick]; }";
static const char instant[] = "digraph g { a [time=0]; b [time=3, arithmetic=7]; a -> b; graph [time_unit=tick]; }";
static const inlay_id apart[] = {0, 1};

START_TEST(test_ticks_without_length)
{
    static const struct {
        const char *app;
        inlay_synth_work work;
        bool refused;
    } cases[] = {{timed, INLAY_SYNTH_AUTO, true},    {timed, INLAY_SYNTH_COUNTS, false},
                 {timed, INLAY_SYNTH_TIMES, true},   {counted, INLAY_SYNTH_AUTO, false},
                 {counted, INLAY_SYNTH_TIMES, true}, {instant, INLAY_SYNTH_AUTO, false},
                 {instant, INLAY_SYNTH_TIMES, true}, {counted, INLAY_SYNTH_COUNTS, false}};
    char said[200];
    inlay_synth_options options = {.work = cases[_i].work};
    synth_subject subject = synth_place(cases[_i].app, "bus:4", apart, NULL);
    if (cases[_i].refused)
        expect_refused(subject.mapping, options.work == INLAY_SYNTH_AUTO ? NULL : &options, INLAY_BAD_ARGUMENT, said);
    if (!cases[_i].refused) {
        inlay_synth *synth = synthesised(subject.mapping, &options);
        ck_assert_double_eq(inlay_synth_result(synth)->tick_seconds, 0);
        inlay_synth_free(synth);
    }
    options.tick_seconds = 0.5;
    inlay_synth *synth = synthesised(subject.mapping, &options);
    ck_assert_double_eq(inlay_synth_result(synth)->tick_seconds, 0.5);
    inlay_synth_free(synth);
    synth_clear(&subject);
}
END_TEST

/* The first piece of work of a rank lasts so long. */
static void expect_seconds(const inlay_mapping *mapping, const inlay_synth_options *options, double tick, double first)
{
    inlay_synth *synth = synthesised(mapping, options);
    inlay_synth_walk walk = {0};
    inlay_synth_step step;
    ck_assert(inlay_synth_next(synth, 0, &walk, &step));
    ck_assert_int_eq(step.kind, INLAY_SYNTH_DO);
    ck_assert_double_eq_tol(step.seconds, first, 1e-12 * first);
    ck_assert_double_eq(inlay_synth_result(synth)->tick_seconds, tick);
    inlay_synth_free(synth);
}

/* The mapping's own length of a tick; another goes before it. */
START_TEST(test_ticks_of_the_mapping)
{
    const inlay_options mapped = {.tick_seconds = 0.125};
    const inlay_synth_options other = {.tick_seconds = 4};
    synth_subject subject = synth_place(timed, "bus:4", apart, &mapped);
    expect_seconds(subject.mapping, NULL, 0.125, 0.25);
    expect_seconds(subject.mapping, &other, 4, 8);
    synth_clear(&subject);
    subject = synth_place("digraph g { graph [time_unit=ms]; a [time=2]; b [time=1]; a -> b; }",
                          "bus:4,capacity=1msg/ms", apart, &mapped);
    expect_seconds(subject.mapping, &other, 0, 0.002); /* milliseconds have a length */
    synth_clear(&subject);
}
END_TEST

/* ---- Numbers ---- */

/* 2^53 is the last; what is one past that, and far past it, is refused. */
START_TEST(test_overflow)
{
    static const char *const forms[] = {
        "digraph g { graph [time_unit=s]; a [time=1, arithmetic=%s]; b [time=1]; a -> b; }",
        "digraph g { graph [time_unit=s]; a [time=1, functions=%s]; b [time=1]; a -> b; }",
        "digraph g { graph [time_unit=s]; a [time=1, memory=%s]; b [time=1]; a -> b; }",
        "digraph g { graph [time_unit=s]; a [time=1]; b [time=1]; a -> b [bytes=%s]; }",
        "digraph g { graph [time_unit=s]; a [time=1]; b [time=1]; a -> b [messages=%s]; }",
        ("digraph g { graph [time_unit=s]; a [time=1]; b [time=1]; d [kind=data, size=1]; a -> b;"
         " d -> a [messages=5]; d -> b [bytes=%s]; }"),
    };
    static const char *const numbers[] = {"9007199254740994", "4000000000000000000"};
    char said[200], app[300];
    for (int n = 0; n < 2; n++) {
        snprintf(app, sizeof app, forms[_i], numbers[n]);
        synth_subject subject = synth_place(app, "bus:2", apart, NULL);
        expect_refused(subject.mapping, NULL, INLAY_OVERFLOW, said);
        expect_refused(subject.mapping, &(inlay_synth_options){.model_sizes = _i == 4}, INLAY_OVERFLOW, said);
        synth_clear(&subject);
    }
}
END_TEST

START_TEST(test_the_last_numbers)
{
    static const char app[] = "digraph g { graph [time_unit=s]; a [time=1, arithmetic=9007199254740992,"
                              " functions=9007199254740992, memory=9007199254740992]; }";
    synth_subject subject = synth_place(app, "bus:2", apart, NULL);
    inlay_synth *synth = synthesised(subject.mapping, NULL);
    inlay_synth_walk walk = {0};
    inlay_synth_step step;
    ck_assert(inlay_synth_next(synth, 0, &walk, &step));
    ck_assert_int_eq(step.arithmetic, most);
    ck_assert_int_eq(step.functions, most);
    ck_assert_int_eq(step.bytes, most);
    ck_assert_int_eq(inlay_synth_result(synth)->memory, most);
    inlay_synth_free(synth);
    synth_clear(&subject);
}
END_TEST

START_TEST(test_options_out_of_range)
{
    static const inlay_synth_options cases[] = {{.work = (inlay_synth_work)3},
                                                {.message_size = -1},
                                                {.message_size = INT64_C(1) << 62},
                                                {.tick_seconds = -1},
                                                {.tick_seconds = NAN}};
    char said[200];
    synth_subject subject = synth_place(timed, "bus:2", apart, &(inlay_options){.tick_seconds = 1});
    expect_refused(subject.mapping, &cases[_i], INLAY_BAD_ARGUMENT, said);
    synth_clear(&subject);
}
END_TEST

/* ---- As long for much as for little ---- */

/* A row of processors, each of which waits for its neighbours in every step. */
static synth_subject row(inlay_id processors, inlay_id steps)
{
    synth_subject subject = {0};
    inlay_app_builder *builder = inlay_app_builder_new("row", INLAY_UNIT_S);
    inlay_id *processor = malloc((size_t)processors * (size_t)steps * sizeof *processor);
    for (inlay_id i = 0; i < processors * steps; i++) {
        char name[16];
        snprintf(name, sizeof name, "m%d", (int)i);
        inlay_module module = {.name = name, .time = {{2, 0}, INLAY_UNIT_S}, .arithmetic = 5};
        processor[i] = i % processors;
        ck_assert_int_eq(inlay_app_add_module(builder, &module, NULL), INLAY_OK);
        for (inlay_id d = -1; d <= 1; d++)
            if (i >= processors && processor[i] + d >= 0 && processor[i] + d < processors)
                ck_assert_int_eq(inlay_app_add_link(builder, i - processors + d, i, 1, 100, 0, NULL), INLAY_OK);
    }
    ck_assert_int_eq(inlay_app_build(builder, &subject.app, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    ck_assert_int_eq(inlay_machine_parse("bus:16,capacity=1GB/s", &subject.machine, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_evaluate(subject.app, subject.machine, processor, NULL, &subject.mapping, NULL), INLAY_OK);
    free(processor);
    return subject;
}

static inlay_synth_summary row_summary(inlay_id processors, inlay_id steps)
{
    synth_subject subject = row(processors, steps);
    inlay_synth *synth = synthesised(subject.mapping, NULL);
    inlay_synth_summary summary = *inlay_synth_result(synth);
    ck_assert_int_eq(summary.modules, processors * steps);
    ck_assert_int_eq(summary.messages, (int64_t)2 * (processors - 1) * (steps - 1));
    ck_assert_int_eq(summary.steps, summary.modules + 2 * summary.messages);
    inlay_synth_free(synth);
    synth_clear(&subject);
    return summary;
}

START_TEST(test_iterations_cost_nothing)
{
    inlay_synth_summary ten = row_summary(5, 10), thousand = row_summary(5, 1000), wide = row_summary(16, 10);
    ck_assert_int_eq(ten.entries, thousand.entries);
    ck_assert_int_eq(ten.kinds, thousand.kinds);
    ck_assert_int_eq(ten.sequences, 3); /* of the first, the last, and those between them */
    ck_assert_int_eq(wide.sequences, 3);
    ck_assert_int_eq(wide.entries, ten.entries);
    ck_assert_int_eq(wide.kinds, ten.kinds);
    ck_assert_int_lt(thousand.entries, 40);
    ck_assert_int_eq(thousand.depth, 1);
}
END_TEST

/* A link of very many messages is a loop. */
START_TEST(test_many_messages)
{
    static const struct {
        const char *link;
        int64_t messages, bytes, largest;
    } cases[] = {{"messages=1000000, bytes=1000001", 1000000, 1000001, 2},
                 {"messages=1000000", 1000000, 8000000, 8},
                 {"bytes=1000000000000", 1, 1000000000000, 1000000000000}};
    char app[200];
    snprintf(app, sizeof app, "digraph g { graph [time_unit=s]; a [time=1]; b [time=1]; a -> b [%s]; }",
             cases[_i].link);
    synth_subject subject = synth_place(app, "bus:2", apart, NULL);
    inlay_synth *synth = synthesised(subject.mapping, NULL);
    const inlay_synth_summary *summary = inlay_synth_result(synth);
    ck_assert_int_eq(summary->messages, cases[_i].messages);
    ck_assert_int_eq(summary->bytes, cases[_i].bytes);
    ck_assert_int_eq(summary->largest, cases[_i].largest);
    ck_assert_int_eq(summary->steps, 2 + 2 * cases[_i].messages);
    ck_assert_int_lt(summary->entries, 20);
    inlay_synth_free(synth);
    synth_clear(&subject);
}
END_TEST

/* ---- Always the same ---- */

static char *written(const inlay_synth *synth, size_t *size)
{
    char *text = malloc(1 << 20);
    ck_assert_int_eq(inlay_synth_write(synth, subject_app(), NULL), INLAY_OK);
    FILE *file = fopen(subject_app(), "r");
    ck_assert_ptr_nonnull(file);
    *size = fread(text, 1, 1 << 20, file);
    fclose(file);
    ck_assert_uint_gt(*size, 1000);
    ck_assert_uint_lt(*size, 1 << 20);
    return text;
}

START_TEST(test_same_bytes)
{
    uint64_t state = (uint64_t)_i + 77, again = state;
    synth_subject one = synth_draw(&state, _i), other = synth_draw(&again, _i);
    size_t size[3];
    inlay_synth *a = synthesised(one.mapping, &one.options), *b = synthesised(one.mapping, &one.options);
    inlay_synth *c = synthesised(other.mapping, &other.options);
    char *text[] = {written(a, &size[0]), written(b, &size[1]), written(c, &size[2])};
    ck_assert(size[0] == size[1] && memcmp(text[0], text[1], size[0]) == 0);
    ck_assert(size[0] == size[2] && memcmp(text[0], text[2], size[0]) == 0);
    for (int i = 0; i < 3; i++)
        free(text[i]);
    inlay_synth_free(a);
    inlay_synth_free(b);
    inlay_synth_free(c);
    synth_clear(&one);
    synth_clear(&other);
}
END_TEST

Suite *suite_synth_limits(void)
{
    Suite *suite = suite_create("synth_limits");
    TCase *tests = tcase_create("synth_limits");
    tcase_add_checked_fixture(tests, subject_set_up, subject_tear_down);
    tcase_add_loop_test(tests, test_orders_that_wait, 0, 2);
    tcase_add_test(tests, test_other_orders);
    tcase_add_loop_test(tests, test_ticks_without_length, 0, 8);
    tcase_add_test(tests, test_ticks_of_the_mapping);
    tcase_add_loop_test(tests, test_overflow, 0, 6);
    tcase_add_test(tests, test_the_last_numbers);
    tcase_add_loop_test(tests, test_options_out_of_range, 0, 5);
    tcase_add_test(tests, test_iterations_cost_nothing);
    tcase_add_loop_test(tests, test_many_messages, 0, 3);
    tcase_add_loop_test(tests, test_same_bytes, 0, SYNTH_MACHINES);
    suite_add_tcase(suite, tests);
    return suite;
}
