/* The picture of `inlay processes`, read back: every time stands at its place, and the line is broken where there is none. */
#include "base/plain.h"
#include "starve.h"
#include "svg_read.h"
#include "unit.h"

#include <inlay/render.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { POINTS = 9, MOST_CORNERS = 64 };

/* A run of three, a gap, one alone, a gap, a run of two. */
static const double times[POINTS] = {4, 3.5, 3.75, NAN, 3.25, NAN, NAN, 3, 3.1};

static inlay_process_picture picture_of(inlay_process_point points[POINTS], int64_t first, double factor)
{
    for (int i = 0; i < POINTS; i++) {
        points[i] = (inlay_process_point){first + i, times[i] * (i > 5 ? factor : 1)};
    }
    return (inlay_process_picture){.title = "A <title> & more",
                                   .unit = "ms",
                                   .points = points,
                                   .count = POINTS,
                                   .chosen = points[7],
                                   .label = "best: <x>",
                                   .hoho = 4.2,
                                   .hohe = 2.9};
}

static char *draw(const inlay_process_picture *picture)
{
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_processes_draw_svg(picture, svg_path(), diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return svg_take();
}

/* ---- What is read ---- */

/* An axis as its numbers tell: the pixels of 0, or of 1 on a logarithmic one, and of 1 more, or of e times as much. */
typedef struct axis {
    bool logarithmic;
    double zero, one;
} axis;

static axis read_axis(const char *svg, char anchor, const char *place, double shift, bool logarithmic)
{
    double first_value = 0, first_place = 0;
    axis found = {.logarithmic = logarithmic};
    int count = 0;
    for (const char *s = svg; (s = svg_next(s + 1, "text"));) {
        char *end;
        const char *content = strchr(s, '>') + 1;
        double value = plain_number(content, &end), at = svg_attribute_number(s, place) + shift;
        if (end == content || *end != '<' || *svg_attribute_text(s, "text-anchor") != anchor) continue;
        value = logarithmic ? log(value) : value;
        if (count++ == 0) {
            first_value = value;
            first_place = at;
        } else {
            found.one = (at - first_place) / (value - first_value);
            found.zero = first_place - first_value * found.one;
        }
    }
    ck_assert_int_ge(count, 2);
    return found;
}

static double place_of(const axis *on, double value)
{
    return on->zero + (on->logarithmic ? log(value) : value) * on->one;
}

/* The corners of the n-th polyline; the test fails where there is none. */
static size_t corners_of(const char *svg, int n, svg_place *places)
{
    const char *s = svg;
    for (int i = 0; i <= n; i++) {
        s = svg_next(s + 1, "polyline");
        ck_assert_ptr_nonnull(s);
    }
    return svg_corners(s, places, MOST_CORNERS);
}

static void expect_run(const char *svg, int n, const axis *x, const axis *y, const inlay_process_point *points,
                       size_t count)
{
    svg_place places[MOST_CORNERS];
    ck_assert_uint_eq(corners_of(svg, n, places), count);
    for (size_t i = 0; i < count; i++) {
        ck_assert_double_eq_tol(places[i].x, place_of(x, (double)points[i].total), 0.02);
        ck_assert_double_eq_tol(places[i].y, place_of(y, points[i].time), 0.02);
    }
}

/* Two lines across from the first point to the last, the two runs, and no other line. */
static void expect_picture(const inlay_process_picture *of, bool log_x, bool log_y)
{
    char *svg = draw(of);
    svg_place places[MOST_CORNERS];
    axis x = read_axis(svg, 'm', "x", 0, log_x), y = read_axis(svg, 'e', "y", -0.35 * 13, log_y);
    const double across[] = {of->hoho, of->hohe};
    for (int n = 0; n < 2; n++) {
        ck_assert_uint_eq(corners_of(svg, n, places), 2);
        ck_assert_double_eq_tol(places[0].x, place_of(&x, (double)of->points[0].total), 0.02);
        ck_assert_double_eq_tol(places[1].x, place_of(&x, (double)of->points[POINTS - 1].total), 0.02);
        ck_assert_double_eq_tol(places[0].y, place_of(&y, across[n]), 0.02);
        ck_assert_double_eq_tol(places[1].y, place_of(&y, across[n]), 0.02);
    }
    expect_run(svg, 2, &x, &y, of->points, 3);
    expect_run(svg, 3, &x, &y, of->points + 7, 2);
    const char *last = svg;
    for (int n = 0; n < 4; n++) {
        last = svg_next(last + 1, "polyline");
    }
    ck_assert_ptr_null(svg_next(last + 1, "polyline"));
    const char *mark = svg_next(svg, "circle");
    ck_assert_double_eq_tol(svg_attribute_number(mark, "cx"), place_of(&x, (double)of->chosen.total), 0.02);
    ck_assert_double_eq_tol(svg_attribute_number(mark, "cy"), place_of(&y, of->chosen.time), 0.02);
    ck_assert_int_eq(strstr(svg, "processes; logarithmic") != NULL, log_x);
    ck_assert_int_eq(strstr(svg, "time, in ms; logarithmic") != NULL, log_y);
    ck_assert_ptr_nonnull(strstr(svg, "best: &lt;x&gt;"));
    ck_assert_ptr_nonnull(strstr(svg, "A &lt;title&gt; &amp; more"));
    free(svg);
}

START_TEST(times_stand_at_their_places)
{
    inlay_process_point points[POINTS];
    inlay_process_picture picture = picture_of(points, 20, 1);
    expect_picture(&picture, false, false);
    picture = picture_of(points, 20, 100);
    expect_picture(&picture, false, true);
    picture = picture_of(points, 1, 1);
    points[8].total = 1000;
    expect_picture(&picture, true, false);
    points[7].time = 900;
    picture.chosen = points[7];
    expect_picture(&picture, true, true);
}
END_TEST

/* A chosen number that is none of the points is drawn all the same, also where no point has a time. */
START_TEST(the_chosen_number_needs_no_point)
{
    inlay_process_point points[] = {{3, NAN}, {9, NAN}};
    const inlay_process_picture picture = {
        .title = "t", .unit = "s", .points = points, .count = 2, .chosen = {5, 2}, .label = "l", .hoho = 3, .hohe = 1};
    char *svg = draw(&picture);
    ck_assert_ptr_nonnull(svg_next(svg, "circle"));
    ck_assert_ptr_null(strstr(svg, "the best placement"));
    free(svg);
}
END_TEST

START_TEST(what_cannot_be_drawn_is_refused)
{
    inlay_process_point points[POINTS];
    const double bad[] = {0, -1, INFINITY, NAN, 1e101};
    for (int i = 0; i < 9; i++) {
        for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
            inlay_process_picture p = picture_of(points, 2, 1);
            switch (i) {
            case 0: p.hoho = bad[b]; break;
            case 1: p.hohe = bad[b]; break;
            case 2: p.chosen.time = bad[b]; break;
            case 3: points[1].time = isnan(bad[b]) ? -INFINITY : bad[b]; break;
            case 4: points[2].total = points[1].total - (int64_t)b % 2; break;
            case 5: p.chosen.total = 0; break;
            case 6: p.label = NULL; break;
            case 7: p.unit = NULL; break;
            case 8: p.points = NULL; break;
            }
            inlay_diag *diag = inlay_diag_new();
            ck_assert_int_eq(inlay_processes_draw_svg(&p, svg_path(), diag), INLAY_BAD_ARGUMENT);
            ck_assert_str_ne(inlay_diag_message(diag), "");
            inlay_diag_free(diag);
            FILE *file = fopen(svg_path(), "r");
            ck_assert_ptr_null(file);
        }
    }
}
END_TEST

static int try_draw(const void *subject)
{
    return inlay_processes_draw_svg(subject, svg_path(), NULL);
}

START_TEST(drawing_survives_without_memory)
{
    inlay_process_point points[POINTS];
    inlay_process_picture picture = picture_of(points, 2, 1);
    starve(try_draw, &picture, 10);
    unlink(svg_path());
}
END_TEST

Suite *suite_processes_svg(void)
{
    Suite *suite = suite_create("picture of process counts");
    TCase *tests = tcase_create("picture of process counts");
    tcase_add_test(tests, times_stand_at_their_places);
    tcase_add_test(tests, the_chosen_number_needs_no_point);
    tcase_add_test(tests, what_cannot_be_drawn_is_refused);
    tcase_add_test(tests, drawing_survives_without_memory);
    suite_add_tcase(suite, tests);
    return suite;
}
