/*
 * Runs beside their predictions: the picture read back, and what `inlay compare --measured --json` tells worked out once
 * more from the files that it read.
 */
#include "base/plain.h"
#include "json_schema.h"
#include "random_app.h"
#include "svg_read.h"
#include "unit.h"
#include <inlay/measured.h>
#include <inlay/render.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ROWS = 12, MOST_RUNS = 6, MOST_MACHINES = 42, CORNERS = 8, LINE = 4096 };

/* ---- The picture ---- */

static const double first_runs[] = {0.02, 0.021, 0.5}, second_runs[] = {3.25}, third_runs[] = {0.004, 0.00399};
static const inlay_measured_machine machines[] = {
    {"host", "off"}, {"bus:4,a < b & \"c\",capacity=12345678901234567890B/s,latency=61.3us", NULL}, {"", "\x01\xff"}};
static const inlay_measured drawn[] = {{"first", 0, 0.019, first_runs, 3},
                                       {"<second> & \x1b[2J", 1, 3.9, second_runs, 1},
                                       {NULL, 2, 0.0041, third_runs, 2},
                                       {"first again", 0, 0.3, second_runs, 1}};
enum { DRAWN = sizeof drawn / sizeof *drawn };
static const inlay_measured_picture picture = {"A title & more", "simulated elapsed time", "s", machines, 3};

static int draw(const inlay_measured *rows, size_t count, const inlay_measured_picture *of, inlay_diag *diag)
{
    return inlay_measured_draw_svg(rows, count, of, svg_path(), diag);
}

static char *drawn_svg(const inlay_measured *rows, size_t count, const inlay_measured_picture *of)
{
    inlay_diag *diag = inlay_diag_new();
    int status = draw(rows, count, of, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return svg_take();
}

/* An axis as its numbers tell: pixels of 1 and of a decade. */
typedef struct axis {
    double one, decade;
} axis;

/* Two numbers at most tell where all others stand; the rest are held against them. */
static axis read_axis(const char *svg, const char *anchor, const char *place, double shift)
{
    double values[64], places[64];
    size_t count = 0;
    for (const char *s = svg; (s = svg_next(s + 1, "text"));) {
        char *end;
        const char *content = strchr(s, '>') + 1;
        double value = plain_number(content, &end);
        if (end == content || *end != '<' || *svg_attribute_text(s, "text-anchor") != *anchor) continue;
        values[count] = log10(value);
        places[count++] = svg_attribute_number(s, place) + shift;
    }
    ck_assert_uint_ge(count, 2);
    double decade = (places[count - 1] - places[0]) / (values[count - 1] - values[0]);
    axis found = {places[0] - values[0] * decade, decade};
    for (size_t i = 0; i < count; i++)
        ck_assert_double_eq_tol(places[i], found.one + values[i] * decade, 0.02);
    return found;
}

/* Numbers of the y axis stand 0.35 of their size below their ticks. */
static axis x_axis(const char *svg)
{
    return read_axis(svg, "middle", "x", 0);
}

static axis y_axis(const char *svg)
{
    return read_axis(svg, "end", "y", -0.35 * 13);
}

static double value_at(axis of, double place)
{
    return pow(10, (place - of.one) / of.decade);
}

/* The middle of the box around a marker: within half a pixel of its place, whatever its shape. */
static svg_place middle_of(const char *marker)
{
    svg_place corner[CORNERS], least = {1e9, 1e9}, most = {-1e9, -1e9};
    size_t count = svg_corners(marker, corner, CORNERS);
    for (size_t i = 0; i < count; i++) {
        least = (svg_place){fmin(least.x, corner[i].x), fmin(least.y, corner[i].y)};
        most = (svg_place){fmax(most.x, corner[i].x), fmax(most.y, corner[i].y)};
    }
    return (svg_place){(least.x + most.x) / 2, (least.y + most.y) / 2};
}

/* The next marker behind `s`: a polygon with a white filling. */
static const char *next_marker(const char *s)
{
    do {
        s = svg_next(s + 1, "polygon");
    } while (s != NULL && strncmp(svg_attribute_text(s, "fill"), "#FFFFFF", 7) != 0);
    return s;
}

START_TEST(dots_stand_at_their_times)
{
    char *svg = drawn_svg(drawn, DRAWN, &picture);
    axis x = x_axis(svg), y = y_axis(svg);
    ck_assert_double_eq_tol(x.decade, -y.decade, 0.05); /* one scale */
    const char *s = svg;
    for (size_t i = 0; i < DRAWN; i++) {
        for (size_t r = 0; r < drawn[i].run_count; r++) {
            s = next_marker(s);
            ck_assert_ptr_nonnull(s);
            svg_place at = middle_of(s);
            ck_assert_double_eq_tol(at.x, x.one + log10(drawn[i].runs[r]) * x.decade, 0.6);
            ck_assert_double_eq_tol(at.y, y.one + log10(drawn[i].predicted) * y.decade, 0.6);
        }
    }
    size_t in_legend = 0;
    while ((s = next_marker(s)) != NULL)
        in_legend++;
    ck_assert_uint_eq(in_legend, 3);
    free(svg);
}
END_TEST

/* Lines that are no part of the grid or the axes lead along predicted / measured = 1, 1.1 and 0.9, from edge to edge. */
START_TEST(guides_are_the_diagonal_and_ten_percent)
{
    char *svg = drawn_svg(drawn, DRAWN, &picture);
    axis x = x_axis(svg), y = y_axis(svg);
    int seen[3] = {0};
    static const double ratios[] = {1, 1.1, 0.9};
    for (const char *s = svg; (s = svg_next(s + 1, "line"));) {
        double x1 = svg_attribute_number(s, "x1"), x2 = svg_attribute_number(s, "x2");
        double y1 = svg_attribute_number(s, "y1"), y2 = svg_attribute_number(s, "y2");
        if (fabs(x1 - x2) < 1 || fabs(y1 - y2) < 1) continue;
        ck_assert_double_gt(hypot(x2 - x1, y2 - y1), 700);
        for (int i = 0; i < 3; i++) {
            bool begins = fabs(value_at(y, y1) / value_at(x, x1) - ratios[i]) < 0.005;
            bool ends = fabs(value_at(y, y2) / value_at(x, x2) - ratios[i]) < 0.005;
            seen[i] += begins && ends;
        }
    }
    for (int i = 0; i < 3; i++)
        ck_assert_msg(seen[i] == 1, "%d lines at %g", seen[i], ratios[i]);
    free(svg);
}
END_TEST

START_TEST(texts_stand_where_they_are_looked_for)
{
    static const char *const texts[] = {"<title>A title &amp; more</title>",
                                        ">A title &amp; more</text>",
                                        "<title>first</title>",
                                        "<title>&lt;second&gt; &amp; \\x1B[2J</title>",
                                        ">host</text>",
                                        ">off</text>",
                                        ">bus:4,a &lt; b &amp; &quot;c&quot;,</text>",
                                        ">latency=61.3us</text>",
                                        ">\\x01\\xFF</text>",
                                        ">simulated elapsed time, in s; logarithmic</text>",
                                        ">measured elapsed time, in s; logarithmic</text>"};
    char *svg = drawn_svg(drawn, DRAWN, &picture);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        ck_assert_msg(strstr(svg, texts[i]) != NULL, "there is no %s", texts[i]);
    free(svg);
}
END_TEST

/* What makes a marker: its colour, and its corners from its middle on. */
static void look_of(const char *marker, char look[LINE])
{
    svg_place corner[CORNERS], middle = middle_of(marker);
    size_t count = svg_corners(marker, corner, CORNERS);
    int at = snprintf(look, LINE, "%.7s", svg_attribute_text(marker, "stroke"));
    for (size_t i = 0; i < count; i++)
        at += plain_print(look + at, LINE - (size_t)at, " %.0f,%.0f", round(corner[i].x - middle.x) + 0.0,
                          round(corner[i].y - middle.y) + 0.0); /* no -0 */
}

START_TEST(machines_are_told_apart)
{
    static char looks[MOST_MACHINES][LINE];
    static inlay_measured rows[MOST_MACHINES];
    static inlay_measured_machine many[MOST_MACHINES];
    static double times[MOST_MACHINES];
    for (size_t i = 0; i < MOST_MACHINES; i++) {
        times[i] = (double)(i + 1);
        rows[i] = (inlay_measured){"app", i, times[i], &times[i], 1};
        many[i] = (inlay_measured_machine){"m", NULL};
    }
    char *svg = drawn_svg(rows, MOST_MACHINES, &(inlay_measured_picture){"t", "p", "s", many, MOST_MACHINES});
    const char *s = svg;
    for (size_t i = 0; i < MOST_MACHINES; i++) {
        s = next_marker(s);
        look_of(s, looks[i]);
        for (size_t j = 0; j < i; j++)
            ck_assert_str_ne(looks[i], looks[j]);
    }
    for (size_t i = 0; i < MOST_MACHINES; i++) {
        char look[LINE];
        s = next_marker(s);
        ck_assert_ptr_nonnull(s);
        look_of(s, look);
        ck_assert_str_eq(look, looks[i]);
    }
    free(svg);
}
END_TEST

static const double bad_times[] = {0, -1, NAN, INFINITY, 1e-200, 1e200};

START_TEST(refuses_bad_times)
{
    static const double good[] = {1, 2};
    double with_bad[] = {1, bad_times[_i]};
    const inlay_measured rows[2][1] = {{{"a", 0, bad_times[_i], good, 2}}, {{"a", 0, 1, with_bad, 2}}};
    for (int i = 0; i < 2; i++) {
        inlay_diag *diag = inlay_diag_new();
        ck_assert_int_eq(draw(rows[i], 1, &picture, diag), INLAY_BAD_ARGUMENT);
        ck_assert_ptr_nonnull(strstr(inlay_diag_message(diag), "row 0 has the time "));
        ck_assert_int_ne(access(svg_path(), F_OK), 0);
        inlay_diag_free(diag);
    }
}
END_TEST

static void expect_refusal(const inlay_measured *rows, size_t count, const inlay_measured_picture *of, const char *why)
{
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(draw(rows, count, of, diag), INLAY_BAD_ARGUMENT);
    ck_assert_str_eq(inlay_diag_message(diag), why);
    ck_assert_int_ne(access(svg_path(), F_OK), 0);
    inlay_diag_free(diag);
}

START_TEST(refuses_bad_arguments)
{
    static const char nothing[] = "a picture needs rows, machines and a path";
    static inlay_measured_machine many[MOST_MACHINES + 1];
    const inlay_measured no_runs = {"a", 0, 1, first_runs, 0}, nowhere = {"a", 3, 1, first_runs, 1};
    expect_refusal(NULL, 1, &picture, nothing);
    expect_refusal(drawn, 0, &picture, nothing);
    expect_refusal(drawn, 1, NULL, nothing);
    expect_refusal(&no_runs, 1, &picture, "row 0 has 0 runs on machine 0; expected 1 or more, and a machine below 3");
    expect_refusal(&nowhere, 1, &picture, "row 0 has 1 runs on machine 3; expected 1 or more, and a machine below 3");
    expect_refusal(drawn, 1, &(inlay_measured_picture){"t", "p", "s", many, MOST_MACHINES + 1},
                   "43 machines in one picture; expected at most 42, which can be told apart");
}
END_TEST

/* ---- The figures ---- */

static char folder[64];

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/inlay-unit-measured-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void remove_folder(void)
{
    char path[LINE];
    for (int i = 0; i < MOST_ROWS; i++) {
        snprintf(path, sizeof path, "%s/%d.json", folder, i);
        unlink(path);
    }
    rmdir(folder);
}

static void write_row(int number, const json_t *row)
{
    char path[LINE];
    snprintf(path, sizeof path, "%s/%d.json", folder, number);
    ck_assert_int_eq(json_dump_file(row, path, 0), 0);
}

/* The standard output of `inlay compare --measured --json` of the files with these numbers. */
static json_t *compare_of(int from, int count)
{
    char command[LINE];
    json_error_t error;
    const char *program = getenv("INLAY");
    int at =
        snprintf(command, sizeof command, "'%s' compare --measured --json", program != NULL ? program : "build/inlay");
    for (int i = from; i < from + count; i++)
        at += snprintf(command + at, sizeof command - (size_t)at, " %s/%d.json", folder, i);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    json_t *value = json_loadf(pipe, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(value != NULL, "%s: line %d: %s", command, error.line, error.text);
    ck_assert_int_eq(pclose(pipe), 0);
    return value;
}

static double member(const json_t *object, const char *one, const char *two)
{
    const json_t *value = json_object_get(object, one);
    value = two != NULL ? json_object_get(value, two) : value;
    ck_assert_msg(json_is_number(value), "%s.%s is no number", one, two != NULL ? two : "");
    return json_number_value(value);
}

/* The value with as many below it as above it, found by counting; of an even number the lower or the upper such. */
static double middle(const double *values, int count, bool upper)
{
    int wanted = upper ? count / 2 : (count - 1) / 2;
    for (int i = 0; i < count; i++) {
        int less = 0, equal = 0;
        for (int j = 0; j < count; j++) {
            less += values[j] < values[i];
            equal += values[j] == values[i];
        }
        if (less <= wanted && wanted < less + equal) return values[i];
    }
    ck_abort_msg("no middle");
    return 0;
}

typedef struct random_row {
    double predicted[2], runs[MOST_RUNS];
    int run_count, machine;
} random_row;

static const char *const predictions[] = {"estimate", "simulated"};

/* Times in halves, so that some are equal, and errors that lie on the levels. */
static random_row random_result(uint64_t *state, int number)
{
    random_row row = {.run_count = 1 + (int)random_below(state, MOST_RUNS), .machine = (int)random_below(state, 3)};
    char machine[20];
    json_t *runs = json_array();
    for (int i = 0; i < row.run_count; i++) {
        row.runs[i] = 20 + (double)random_below(state, 8) / 2;
        json_array_append_new(runs, json_real(row.runs[i]));
    }
    for (int p = 0; p < 2; p++)
        row.predicted[p] = 20 + (double)random_below(state, 12);
    snprintf(machine, sizeof machine, "bus:%d", row.machine + 2);
    json_t *file = json_pack("{s:s, s:s, s:s, s:s, s:f, s:f, s:{s:o}}", "command", "run", "application", "app",
                             "machine", machine, "time_unit", "ms", "estimate", row.predicted[0], "simulated",
                             row.predicted[1], "measured", "runs", runs);
    write_row(number, file);
    json_decref(file);
    return row;
}

static double error_of(const random_row *row, int prediction)
{
    double median = middle(row->runs, row->run_count, false);
    return (row->predicted[prediction] - median) / median;
}

/* In whole halves, without rounding. */
static bool is_within(const random_row *row, int prediction, int percent)
{
    int64_t median = (int64_t)(2 * middle(row->runs, row->run_count, false));
    int64_t predicted = (int64_t)(2 * row->predicted[prediction]);
    int64_t off = predicted > median ? predicted - median : median - predicted;
    return 100 * off <= percent * median;
}

static void assert_row(const json_t *found, const random_row *row)
{
    double least = INFINITY, most = 0, median = middle(row->runs, row->run_count, false);
    for (int i = 0; i < row->run_count; i++) {
        least = fmin(least, row->runs[i]);
        most = fmax(most, row->runs[i]);
    }
    const json_t *spread = json_object_get(json_object_get(found, "measured"), "spread");
    ck_assert_double_eq(member(found, "measured", "median"), median);
    ck_assert_double_eq(member(found, "measured", "least"), least);
    ck_assert_double_eq(member(found, "measured", "most"), most);
    if (row->run_count == 1)
        ck_assert(json_is_null(spread));
    else
        ck_assert_double_eq_tol(json_number_value(spread), (most - least) / median, 1e-15);
    for (int p = 0; p < 2; p++)
        ck_assert_double_eq_tol(member(found, "error", predictions[p]), error_of(row, p), 1e-15);
}

/* The sum over rows of a machine, or of all where it is below 0. */
static void assert_sum(const json_t *found, const random_row *rows, int count, int machine)
{
    for (int p = 0; p < 2; p++) {
        double sizes[MOST_ROWS], worst = 0;
        int taken = 0;
        for (int i = 0; i < count; i++) {
            if (machine >= 0 && rows[i].machine != machine) continue;
            sizes[taken] = fabs(error_of(&rows[i], p));
            worst = fmax(worst, sizes[taken++]);
        }
        const json_t *errors = json_object_get(found, predictions[p]), *within = json_object_get(errors, "within");
        ck_assert_double_eq(member(found, "rows", NULL), taken);
        ck_assert_double_eq_tol(member(errors, "median", NULL),
                                (middle(sizes, taken, false) + middle(sizes, taken, true)) / 2, 1e-15);
        ck_assert_double_eq_tol(member(errors, "worst", NULL), worst, 1e-15);
        static const double levels[] = {0.05, 0.1, 0.15, 0.3};
        static const int percents[] = {5, 10, 15, 30};
        ck_assert_uint_eq(json_array_size(within), 4);
        for (int l = 0; l < 4; l++) {
            int near = 0;
            for (int i = 0; i < count; i++)
                near += (machine < 0 || rows[i].machine == machine) && is_within(&rows[i], p, percents[l]);
            ck_assert_double_eq(member(json_array_get(within, (size_t)l), "error", NULL), levels[l]);
            ck_assert_double_eq(member(json_array_get(within, (size_t)l), "rows", NULL), near);
        }
    }
}

START_TEST(figures_are_those_of_the_files)
{
    for (uint64_t seed = 1; seed <= 25; seed++) {
        uint64_t state = seed;
        int count = 1 + (int)random_below(&state, MOST_ROWS), seen = 0;
        random_row rows[MOST_ROWS];
        for (int i = 0; i < count; i++)
            rows[i] = random_result(&state, i);
        json_t *found = compare_of(0, count);
        const json_t *sums = json_object_get(found, "machines");
        ck_assert_int_eq((int)json_array_size(json_object_get(found, "rows")), count);
        for (int i = 0; i < count; i++)
            assert_row(json_array_get(json_object_get(found, "rows"), (size_t)i), &rows[i]);
        for (int i = 0; i < count; i++) {
            bool first = true;
            for (int j = 0; j < i; j++)
                first = first && rows[j].machine != rows[i].machine;
            if (first) assert_sum(json_array_get(sums, (size_t)seen++), rows, count, rows[i].machine);
        }
        ck_assert_int_eq((int)json_array_size(sums), seen);
        assert_sum(json_object_get(found, "all"), rows, count, -1);
        json_decref(found);
    }
}
END_TEST

/* ---- The schema ---- */

/* One row of each unit, with and without what a file need not tell. */
static json_t *unlike_rows(void)
{
    static const char *const units[] = {"s", "ms", "us", "ns", "tick"};
    for (int i = 0; i < 5; i++) {
        json_t *row = json_pack("{s:s, s:s, s:s, s:s, s:i, s:f, s:{s:[i, f]}, s:s}", "command", "run", "application",
                                "a", "machine", "bus:2", "time_unit", units[i], "estimate", 1, "simulated", 1.5,
                                "measured", "runs", 2, 1.25, "more", "whatever");
        if (i == 0) {
            json_object_set_new(row, "time_frame", json_integer(3));
            json_object_set_new(row, "cores", json_integer(2));
            json_object_set_new(row, "ranks", json_pack("[n, n]"));
        }
        if (i > 0) json_object_set_new(row, "work", json_string(inlay_run_work_name((inlay_run_work)i)));
        if (i == 1) json_object_set_new(row, "measured", json_pack("{s:[i]}", "runs", 2));
        write_row(i, row);
        json_decref(row);
    }
    return compare_of(0, 5);
}

START_TEST(output_shows_all_of_its_schema)
{
    char why[SCHEMA_WHY];
    json_t *schema = schema_load("measured"), *expected = schema_facts(schema), *facts = json_object();
    json_t *value = unlike_rows();
    ck_assert_msg(schema_accepts(schema, value, facts, why), "%s", why);
    schema_expect_facts(expected, facts, "inlay compare --measured --json");
    schema_refuse_damages(schema, value, 80);
    json_decref(value);
    json_decref(facts);
    json_decref(expected);
    json_decref(schema);
}
END_TEST

Suite *suite_measured_svg(void)
{
    Suite *suite = suite_create("measured");
    TCase *tests = tcase_create("picture");
    tcase_add_test(tests, dots_stand_at_their_times);
    tcase_add_test(tests, guides_are_the_diagonal_and_ten_percent);
    tcase_add_test(tests, texts_stand_where_they_are_looked_for);
    tcase_add_test(tests, machines_are_told_apart);
    tcase_add_loop_test(tests, refuses_bad_times, 0, sizeof bad_times / sizeof *bad_times);
    tcase_add_test(tests, refuses_bad_arguments);
    suite_add_tcase(suite, tests);
    TCase *figures = tcase_create("figures");
    tcase_add_checked_fixture(figures, make_folder, remove_folder);
    tcase_add_test(figures, figures_are_those_of_the_files);
    tcase_add_test(figures, output_shows_all_of_its_schema);
    suite_add_tcase(suite, figures);
    return suite;
}
