/* The picture of delay functions against the functions themselves, read back from its own ticks. */
#include "svg_read.h"
#include "base/plain.h"
#include "unit.h"
#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MACHINES = 5 };

/** The paper's five, comparable, and how y is told from a picture of them. */
static const char *const five[MACHINES] = {
    "bus:17,memory=common,capacity=1msg/ms", "bus:17,memory=distributed,capacity=500msg/s",
    "multibus:16,memories=8,buses=4,capacity=2msg/ms", "omega:16,switch=2,packets=2,transit=100us,cycle=50us",
    "omega-pe:16,switch=4,packets=2,cycle=400us"};

/** Machines with their delay functions, and the picture of them. */
typedef struct compared {
    inlay_machine *machine[MACHINES];
    inlay_delay *delay[MACHINES];
    size_t count;
    char *svg;
} compared;

static compared compare(const char *const *texts, size_t count, const inlay_delay_picture *picture)
{
    compared of = {.count = count};
    inlay_diag *diag = inlay_diag_new();
    for (size_t i = 0; i < count; i++) {
        int status = inlay_machine_parse(texts[i], &of.machine[i], diag);
        ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
        ck_assert_int_eq(inlay_delay_new(of.machine[i], &of.delay[i], diag), INLAY_OK);
    }
    int status = inlay_delay_draw_svg((const inlay_delay *const *)of.delay, count, picture, svg_path(), diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    of.svg = svg_take();
    return of;
}

static void compared_clear(compared *of)
{
    for (size_t i = 0; i < of->count; i++) {
        inlay_delay_free(of->delay[i]);
        inlay_machine_free(of->machine[i]);
    }
    free(of->svg);
}

/** What a reader with a ruler knows: pixels of values, from two numbers at the ticks of each axis. */
typedef struct ruler {
    double x0, x1;        /**< pixels of load 0 and 1 */
    double low, high;     /**< values of the lowest and highest numbers at the y axis */
    double low_y, high_y; /**< and their pixels */
    bool logarithmic;
} ruler;

static ruler read_ruler(const char *svg)
{
    ruler of = {.low = INFINITY, .high = -INFINITY, .logarithmic = strstr(svg, "; logarithmic</text>") != NULL};
    for (const char *s = svg; (s = svg_next(s + 1, "text"));) {
        const char *content = strchr(s, '>') + 1;
        char *end;
        double value = plain_number(content, &end);
        if (end == content || *end != '<' || svg_attribute_number(s, "font-size") != 13) continue;
        if (*svg_attribute_text(s, "text-anchor") == 'm') {
            if (value == 0) of.x0 = svg_attribute_number(s, "x");
            if (value == 1) of.x1 = svg_attribute_number(s, "x");
            continue;
        }
        double y = svg_attribute_number(s, "y") - 13 * 0.35;
        if (value < of.low) {
            of.low = value;
            of.low_y = y;
        }
        if (value > of.high) {
            of.high = value;
            of.high_y = y;
        }
    }
    ck_assert(of.x1 > of.x0 && of.high > of.low && of.low_y > of.high_y);
    return of;
}

static double ruler_x(const ruler *with, double load)
{
    return with->x0 + load * (with->x1 - with->x0);
}

static double ruler_y(const ruler *with, double value)
{
    double share = with->logarithmic ? log(value / with->low) / log(with->high / with->low)
                                     : (value - with->low) / (with->high - with->low);
    return with->low_y + share * (with->high_y - with->low_y);
}

static inlay_delay_point point_at(const inlay_delay *delay, double load)
{
    inlay_delay_point point;
    ck_assert_int_eq(inlay_delay_at_utilisation(delay, load * inlay_delay_u_limit(delay), &point, NULL), INLAY_OK);
    return point;
}

/** tau in the picture's unit. */
static double tau_in(const inlay_delay *delay, double load, double unit_seconds)
{
    double own = inlay_unit_seconds(inlay_delay_unit(delay));
    return point_at(delay, load).tau * (own > 0 ? own / unit_seconds : 1);
}

static double distance(svg_place from, svg_place end, svg_place place)
{
    double dx = end.x - from.x;
    double dy = end.y - from.y;
    double along = ((place.x - from.x) * dx + (place.y - from.y) * dy) / (dx * dx + dy * dy);
    along = fmin(fmax(along, 0), 1);
    return hypot(place.x - from.x - along * dx, place.y - from.y - along * dy);
}

/** At many loads up to `end` the true place of tau lies on the drawn line, up to half a pixel. */
static void assert_line_is_function(const compared *of, const ruler *with, size_t machine, const char *line,
                                    double unit_seconds, double end)
{
    svg_place corner[100];
    size_t count = svg_corners(line, corner, 100);
    for (int i = 0; i <= 500; i++) {
        double load = 1 - pow(1 - end, i / 500.0);
        double tau = tau_in(of->delay[machine], load, unit_seconds);
        svg_place place = {ruler_x(with, load), ruler_y(with, tau)};
        double least = INFINITY;
        for (size_t c = 1; c < count; c++) {
            least = fmin(least, distance(corner[c - 1], corner[c], place));
        }
        ck_assert_msg(least < 0.5, "machine %zu, load %g: %g pixels beside", machine, load, least);
    }
    for (size_t c = 1; c < count; c++) {
        ck_assert(corner[c].x >= corner[c - 1].x && corner[c].y <= corner[c - 1].y);
    }
}

START_TEST(curves_are_the_functions)
{
    compared of = compare(five, MACHINES, NULL);
    ruler with = read_ruler(of.svg);
    const char *line = of.svg;
    ck_assert_ptr_nonnull(strstr(of.svg, ">tau, in us a message; logarithmic</text>"));
    for (size_t i = 0; i < MACHINES; i++) {
        line = svg_next(line + 1, "polyline");
        ck_assert_ptr_nonnull(line);
        assert_line_is_function(&of, &with, i, line, 1e-6, 0.995);
    }
    ck_assert_ptr_null(svg_next(line + 1, "polyline"));
    compared_clear(&of);

    of = compare(five, 1, NULL); /* the bus alone: at most 17 times idle, so linear from 0 */
    with = read_ruler(of.svg);
    ck_assert(!with.logarithmic && with.low == 0);
    ck_assert_ptr_nonnull(strstr(of.svg, ">tau, in ms a message</text>"));
    assert_line_is_function(&of, &with, 0, svg_next(of.svg, "polyline"), 1e-3, 0.995);
    compared_clear(&of);
}
END_TEST

/** The edges of a band lie where D, or in model 5 what it adds to the idle network, is corrected by the known error. */
static void assert_band(const compared *of, const ruler *with, size_t machine, const char *band, double known_to)
{
    svg_place corner[200];
    size_t count = svg_corners(band, corner, 200);
    const inlay_delay *delay = of->delay[machine];
    double constant = machine == 4 ? tau_in(delay, 0, 1e-6) : 0;
    ck_assert_double_eq_tol(corner[count / 2].x, ruler_x(with, known_to), 0.5);
    for (size_t c = 0; c < count / 2; c++) {
        double load = fmax((corner[c].x - with->x0) / (with->x1 - with->x0), 0);
        inlay_known_error error;
        ck_assert_int_eq(inlay_delay_known_error(delay, point_at(delay, load * 0.9999).rho, &error), INLAY_OK);
        ck_assert(error.known);
        double part = tau_in(delay, load, 1e-6) - constant;
        double low = ruler_y(with, constant + part / (1 + error.delay + error.within));
        double high = ruler_y(with, constant + part / (1 + error.delay - error.within));
        double tolerance = 0.3 + 0.02 / (1 - load); /* steep curves magnify what rounding does to x */
        ck_assert_double_eq_tol(corner[c].y, low, tolerance);
        ck_assert_double_eq_tol(corner[count - 1 - c].y, high, tolerance);
    }
}

START_TEST(bands_show_the_known_error)
{
    static const double known_to[MACHINES] = {0, 0, 0.995, 0.7, 0.7};
    compared of = compare(five, MACHINES, NULL);
    ruler with = read_ruler(of.svg);
    const char *band = of.svg;
    for (size_t i = 2; i < MACHINES; i++) { /* the bus is exact */
        band = svg_next(band + 1, "polygon");
        ck_assert_ptr_nonnull(svg_attribute_text(band, "fill-opacity"));
        assert_band(&of, &with, i, band, known_to[i]);
    }
    band = svg_next(band + 1, "polygon");
    ck_assert_ptr_null(svg_attribute_text(band, "fill-opacity"));
    ck_assert_ptr_nonnull(strstr(of.svg, "model 2: single bus, distributed memory; exact for random lengths)</text>"));
    ck_assert_ptr_nonnull(strstr(of.svg, "error known up to load 0.7)</text>"));
    compared_clear(&of);
}
END_TEST

START_TEST(units_that_do_not_compare_are_left_out)
{
    static const char *const mixed[] = {"bus:4,capacity=1msg/tick", "bus:8,capacity=10MB/s", "bus:8,capacity=10msg/s",
                                        "bus:9,capacity=1GB/s"};
    for (size_t first = 0; first < 4; first++) {
        compared of = compare(mixed + first, first == 0 ? 4 : 4 - first, NULL);
        bool relative = first < 3;
        ck_assert((strstr(of.svg, ">tau over its value on the idle network") != NULL) == relative);
        ck_assert((strstr(of.svg, ">tau, in ns a byte</text>") != NULL) == !relative);
        ruler with = read_ruler(of.svg);
        svg_place corner[100];
        for (const char *s = of.svg; relative && (s = svg_next(s + 1, "polyline"));) {
            if (svg_attribute_text(s, "stroke-dasharray")) continue; /* the end of a curve, not its beginning */
            svg_corners(s, corner, 100);
            ck_assert_double_eq_tol(corner[0].y, ruler_y(&with, 1), 0.02);
        }
        compared_clear(&of);
    }
}
END_TEST

START_TEST(marks_stand_on_their_curves)
{
    compared bare = compare(five, MACHINES, NULL);
    inlay_delay_mark marks[] = {{2, point_at(bare.delay[2], 0.8), "noon"},
                                {0, point_at(bare.delay[0], 0.94), NULL},
                                {4, point_at(bare.delay[4], 0.9999), "<night>"}};
    compared of = compare(five, MACHINES, &(inlay_delay_picture){marks, 3});
    compared again = compare(five, MACHINES, &(inlay_delay_picture){marks, 3});
    ck_assert_str_eq(of.svg, again.svg);
    ruler with = read_ruler(of.svg);
    const char *s = of.svg;
    for (int i = 0; i < 3; i++) {
        s = svg_next(s + 1, "circle");
        ck_assert_double_eq_tol(svg_attribute_number(s, "cx"), ruler_x(&with, marks[i].point.load), 0.02);
        double tau = tau_in(of.delay[marks[i].machine], marks[i].point.load, 1e-6);
        ck_assert_double_eq_tol(svg_attribute_number(s, "cy"), ruler_y(&with, tau), 0.1);
    }
    const char *line = of.svg;
    for (int i = 0; i < MACHINES; i++) {
        line = svg_next(line + 1, "polyline");
    }
    assert_line_is_function(&of, &with, 4, line, 1e-6, 0.9999); /* a curve goes as far as its last mark */
    ck_assert_ptr_nonnull(strstr(of.svg, ">u 0.94, tau 5160 us a message</text>"));
    ck_assert_ptr_nonnull(strstr(of.svg, ">&lt;night&gt;: u 0.9999, tau "));
    char words[80];
    plain_print(words, sizeof words, ">noon: u %.3g, load 0.8, tau %.0f us a message</text>", marks[0].point.u,
                10 * round(marks[0].point.tau * 100)); /* three digits of four */
    ck_assert_msg(strstr(of.svg, words) != NULL, "no %s", words);
    compared_clear(&again);
    compared_clear(&of);
    compared_clear(&bare);
}
END_TEST

START_TEST(validity_is_shaded)
{
    static const char *const small[] = {"bus:2,memory=distributed,capacity=1msg/s"};
    compared of = compare(small, 1, NULL);
    ruler with = read_ruler(of.svg);
    const char *shaded = svg_next(svg_next(of.svg, "rect") + 1, "rect");
    const char *hatched = svg_next(shaded + 1, "rect");
    ck_assert_double_eq_tol(svg_attribute_number(shaded, "x"), with.x0, 0.01);
    ck_assert_double_eq_tol(svg_attribute_number(shaded, "x") + svg_attribute_number(shaded, "width"),
                            ruler_x(&with, 0.8), 0.02);
    ck_assert_double_eq_tol(svg_attribute_number(hatched, "x"), with.x1, 0.02);
    ck_assert_ptr_nonnull(strstr(of.svg, ">valid: load below 0.8</text>"));
    const char *solid = svg_next(of.svg, "polyline");
    const char *dashed = svg_next(solid + 1, "polyline");
    svg_place corner[100];
    ck_assert(svg_attribute_text(solid, "stroke-dasharray") == NULL &&
              svg_attribute_text(dashed, "stroke-dasharray") != NULL);
    svg_corners(dashed, corner, 100);
    ck_assert_double_eq_tol(corner[0].x, ruler_x(&with, 0.8), 0.02);
    ck_assert_double_eq_tol(corner[0].y, ruler_y(&with, tau_in(of.delay[0], 0.8, 1)), 0.02);
    compared_clear(&of);

    static const char *const several[] = {"bus:17,capacity=1msg/s", "multibus:9,memories=4,buses=2,capacity=1msg/s"};
    of = compare(several + 1, 1, NULL);
    ck_assert_ptr_nonnull(strstr(of.svg, ">u</text>"));
    compared_clear(&of);
    of = compare(several, 2, NULL);
    ck_assert_ptr_nonnull(strstr(of.svg, ">valid for all: load below 1</text>"));
    ck_assert_ptr_null(strstr(of.svg, ">u</text>"));
    compared_clear(&of);
}
END_TEST

static void assert_refused(const compared *of, size_t count, inlay_delay_mark mark, const char *why)
{
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_delay_draw_svg((const inlay_delay *const *)of->delay, count,
                                          &(inlay_delay_picture){&mark, 1}, svg_path(), diag),
                     INLAY_BAD_ARGUMENT);
    ck_assert_str_eq(inlay_diag_message(diag), why);
    ck_assert_int_ne(access(svg_path(), F_OK), 0);
    inlay_diag_free(diag);
}

START_TEST(bad_questions_about_delays_are_refused)
{
    compared of = compare(five, MACHINES, NULL);
    inlay_delay_mark mark = {0, point_at(of.delay[0], 0.5), NULL};
    assert_refused(&of, 0, mark, "a picture of the delay functions of 0 machines; expected 1 to 42");
    assert_refused(&of, 43, mark, "a picture of the delay functions of 43 machines; expected 1 to 42");
    mark.machine = 5;
    assert_refused(&of, 5, mark, "an operating point of machine 5; the picture has 5");
    mark.machine = 4;
    mark.point.tau = NAN;
    assert_refused(&of, 5, mark,
                   "an operating point with u = 0.5, load = 0.5, tau = nan; expected finite numbers and a load from 0 "
                   "to 1");
    ck_assert_int_eq(inlay_delay_draw_svg((const inlay_delay *const *)of.delay, MACHINES, NULL, "/nowhere/x.svg", NULL),
                     INLAY_SYSTEM);
    compared_clear(&of);
}
END_TEST

Suite *suite_delay_picture(void)
{
    Suite *suite = suite_create("delay_picture");
    TCase *delays = tcase_create("delays");
    tcase_add_test(delays, curves_are_the_functions);
    tcase_add_test(delays, bands_show_the_known_error);
    tcase_add_test(delays, units_that_do_not_compare_are_left_out);
    tcase_add_test(delays, marks_stand_on_their_curves);
    tcase_add_test(delays, validity_is_shaded);
    tcase_add_test(delays, bad_questions_about_delays_are_refused);
    suite_add_tcase(suite, delays);
    return suite;
}
