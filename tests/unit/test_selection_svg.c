/* The picture of `inlay select`, read back: every bar is as high as its times, the mark stands at the chosen cycle. */
#include "svg_read.h"
#include "base/plain.h"
#include "unit.h"

#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLUSTERS = 3, LINE = 512 };

/* ---- What is drawn: a program of one phase of each kind on three clusters ---- */

typedef struct subject {
    bool overlap, lonely; /* lonely: a second communication, which overlaps nothing */
    double work;
} subject;

static int units(void *context, int32_t phase, int64_t *number, inlay_diag *diag)
{
    (void)context, (void)phase, (void)diag;
    *number = 120;
    return INLAY_OK;
}

static int work(void *context, int32_t processors, int32_t phase, inlay_complexity *of, inlay_diag *diag)
{
    (void)processors, (void)phase, (void)diag;
    of->per_unit = ((const subject *)context)->work;
    return INLAY_OK;
}

static int pattern(void *context, int32_t phase, inlay_pattern *of, inlay_diag *diag)
{
    (void)context, (void)phase, (void)diag;
    *of = INLAY_PATTERN_LINE;
    return INLAY_OK;
}

static int bytes(void *context, int32_t processors, int32_t phase, inlay_complexity *of, inlay_diag *diag)
{
    (void)context, (void)processors, (void)diag;
    of->fixed = phase == 0 ? 100 : 50;
    return INLAY_OK;
}

static int32_t overlap(void *context, int32_t phase)
{
    return ((const subject *)context)->overlap && phase == 0 ? 0 : -1;
}

static inlay_domain domain_of(subject *s)
{
    return (inlay_domain){.context = s,
                          .computations = 1,
                          .communications = s->lonely ? 2 : 1,
                          .units = units,
                          .work = work,
                          .pattern = pattern,
                          .bytes = bytes,
                          .overlap = overlap};
}

static const inlay_metasystem_cluster clusters[CLUSTERS] = {
    {.name = "a",
     .total = 6,
     .available = 6,
     .rate = 20,
     .communication = {{true, 0, 80, 0.5, 1, INLAY_GROWTH_LINEAR}}},
    {.name = "b", .total = 4, .available = 4, .rate = 20, .communication = {{true, 5, 90, 1, 2, INLAY_GROWTH_LINEAR}}},
    {.name = "c",
     .total = 2,
     .available = 2,
     .rate = 20,
     .communication = {{true, 0, 300, 3, 4, INLAY_GROWTH_LINEAR}}}};
static const inlay_metasystem metasystem = {.clusters = CLUSTERS, .cluster = clusters, .router_latency = 200};

typedef struct drawing {
    inlay_selection *curve, *chosen;
    char *svg;
} drawing;

/* The curve of a subject and the picture of it, with a configuration of the caller's as the chosen one. */
static drawing draw(subject *s, int32_t points, const int32_t processors[CLUSTERS])
{
    inlay_domain domain = domain_of(s);
    const inlay_select_terms terms = {.all_phases = s->lonely, .map = INLAY_SELECT_REAL};
    drawing made = {0};
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_select_curve(&domain, &metasystem, &terms, NULL, points, &made.curve, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    status = inlay_select_evaluate(&domain, &metasystem, &terms, processors, &made.chosen, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    const inlay_selection_picture picture = {.title = "A <title> & more",
                                             .unit = "us",
                                             .chosen = inlay_selection_at(made.chosen, 0),
                                             .label = "chosen: <x>"};
    status = inlay_selection_draw_svg(made.curve, &picture, svg_path(), diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    made.svg = svg_take();
    return made;
}

static void drop(drawing *of)
{
    inlay_selection_free(of->curve);
    inlay_selection_free(of->chosen);
    free(of->svg);
}

/* ---- What is read ---- */

/* The linear y axis as its numbers tell: pixels of 0, and of 1 more. */
typedef struct axis {
    double zero, one;
} axis;

static axis read_axis(const char *svg, const char *anchor, const char *place, double shift)
{
    double first_value = 0, first_place = 0;
    axis found = {0, 0};
    int count = 0;
    for (const char *s = svg; (s = svg_next(s + 1, "text"));) {
        char *end;
        const char *content = strchr(s, '>') + 1;
        double value = plain_number(content, &end), at = svg_attribute_number(s, place) + shift;
        if (end == content || *end != '<' || *svg_attribute_text(s, "text-anchor") != *anchor) continue;
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

static axis y_axis(const char *svg)
{
    return read_axis(svg, "end", "y", -0.35 * 13);
}

static axis x_axis(const char *svg)
{
    return read_axis(svg, "middle", "x", 0);
}

/* The next box of the plot behind `s` with that filling; those of the legend stand below the axis. */
static const char *next_box(const char *s, const char *fill, double bottom)
{
    while ((s = svg_next(s + 1, "rect")) != NULL) {
        const char *has = svg_attribute_text(s, "fill");
        if (has != NULL && strncmp(has, fill, strlen(fill)) == 0 && svg_attribute_number(s, "y") < bottom) {
            return s;
        }
    }
    return NULL;
}

static const char comp_fill[] = "#44576B", comm_fill[] = "url(#messages)";

static void expect_box(const char *box, axis y, double from, double to)
{
    ck_assert_ptr_nonnull(box);
    double top = svg_attribute_number(box, "y"), height = svg_attribute_number(box, "height");
    ck_assert_double_eq_tol(top, y.zero + y.one * to, 0.05);
    ck_assert_double_eq_tol(top + height, y.zero + y.one * from, 0.05);
}

static double middle_of(const char *box)
{
    return svg_attribute_number(box, "x") + svg_attribute_number(box, "width") / 2;
}

/* A circle is the mark of the chosen configuration. */
static void expect_mark(const drawing *of)
{
    axis x = x_axis(of->svg), y = y_axis(of->svg);
    const inlay_configuration *c = inlay_selection_at(of->chosen, 0);
    const char *dot = svg_next(of->svg, "circle");
    ck_assert_ptr_nonnull(dot);
    ck_assert_ptr_null(svg_next(dot + 1, "circle"));
    ck_assert_double_eq_tol(svg_attribute_number(dot, "cx"), x.zero + x.one * c->total, 0.05);
    ck_assert_double_eq_tol(svg_attribute_number(dot, "cy"), y.zero + y.one * c->t_cycle, 0.05);
    ck_assert_ptr_nonnull(strstr(of->svg, ">chosen: &lt;x&gt;</text>"));
}

/* ---- Tests ---- */

START_TEST(stacked_bars_are_sums)
{
    subject s = {.work = 3000};
    drawing of = draw(&s, 400, (const int32_t[]){5, 1, 0});
    axis x = x_axis(of.svg), y = y_axis(of.svg);
    const char *comp = of.svg, *comm = of.svg;
    ck_assert_uint_eq(inlay_selection_count(of.curve), 12);
    for (size_t i = 0; i < inlay_selection_count(of.curve); i++) {
        const inlay_configuration *c = inlay_selection_at(of.curve, i);
        comp = next_box(comp, comp_fill, y.zero);
        expect_box(comp, y, 0, c->t_comp);
        ck_assert_double_eq_tol(middle_of(comp), x.zero + x.one * c->total, 0.05);
        ck_assert(c->total == 1 ? c->t_comm == 0 : c->t_comm > 0);
        if (c->total == 1) continue; /* it sends nothing: no box */
        comm = next_box(comm, comm_fill, y.zero);
        expect_box(comm, y, c->t_comp, c->t_comp + c->t_comm);
        ck_assert_double_eq_tol(middle_of(comm), x.zero + x.one * c->total, 0.05);
    }
    ck_assert_ptr_null(next_box(comp, comp_fill, y.zero));
    ck_assert_ptr_null(next_box(comm, comm_fill, y.zero));
    expect_mark(&of);
    drop(&of);
}
END_TEST

/* Beside each other, each from 0; the larger one has an outline of the same size. */
START_TEST(overlapping_bars_stand_apart)
{
    subject s = {.overlap = true, .work = 1000};
    drawing of = draw(&s, 400, (const int32_t[]){6, 4, 2});
    axis x = x_axis(of.svg), y = y_axis(of.svg);
    const char *comp = of.svg, *comm = of.svg, *line = of.svg;
    int computing = 0;
    for (size_t i = 0; i < inlay_selection_count(of.curve); i++) {
        const inlay_configuration *c = inlay_selection_at(of.curve, i);
        comp = next_box(comp, comp_fill, y.zero);
        line = next_box(line, "none", y.zero);
        expect_box(comp, y, 0, c->t_comp);
        expect_box(line, y, 0, c->t_cycle);
        if (c->total == 1) continue; /* it sends nothing: no box */
        comm = next_box(comm, comm_fill, y.zero);
        expect_box(comm, y, 0, c->t_comm);
        const char *larger = c->t_comp >= c->t_comm ? comp : comm;
        computing += larger == comp;
        ck_assert_double_eq_tol(middle_of(line), middle_of(larger), 0.05);
        ck_assert_double_eq_tol((middle_of(comp) + middle_of(comm)) / 2, x.zero + x.one * c->total, 0.05);
    }
    ck_assert_int_gt(computing, 0); /* both cases came up */
    ck_assert_int_lt(computing, 12);
    expect_mark(&of);
    drop(&of);
}
END_TEST

/* Where only one of two communications overlaps, a line across each pair of bars is the cycle. */
START_TEST(cycles_in_between_are_lines)
{
    subject s = {.overlap = true, .lonely = true, .work = 1000};
    drawing of = draw(&s, 400, (const int32_t[]){1, 0, 0});
    axis y = y_axis(of.svg);
    size_t lines = 0, between = 0;
    for (const char *line = of.svg; (line = svg_next(line + 1, "line"));) {
        const char *width = svg_attribute_text(line, "stroke-width");
        if (strncmp(width, "2\"", 2) == 0) {
            const inlay_configuration *c = inlay_selection_at(of.curve, lines++);
            ck_assert_ptr_nonnull(c);
            between += c->t_cycle > fmax(c->t_comp, c->t_comm) * 1.001;
            if (c->total > 1) ck_assert_double_lt(c->t_cycle, c->t_comp + c->t_comm);
            ck_assert_double_eq_tol(svg_attribute_number(line, "y1"), y.zero + y.one * c->t_cycle, 0.05);
        }
    }
    ck_assert_uint_eq(lines, inlay_selection_count(of.curve));
    ck_assert_uint_gt(between, 0);
    drop(&of);
}
END_TEST

/* Of few numbers of processors the chosen one is among those drawn, whether the curve has it or not. */
START_TEST(the_chosen_one_is_always_drawn)
{
    subject s = {.work = 3000};
    drawing of = draw(&s, 4, (const int32_t[]){2, 0, 0});
    axis x = x_axis(of.svg), y = y_axis(of.svg);
    const inlay_configuration *chosen = inlay_selection_at(of.chosen, 0);
    int found = 0;
    size_t bars = 0;
    for (const char *box = of.svg; (box = next_box(box, comp_fill, y.zero)) != NULL; bars++) {
        if (fabs(middle_of(box) - (x.zero + x.one * chosen->total)) < 0.05) {
            expect_box(box, y, 0, chosen->t_comp);
            found++;
        }
    }
    ck_assert_uint_eq(bars, 4);
    ck_assert_int_eq(found, 1);
    expect_mark(&of);
    drop(&of);
}
END_TEST

/* With much work one processor takes 12 times as long as all: its bar ends at the top of the plot. */
START_TEST(long_bars_are_cut)
{
    subject s = {.work = 1e7};
    drawing of = draw(&s, 400, (const int32_t[]){6, 4, 2});
    axis y = y_axis(of.svg);
    const inlay_configuration *first = inlay_selection_at(of.curve, 0), *last = inlay_selection_at(of.curve, 11);
    const char *comp = next_box(of.svg, comp_fill, y.zero);
    char words[LINE];
    double highest = svg_attribute_number(comp, "y");
    ck_assert_double_gt(first->t_cycle, 8 * last->t_cycle);
    ck_assert_double_gt(highest, y.zero + y.one * first->t_cycle + 50);
    for (const char *box = of.svg; (box = next_box(box, comm_fill, y.zero)) != NULL;)
        ck_assert_double_ge(svg_attribute_number(box, "y"), highest - 0.05);
    plain_print(words, sizeof words, "the longest cycle is %.6g<", first->t_cycle);
    ck_assert_msg(strstr(of.svg, "bars that reach the top are cut") != NULL, "no words");
    expect_mark(&of);
    drop(&of);
}
END_TEST

START_TEST(what_cannot_be_drawn_is_refused)
{
    subject s = {.work = 3000};
    drawing of = draw(&s, 400, (const int32_t[]){1, 0, 0});
    inlay_diag *diag = inlay_diag_new();
    const inlay_selection_picture none = {.unit = "us"}, good = {.title = "", .unit = "us"};
    inlay_configuration odd = *inlay_selection_at(of.chosen, 0);
    const inlay_selection_picture wrong = {.title = "", .unit = "us", .chosen = &odd, .label = ""};
    odd.t_cycle = NAN;
    ck_assert_int_eq(inlay_selection_draw_svg(NULL, &good, svg_path(), diag), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_selection_draw_svg(of.curve, &none, svg_path(), diag), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_selection_draw_svg(of.curve, &good, NULL, diag), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_selection_draw_svg(of.curve, &wrong, svg_path(), diag), INLAY_BAD_ARGUMENT);
    odd.t_cycle = -1;
    ck_assert_int_eq(inlay_selection_draw_svg(of.curve, &wrong, svg_path(), diag), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_selection_draw_svg(of.curve, &good, "/nowhere/at/all.svg", diag), INLAY_SYSTEM);
    inlay_diag_free(diag);
    drop(&of);
}
END_TEST

Suite *suite_selection_svg(void)
{
    Suite *suite = suite_create("picture of a selection");
    TCase *tests = tcase_create("picture of a selection");
    tcase_add_test(tests, stacked_bars_are_sums);
    tcase_add_test(tests, overlapping_bars_stand_apart);
    tcase_add_test(tests, cycles_in_between_are_lines);
    tcase_add_test(tests, the_chosen_one_is_always_drawn);
    tcase_add_test(tests, long_bars_are_cut);
    tcase_add_test(tests, what_cannot_be_drawn_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
