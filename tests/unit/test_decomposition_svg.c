/* The pictures of `inlay decompose`, read back: boxes cover the grid as owners do, lines join who exchange messages. */
#include "starve.h"
#include "svg_read.h"
#include "unit.h"

#include <inlay/inlay.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where the grid stands in the picture. */
static const double left = 16, top = 44, side = 640;

static const double speed[] = {5, 4, 3, 2, 1};

static inlay_decomposition *cut(int64_t rows, int64_t columns, bool bounded, inlay_grid_method method)
{
    const inlay_grid_problem problem = {
        .rows = rows, .columns = columns, .bounded = bounded, .item = 8, .processors = 5, .speed = speed};
    inlay_decomposition *made = NULL;
    ck_assert_int_eq(inlay_decompose(&problem, method, NULL, &made, NULL), INLAY_OK);
    return made;
}

static char *draw(const inlay_decomposition *of, const inlay_grid_pattern *pattern)
{
    const inlay_decomposition_picture picture = {
        .title = "a & b", .speed = speed, .speed_unit = "Mflop/s", .pattern = pattern};
    ck_assert_int_eq(inlay_decomposition_draw_svg(of, &picture, svg_path(), NULL), INLAY_OK);
    return svg_take();
}

static size_t count(const char *svg, const char *name)
{
    size_t found = 0;
    for (const char *s = svg; (s = svg_next(s, name)) != NULL; s++)
        found++;
    return found;
}

/* The colour in which a point of the grid is filled, with its opacity: that of the only such box. */
static const char *colour_at(const char *svg, double x, double y, double *opacity)
{
    const char *colour = NULL;
    for (const char *s = svg; (s = svg_next(s, "rect")) != NULL; s++) {
        const char *given = svg_attribute_text(s, "fill-opacity"), *rounded = svg_attribute_text(s, "rx");
        double from = svg_attribute_number(s, "x"), low = svg_attribute_number(s, "y");
        if (given == NULL || rounded != NULL || x <= from || x >= from + svg_attribute_number(s, "width") || y <= low ||
            y >= low + svg_attribute_number(s, "height"))
            continue;
        ck_assert_msg(colour == NULL, "two boxes at %g, %g", x, y);
        colour = svg_attribute_text(s, "fill");
        *opacity = svg_attribute_number(s, "fill-opacity");
    }
    ck_assert_msg(colour != NULL, "no box at %g, %g", x, y);
    return colour;
}

/* Cells have the same colour exactly where they have the same owner. */
static void expect_owners(const inlay_decomposition *of, int64_t n)
{
    char *svg = draw(of, NULL);
    char colours[5][8] = {""};
    for (int64_t r = 0; r < n; r++) {
        for (int64_t c = 0; c < n; c++) {
            double opacity = 0, cell = side / (double)n;
            int32_t owner = inlay_decomposition_owner(of, r, c);
            const char *colour =
                colour_at(svg, left + ((double)c + 0.5) * cell, top + ((double)r + 0.5) * cell, &opacity);
            if (colours[owner][0] == '\0') memcpy(colours[owner], colour, 7);
            ck_assert_msg(memcmp(colours[owner], colour, 7) == 0, "row %d, column %d", (int)r, (int)c);
        }
    }
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < i; j++)
            ck_assert_str_ne(colours[i], colours[j]);
    free(svg);
}

START_TEST(colours_are_those_of_the_owners)
{
    for (inlay_grid_method method = INLAY_GRID_ROW; method <= INLAY_GRID_SCATTER; method++) {
        inlay_decomposition *of = cut(20, 20, false, method);
        expect_owners(of, 20);
        inlay_decomposition_free(of);
    }
}
END_TEST

/* ---- Lines ---- */

typedef struct pairs {
    bool between[5][5];
} pairs;

static void note(void *context, const inlay_grid_message *message)
{
    pairs *of = context;
    of->between[message->from][message->to] = of->between[message->to][message->from] = true;
}

/* One line, straight or bent, for each two that exchange messages; on a bounded grid all of them are straight. */
START_TEST(lines_join_those_that_exchange_messages)
{
    static const inlay_grid_communication all[] = {INLAY_GRID_STENCIL5, INLAY_GRID_STENCIL9, INLAY_GRID_BROADCAST};
    for (size_t i = 0; i < 2 * sizeof all / sizeof *all; i++) {
        inlay_decomposition *of = cut(300, 300, i % 2 == 0, INLAY_GRID_FBRD);
        const inlay_grid_pattern pattern = {.communication = all[i / 2]};
        pairs expected = {0};
        size_t wanted = 0;
        ck_assert_int_eq(inlay_decomposition_messages(of, &pattern, note, &expected, NULL), INLAY_OK);
        for (int a = 0; a < 5; a++)
            for (int b = 0; b < a; b++)
                wanted += expected.between[a][b];
        char *svg = draw(of, &pattern);
        size_t bent = count(svg, "path"), samples = 1 + (bent > 0);
        ck_assert_uint_eq(count(svg, "line") + bent, wanted + samples);
        if (i % 2 == 0 || all[i / 2] == INLAY_GRID_BROADCAST) ck_assert_uint_eq(bent, 0);
        free(svg);
        inlay_decomposition_free(of);
    }
}
END_TEST

/* ---- Costs over sizes ---- */

static const double sizes[] = {10, 20, 40, 80}, rising[] = {1, 2, 4, 8}, steady[] = {3, 3, NAN, 3},
                    none[] = {0, 0, 0, 0};
static const inlay_crossover_curve curves[] = {{"rising", rising}, {"steady", steady}};
static const inlay_crossover_mark marks[] = {{30, 1, "steady from 30"}};

static inlay_crossover_picture crossover(void)
{
    return (inlay_crossover_picture){.title = "costs",
                                     .size_words = "n",
                                     .cost_words = "seconds",
                                     .mark_words = "changes",
                                     .size = sizes,
                                     .sizes = 4,
                                     .curve = curves,
                                     .curves = 2,
                                     .mark = marks,
                                     .marks = 1};
}

static int draw_crossover(const void *subject)
{
    (void)subject;
    const inlay_crossover_picture picture = crossover();
    return inlay_crossover_draw_svg(&picture, svg_path(), NULL);
}

START_TEST(costs_are_drawn_twice)
{
    ck_assert_int_eq(draw_crossover(NULL), INLAY_OK);
    char *svg = svg_take();
    ck_assert_ptr_nonnull(strstr(svg, "seconds, over the least"));
    ck_assert_ptr_nonnull(strstr(svg, "steady from 30"));
    free(svg);
}
END_TEST

/* ---- Refusals ---- */

START_TEST(wrong_costs_are_refused)
{
    static const double falling[] = {10, 9, 40, 80};
    static const inlay_crossover_curve nothing[] = {{"none", none}};
    for (int wrong = 0; wrong < 8; wrong++) {
        inlay_crossover_picture of = crossover();
        inlay_crossover_mark far = marks[0];
        far.curve = 2;
        if (wrong == 0) of.size = falling;
        if (wrong == 1) of.sizes = 0;
        if (wrong == 2) of.curves = 0;
        if (wrong == 3) of.curves = 43;
        if (wrong == 4) of.mark = &far;
        if (wrong == 5) of.curve = nothing, of.curves = 1, of.marks = 0;
        if (wrong == 6) of.title = NULL;
        if (wrong == 7) of.marks = 201;
        ck_assert_int_eq(inlay_crossover_draw_svg(&of, svg_path(), NULL), INLAY_BAD_ARGUMENT);
    }
}
END_TEST

START_TEST(wrong_pictures_are_refused)
{
    inlay_decomposition *of = cut(20, 20, false, INLAY_GRID_ROW);
    const inlay_decomposition_picture untitled = {0}, unitless = {.title = "t", .speed = speed};
    ck_assert_int_eq(inlay_decomposition_draw_svg(of, &untitled, svg_path(), NULL), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_decomposition_draw_svg(of, &unitless, svg_path(), NULL), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_decomposition_draw_svg(NULL, &unitless, svg_path(), NULL), INLAY_BAD_ARGUMENT);
    inlay_decomposition_free(of);
}
END_TEST

static int draw_pieces(const void *subject)
{
    const inlay_grid_pattern pattern = {.communication = INLAY_GRID_STENCIL5};
    const inlay_decomposition_picture picture = {.title = "t", .pattern = &pattern};
    return inlay_decomposition_draw_svg(subject, &picture, svg_path(), NULL);
}

START_TEST(out_of_memory_is_told)
{
    inlay_decomposition *of = cut(20, 20, false, INLAY_GRID_FBRD);
    starve(draw_pieces, of, 10);
    free(svg_take());
    inlay_decomposition_free(of);
    starve(draw_crossover, NULL, 10);
    free(svg_take());
}
END_TEST

Suite *suite_decomposition_svg(void)
{
    Suite *suite = suite_create("pictures of decompositions");
    TCase *tests = tcase_create("pictures of decompositions");
    tcase_add_test(tests, colours_are_those_of_the_owners);
    tcase_add_test(tests, lines_join_those_that_exchange_messages);
    tcase_add_test(tests, costs_are_drawn_twice);
    tcase_add_test(tests, wrong_costs_are_refused);
    tcase_add_test(tests, wrong_pictures_are_refused);
    tcase_add_test(tests, out_of_memory_is_told);
    suite_add_tcase(suite, tests);
    return suite;
}
