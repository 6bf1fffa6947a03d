/* Tables of recorded simulations, read back by a CSV reader of its own; and what no file is written for. */
#include "drawn.h"
#include "recorded.h"
#include "base/plain.h"
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SEEDS = DRAWN_SIMULATE_OUTPUT, FIELD = 64 };

/* ---- Reading CSV, RFC 4180 ---- */

/* Takes the next field off *at; it has to end in `end`. */
static void take(const char **at, char field[FIELD], char end)
{
    size_t size = 0;
    const char *s = *at;
    bool quoted = *s == '"';
    for (s += quoted; quoted ? *s != '"' || s[1] == '"' : *s != ',' && *s != '\n'; s++) {
        ck_assert_msg(*s != '\0' && size + 1 < FIELD, "no end: %.40s", *at);
        ck_assert_msg(quoted || *s != '"', "a stray quote: %.40s", *at);
        s += quoted && *s == '"';
        field[size++] = *s;
    }
    field[size] = '\0';
    s += quoted;
    ck_assert_msg(*s == end, "%c expected: %.40s", end, *at);
    *at = s + 1;
}

static void expect_text(const char **at, const char *text, char end)
{
    char field[FIELD];
    take(at, field, end);
    ck_assert_str_eq(field, text);
}

static void expect_count(const char **at, int64_t number, char end)
{
    char field[FIELD], text[FIELD] = "";
    if (number >= 0) {
        snprintf(text, sizeof text, "%" PRId64, number);
    }
    take(at, field, end);
    ck_assert_str_eq(field, text);
}

/* The same double, to the last bit. */
static void expect_number(const char **at, double number, char end)
{
    char field[FIELD], *behind;
    take(at, field, end);
    double read = plain_number(field, &behind);
    ck_assert_msg(*behind == '\0' && field[0] != '\0' && read == number, "%s is not %.17g", field, number);
}

static void expect_heading(const char **at, const char *heading)
{
    size_t length = strlen(heading);
    ck_assert_msg(strncmp(*at, heading, length) == 0 && (*at)[length] == '\n', "%.100s", *at);
    *at += length + 1;
}

/* ---- The tables ---- */

static void expect_modules(const recorded *of)
{
    char *text = recorded_write(of, inlay_simulation_write_modules);
    const char *at = text;
    expect_heading(&at, "module,processor,start,end");
    for (inlay_id i = 0; i < inlay_app_modules(of->app); i++) {
        expect_text(&at, inlay_app_module_name(of->app, i), ',');
        expect_count(&at, recorded_processor(of, i), ',');
        expect_number(&at, inlay_simulation_start(of->simulation, i), ',');
        expect_number(&at, inlay_simulation_end(of->simulation, i), '\n');
    }
    ck_assert_str_eq(at, "");
    free(text);
}

static inlay_id processor_of(const recorded *of, inlay_id cluster)
{
    return inlay_mapping_cluster(of->mapping, cluster).processor;
}

static void expect_message(const recorded *of, const inlay_simulated_message *m, const char **at)
{
    expect_text(at, m->from >= 0 ? inlay_app_module_name(of->app, m->from) : "", ',');
    expect_text(at, m->block >= 0 ? inlay_app_block_name(of->app, m->block) : "", ',');
    expect_text(at, inlay_app_module_name(of->app, m->to), ',');
    expect_count(at, processor_of(of, m->sender), ',');
    expect_count(at, processor_of(of, m->receiver), ',');
    expect_count(at, m->memory, ',');
    expect_text(at, m->awaited ? "yes" : "no", ',');
    expect_count(at, m->messages, ',');
    expect_number(at, m->due, ',');
    expect_number(at, m->request, ',');
    expect_number(at, m->begin, ',');
    expect_number(at, m->sent, ',');
    expect_number(at, m->arrival, ',');
    expect_number(at, m->service, '\n');
}

static size_t expect_messages(const recorded *of)
{
    size_t count;
    const inlay_simulated_message *messages = inlay_simulation_messages(of->simulation, &count);
    char *text = recorded_write(of, inlay_simulation_write_messages);
    const char *at = text;
    expect_heading(&at, "from,block,to,sender,receiver,memory,awaited,messages,due,request,begin,sent,arrival,service");
    for (size_t i = 0; i < count; i++) {
        expect_message(of, &messages[i], &at);
    }
    ck_assert_str_eq(at, "");
    free(text);
    return count;
}

START_TEST(tables_say_what_the_simulation_says)
{
    size_t messages = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        recorded of = record_random(seed);
        expect_modules(&of);
        messages += expect_messages(&of);
        recorded_clear(&of);
    }
    ck_assert_uint_gt(messages, 1000);
}
END_TEST

START_TEST(any_name_can_be_read_back)
{
    recorded of =
        record("digraph { graph [time_unit=ms]; \"a,b\" [time=0.000001]; \"say \\\"hi\\\"\" [time=123456789.25, pin=1];"
               " \"two\nlines\" [time=1e-9, pin=2]; d [kind=data, size=1];"
               " \"a,b\" -> \"two\nlines\" [messages=2]; d -> \"say \\\"hi\\\"\"; d -> \"a,b\" [messages=3]; }",
               "bus:4,capacity=3msg/ms", NULL);
    expect_modules(&of);
    ck_assert_uint_eq(expect_messages(&of), 2);
    recorded_clear(&of);
}
END_TEST

/* ---- Refusals ---- */

typedef int writer(const inlay_simulation *simulation, const char *path, inlay_diag *diag);

static writer *const writers[] = {inlay_simulation_write_modules, inlay_simulation_write_messages,
                                  inlay_simulation_write_trace, inlay_simulation_write_paje};

START_TEST(what_was_not_recorded_is_not_written)
{
    recorded of = record_random(1);
    inlay_simulation *bare = NULL;
    const inlay_simulation_options options = {0};
    ck_assert_int_eq(inlay_simulate(of.mapping, &options, &bare, NULL), INLAY_OK);
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        inlay_diag *diag = inlay_diag_new();
        ck_assert_int_eq(writers[i](bare, recorded_path(), diag), INLAY_BAD_ARGUMENT);
        ck_assert_str_eq(inlay_diag_message(diag), "the simulation was not recorded; expected the option `record`");
        ck_assert_int_ne(access(recorded_path(), F_OK), 0);
        inlay_diag_free(diag);
    }
    inlay_simulation_free(bare);
    recorded_clear(&of);
}
END_TEST

START_TEST(a_file_that_cannot_be_written_is_told)
{
    recorded of = record_random(2);
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        inlay_diag *diag = inlay_diag_new();
        ck_assert_int_eq(writers[i](of.simulation, "/nowhere/file", diag), INLAY_SYSTEM);
        ck_assert_str_eq(inlay_diag_message(diag), "/nowhere/file: cannot be written (No such file or directory)");
        inlay_diag_free(diag);
    }
    recorded_clear(&of);
}
END_TEST

START_TEST(traces_of_ages_are_refused)
{
    recorded of = record("digraph { graph [time_unit=s]; a [time=4e15]; }", "bus:2",
                         &(inlay_simulation_options){.compute_scale = 1e3});
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_simulation_write_trace(of.simulation, recorded_path(), diag), INLAY_OVERFLOW);
    ck_assert_str_eq(inlay_diag_message(diag), "a trace of 4e+24 microseconds; expected at most 9e+18");
    ck_assert_int_ne(access(recorded_path(), F_OK), 0);
    inlay_diag_free(diag);
    recorded_clear(&of);
}
END_TEST

Suite *suite_simulate_output(void)
{
    Suite *suite = suite_create("simulate_output");
    TCase *tables = tcase_create("tables");
    tcase_add_test(tables, tables_say_what_the_simulation_says);
    tcase_add_test(tables, any_name_can_be_read_back);
    tcase_add_test(tables, what_was_not_recorded_is_not_written);
    tcase_add_test(tables, a_file_that_cannot_be_written_is_told);
    tcase_add_test(tables, traces_of_ages_are_refused);
    suite_add_tcase(suite, tables);
    return suite;
}
