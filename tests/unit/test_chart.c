/* Charts: ticks against brute force, lines, labels, names that XML could misread, numbers that cannot be drawn. */
#include "base/plain.h"
#include "render/chart_parts.h"
#include "svg_read.h"
#include "unit.h"
#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Numbers and ticks ---- */

static double random_unit(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 9007199254740992.0;
}

START_TEST(numbers_read_back)
{
    static const struct {
        double x;
        int digits;
        const char *text;
    } row[] = {{0, 3, "0"},
               {-0.25, 3, "-0.25"},
               {1234.56, 3, "1230"},
               {0.999999, 3, "1"},
               {99.96, 3, "100"},
               {1e6, 12, "1000000"},
               {1e7, 12, "1e7"},
               {-2.5e-9, 3, "-2.5e-9"},
               {0.00012, 3, "0.00012"},
               {0.6000000000000001, 12, "0.6"},
               {1e100, 1, "1e100"},
               {9.99e99, 2, "1e100"},
               {5, 1, "5"},
               {INFINITY, 3, "-"},
               {NAN, 3, "-"}};
    uint64_t state = 7;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        text_buffer text = {0};
        chart_number(&text, row[i].x, row[i].digits);
        ck_assert_str_eq(text.data, row[i].text);
        text_clear(&text);
    }
    for (int i = 0; i < 20000; i++) {
        text_buffer text = {0};
        char expected[64];
        int digits = 1 + i % 15;
        double x = (random_unit(&state) - 0.5) * pow(10, floor(40 * random_unit(&state)) - 20);
        chart_number(&text, x, digits);
        plain_print(expected, sizeof expected, "%.*e", digits - 1, x);
        ck_assert_double_eq(plain_number(text.data, NULL), plain_number(expected, NULL));
        text_clear(&text);
    }
}
END_TEST

/** The distance of the first two ticks, of which one digit is right. */
static double step_of(const chart_ticks *ticks)
{
    char text[32];
    ck_assert_uint_ge(ticks->count, 2);
    plain_print(text, sizeof text, "%.5e", ticks->value[1] - ticks->value[0]);
    ck_assert_msg(strchr("125", text[0]) && strncmp(text + 1, ".00000", 6) == 0, "step %s", text);
    return plain_number(text, NULL);
}

static bool is_multiple(double x, double step)
{
    return fabs(x / step - round(x / step)) < 1e-6;
}

START_TEST(linear_ticks_are_round_and_enough)
{
    uint64_t state = 11;
    for (int trial = 0; trial < 20000; trial++) {
        double width = pow(10, 30 * random_unit(&state) - 15);
        double from = (random_unit(&state) - 0.5) * width * pow(10, 3 * random_unit(&state));
        int intervals = 6 + trial % 10;
        chart_ticks ticks;
        chart_scale scale = {.from = from, .to = from + width};
        chart_find_ticks(&scale, intervals, &ticks);
        ck_assert_uint_ge(ticks.count, (size_t)(intervals / 2.5 - 1));
        ck_assert_uint_le(ticks.count, (size_t)intervals + 1);
        double step = step_of(&ticks);
        for (size_t i = 0; i < ticks.count; i++) {
            ck_assert(is_multiple(ticks.value[i], step) && ticks.labelled[i]);
            ck_assert(ticks.value[i] >= from - 1e-6 * width && ticks.value[i] <= from + width * (1 + 1e-6));
        }
        ck_assert(ticks.value[0] - step < from);
        ck_assert(ticks.value[ticks.count - 1] + step > from + width);
    }
}
END_TEST

/** Every m x 10^e of the scale, by brute force. */
static void assert_decade_ticks(const chart_scale *scale, const chart_ticks *ticks)
{
    double decades = log10(scale->to / scale->from);
    size_t at = 0;
    size_t labelled = 0;
    for (int e = -105; e <= 105; e++) {
        for (int m = 1; m <= 9; m++) {
            char text[32];
            snprintf(text, sizeof text, "%de%d", m, e);
            double value = plain_number(text, NULL);
            if (value < scale->from || value > scale->to) continue;
            if (decades > 8 && (at == ticks->count || fabs(ticks->value[at] / value - 1) > 1e-12)) continue;
            ck_assert_uint_lt(at, ticks->count);
            ck_assert_double_eq_tol(ticks->value[at] / value, 1, 1e-12);
            bool expected = decades <= 3 ? m == 1 || m == 2 || m == 5 : m == 1;
            ck_assert(ticks->labelled[at] == expected);
            labelled += expected;
            at++;
        }
    }
    ck_assert_uint_eq(at, ticks->count);
    ck_assert_uint_ge(labelled, 2);
    ck_assert_uint_le(labelled, 11);
}

START_TEST(logarithmic_ticks_are_all_there)
{
    uint64_t state = 13;
    for (int trial = 0; trial < 3000; trial++) {
        double decades = trial % 2 ? 1.05 + 7 * random_unit(&state) : 8.1 + 150 * random_unit(&state);
        double from = pow(10, -99 + (198 - decades) * random_unit(&state));
        chart_scale scale = {.from = from, .to = from * pow(10, decades), .logarithmic = true};
        chart_ticks ticks;
        chart_find_ticks(&scale, 8, &ticks);
        assert_decade_ticks(&scale, &ticks);
    }
}
END_TEST

START_TEST(scales_hold_their_data)
{
    uint64_t state = 17;
    for (int trial = 0; trial < 20000; trial++) {
        chart_axis axis = {.logarithmic = trial % 2, .from = NAN, .to = NAN};
        double least = pow(10, 40 * random_unit(&state) - 20);
        double largest = trial % 5 ? least * (1 + pow(10, 12 * random_unit(&state) - 6)) : least;
        if (!axis.logarithmic && trial % 3 == 0) {
            double turned = -least;
            least = -largest;
            largest = turned;
        }
        if (trial % 7 == 0) axis.from = axis.logarithmic ? least / 3 : least - 1;
        chart_scale scale = chart_fit(&axis, (chart_extent){least, largest}, 8);
        chart_ticks ticks;
        chart_find_ticks(&scale, 8, &ticks);
        ck_assert(scale.from <= least && scale.to >= largest && scale.from < scale.to);
        if (trial % 7 == 0) {
            ck_assert_double_eq(scale.from, axis.from);
        } else if (scale.logarithmic && scale.to >= 10 * scale.from) {
            ck_assert_double_eq_tol(ticks.value[0] / scale.from, 1, 1e-9);
            ck_assert_double_eq_tol(ticks.value[ticks.count - 1] / scale.to, 1, 1e-9);
            ck_assert(scale.from > least / 5.5 && scale.to < largest * 5.5);
            ck_assert(scale.from < least / 1.04 && scale.to > largest * 1.04); /* no curve lies on the frame */
        } else if (!scale.logarithmic) {
            double step = step_of(&ticks);
            double margin = (largest - least) / 26;
            ck_assert(scale.from <= least - margin || scale.from == 0);
            ck_assert(scale.to >= largest + margin || scale.to == 0);
            ck_assert(is_multiple(scale.from, step) && is_multiple(scale.to, step));
        }
        scale.end = 100;
        ck_assert_double_eq_tol(chart_place(&scale, scale.to), 100, 1e-9);
        double middle = scale.logarithmic ? sqrt(scale.from) * sqrt(scale.to) : (scale.from + scale.to) / 2;
        ck_assert_double_eq_tol(chart_place(&scale, middle), 50, 1e-6);
    }
}
END_TEST

START_TEST(narrow_and_empty_scales_can_be_drawn)
{
    static const chart_extent extents[] = {{0, 0},   {INFINITY, -INFINITY}, {1e-310, 1e-310},
                                           {-5, -5}, {1e100, 1e100},        {3, 3.0000000001}};
    for (size_t i = 0; i < sizeof extents / sizeof *extents; i++) {
        for (int given = 0; given < 4; given++) {
            chart_axis axis = {.from = given & 1 ? 0 : NAN, .to = given & 2 ? 0 : NAN};
            chart_scale scale = chart_fit(&axis, extents[i], 8);
            chart_ticks ticks;
            chart_find_ticks(&scale, 8, &ticks);
            ck_assert(isfinite(scale.from) && isfinite(scale.to) && scale.from < scale.to);
            ck_assert_uint_ge(ticks.count, 3);
        }
    }
}
END_TEST

/* ---- Charts ---- */

static char *drawn(const chart *of)
{
    inlay_diag *diag = inlay_diag_new();
    int status = chart_write_svg(of, svg_path(), diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return svg_take();
}

static size_t occurrences(const char *text, const char *of)
{
    size_t count = 0;
    for (const char *s = text; (s = strstr(s, of)); s++) {
        count++;
    }
    return count;
}

static const chart_axis plain_axis = {.title = "an axis", .from = NAN, .to = NAN};

/** A chart of one curve. */
static chart chart_of(const chart_curve *curve)
{
    return (chart){.title = "a chart", .x = plain_axis, .y = plain_axis, .curves = curve, .curve_count = 1};
}

START_TEST(lines_have_steps_gaps_and_dashes)
{
    static const chart_point points[] = {{0, 1, CHART_APART},  {1, 3, CHART_SOLID}, {2, 2, CHART_DASHED},
                                         {3, 2, CHART_DASHED}, {4, 5, CHART_APART}, {6, 1, CHART_SOLID}};
    static const size_t corners[2][3] = {{2, 3, 2}, {3, 5, 3}};
    for (int steps = 0; steps < 2; steps++) {
        chart_curve curve = {.points = points, .count = 6, .steps = steps};
        chart of = chart_of(&curve);
        char *svg = drawn(&of);
        svg_place places[8];
        const char *s = svg;
        for (int line = 0; line < 3; line++) {
            s = svg_next(s + 1, "polyline");
            ck_assert_ptr_nonnull(s);
            ck_assert_uint_eq(svg_corners(s, places, 8), corners[steps][line]);
            ck_assert((svg_attribute_text(s, "stroke-dasharray") != NULL) == (line == 1));
            if (steps) {
                ck_assert_double_eq(places[0].y, places[1].y);
                ck_assert_double_eq(places[1].x, places[2].x);
            }
        }
        ck_assert_ptr_null(svg_next(s + 1, "polyline"));
        free(svg);
    }
}
END_TEST

/** Names that XML could misread, and what stands in the picture. */
static const struct {
    const char *name, *text;
} hard[] = {{"say \"hi\" & <b>", "say &quot;hi&quot; &amp; &lt;b&gt;"},
            {"]]><!--", "]]&gt;&lt;!--"},
            {"&lt;", "&amp;lt;"},
            {"back\\slash \\\\", "back\\slash \\\\"},
            {"bad \xFF\xC0\x80 utf", "bad \\xFF\\xC0\\x80 utf"},
            {"tab\tline\n\x01", "tab\\x09line\\x0A\\x01"},
            {"\xC3\xBC\xE2\x88\x91\xF0\x9F\x9A\x80", "\xC3\xBC\xE2\x88\x91\xF0\x9F\x9A\x80"},
            {"\xEF\xBF\xBF\xED\xA0\x80", "\\xEF\\xBF\\xBF\\xED\\xA0\\x80"}};
enum { HARD = sizeof hard / sizeof *hard };

START_TEST(names_survive)
{
    static const chart_point points[] = {{0, 1, CHART_APART}, {1, 3, CHART_SOLID}};
    chart_curve curves[HARD + 1];
    chart_mark marks[HARD];
    char lengthy[4000];
    memset(lengthy, 'W', sizeof lengthy);
    memcpy(lengthy + sizeof lengthy - 5, " end", 5);
    curves[HARD] = (chart_curve){.label = {lengthy, " and words"}, .points = points, .count = 2};
    for (int i = 0; i < HARD; i++) {
        curves[i] = (chart_curve){.label = {hard[i].name, NULL}, .points = points, .count = 2};
        marks[i] = (chart_mark){.x = i / 8.0, .y = 1 + i / 4.0, .curve = (size_t)i, .label = {hard[i].name, "."}};
    }
    chart of = {.title = hard[0].name,
                .x = plain_axis,
                .y = plain_axis,
                .curves = curves,
                .curve_count = HARD + 1,
                .marks = marks,
                .mark_count = HARD};
    of.x.title = hard[4].name;
    char *svg = drawn(&of);
    for (int i = 0; i < HARD; i++) {
        char line[200];
        snprintf(line, sizeof line, ">%s</text>", hard[i].text);
        ck_assert_msg(strstr(svg, line) != NULL, "no %s", line);
        snprintf(line, sizeof line, "<title>%s.</title>", hard[i].text);
        ck_assert_msg(strstr(svg, line) != NULL, "no %s", line);
    }
    ck_assert_ptr_nonnull(strstr(svg, "W\xE2\x80\xA6W"));
    ck_assert_ptr_nonnull(strstr(svg, "WW end and words</text>"));
    free(svg);
}
END_TEST

START_TEST(labels_without_room_become_numbers)
{
    static const chart_point points[] = {{0, 0, CHART_APART}, {1, 1, CHART_SOLID}};
    static const chart_curve curve = {.label = {"curve", NULL}, .points = points, .count = 2};
    chart_mark marks[40];
    chart of = chart_of(&curve);
    for (int i = 0; i < 40; i++) {
        double at = (i * 10 % 40 + i / 4) / 40.0; /* the first four are far from each other */
        marks[i] = (chart_mark){at, at, 0, {"here", " is a point of some weight"}};
    }
    of.marks = marks;
    for (of.mark_count = 4; of.mark_count <= 40; of.mark_count += 36) {
        char *svg = drawn(&of);
        bool few = of.mark_count == 4;
        ck_assert_uint_eq(occurrences(svg, " rx=\"3\""), of.mark_count);
        ck_assert_uint_eq(occurrences(svg, ">here is a point of some weight</text>"), few ? 4 : 0);
        ck_assert_uint_eq(occurrences(svg, ": here is a point of some weight</text>"), few ? 0 : 40);
        free(svg);
    }
}
END_TEST

START_TEST(what_cannot_be_drawn_is_refused)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY, 2e100, -2e100, 0};
    for (size_t i = 0; i < 6; i++) {
        for (int where = 0; where < 8; where++) {
            chart_point points[] = {{1, 1, CHART_APART}, {2, 2, CHART_SOLID}};
            chart_span band[] = {{1, 1, 1}, {2, 2, 2}};
            chart_range range = {1, 2, CHART_SHADED, NULL};
            chart_mark mark = {1, 1, 0, {NULL, NULL}};
            double *const place[] = {&points[1].x,  &points[0].y, &band[1].x, &band[0].low,
                                     &band[1].high, &range.to,    &mark.x,    &mark.y};
            chart_curve curve = {.points = points, .count = 2, .band = band, .band_count = 2};
            chart of = chart_of(&curve);
            of.x.logarithmic = of.y.logarithmic = bad[i] == 0;
            of.ranges = &range;
            of.marks = &mark;
            of.range_count = of.mark_count = 1;
            free(drawn(&of));
            *place[where] = bad[i];
            inlay_diag *diag = inlay_diag_new();
            ck_assert_int_eq(chart_write_svg(&of, svg_path(), diag), INLAY_BAD_ARGUMENT);
            ck_assert_ptr_nonnull(strstr(inlay_diag_message(diag), "; expected a finite number from "));
            ck_assert_int_ne(access(svg_path(), F_OK), 0);
            inlay_diag_free(diag);
        }
    }
    chart_curve many[CHART_CURVES + 1] = {0};
    chart of = {.x = plain_axis, .y = plain_axis, .curves = many, .curve_count = CHART_CURVES + 1};
    ck_assert_int_eq(chart_write_svg(&of, svg_path(), NULL), INLAY_BAD_ARGUMENT);
    of.curve_count--;
    free(drawn(&of));
    ck_assert_int_eq(chart_write_svg(&of, "/nowhere/x.svg", NULL), INLAY_SYSTEM);
}
END_TEST

Suite *suite_chart(void)
{
    Suite *suite = suite_create("chart");
    TCase *axes = tcase_create("axes");
    TCase *charts = tcase_create("charts");
    tcase_add_test(axes, numbers_read_back);
    tcase_add_test(axes, linear_ticks_are_round_and_enough);
    tcase_add_test(axes, logarithmic_ticks_are_all_there);
    tcase_add_test(axes, scales_hold_their_data);
    tcase_add_test(axes, narrow_and_empty_scales_can_be_drawn);
    tcase_add_test(charts, lines_have_steps_gaps_and_dashes);
    tcase_add_test(charts, names_survive);
    tcase_add_test(charts, labels_without_room_become_numbers);
    tcase_add_test(charts, what_cannot_be_drawn_is_refused);
    suite_add_tcase(suite, axes);
    suite_add_tcase(suite, charts);
    return suite;
}
