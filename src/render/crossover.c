/* Costs over the size of a problem, and over the least of them: a curve a method, and where the best one changes. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "render/chart.h"
#include <inlay/render.h>
#include <math.h>
#include <stdlib.h>

/* Curves of very many sizes are of no use to anyone. */
enum { SIZES_MOST = 10000, MARKS_MOST = 200 };

/* Above so many times the least cost a curve leaves the lower chart. */
static const double ratio_most = 1.6;

enum { CHARTS = 2 }; /* costs; costs over the least one */

typedef struct picture {
    const inlay_crossover_picture *of;
    double *least; /* at each size; NAN: none. Owned, as all below */
    chart_curve *curves[CHARTS];
    chart_point *points[CHARTS]; /* of all curves, one after the other */
    chart_mark *marks;
    size_t count[CHARTS]; /* of curves */
    text_buffer x_title, y_title, ratio_title;
} picture;

static void find_least(picture *on)
{
    for (size_t i = 0; i < on->of->sizes; i++) {
        on->least[i] = NAN;
        for (size_t c = 0; c < on->of->curves; c++) {
            double cost = on->of->curve[c].cost[i];
            on->least[i] = cost > 0 ? fmin(on->least[i], cost) : on->least[i]; /* of NAN the other one */
        }
    }
}

/* Where a cost is missing, or 0, which has no logarithm, or too high for the chart, the curve is interrupted. */
static size_t add_points(const picture *on, size_t which, size_t curve, chart_point *to)
{
    const inlay_crossover_picture *of = on->of;
    size_t count = 0;
    bool apart = false;
    for (size_t i = 0; i < of->sizes; i++) {
        double cost = of->curve[curve].cost[i], y = which == 0 ? cost : cost / on->least[i];
        bool shown = cost > 0 && isfinite(cost) && (which == 0 || y <= ratio_most);
        if (shown) {
            to[count++] = (chart_point){of->size[i], y, apart ? CHART_APART : CHART_SOLID};
        }
        apart = !shown;
    }
    return count;
}

/* All in both charts, so that a curve has one colour. */
static void add_curves(picture *on, size_t which)
{
    const inlay_crossover_picture *of = on->of;
    for (size_t i = 0; i < of->curves; i++) {
        chart_point *points = on->points[which] + i * of->sizes;
        size_t used = add_points(on, which, i, points);
        on->count[which] += used > 0;
        on->curves[which][i] = (chart_curve){.label = {.name = of->curve[i].name}, .points = points, .count = used};
    }
}

/* The least of all costs is 1 in the lower chart. */
static void add_marks(picture *on)
{
    const inlay_crossover_picture *of = on->of;
    for (size_t m = 0; m < of->marks; m++) {
        on->marks[m] = (chart_mark){
            .x = of->mark[m].size, .y = 1, .curve = of->mark[m].curve, .label = {.words = of->mark[m].words}};
    }
}

static bool make_room(picture *on)
{
    const inlay_crossover_picture *of = on->of;
    bool made = true;
    on->least = memory_array(of->sizes, sizeof *on->least);
    on->marks = memory_zeroed(of->marks, sizeof *on->marks);
    for (size_t i = 0; i < CHARTS; i++) {
        on->curves[i] = memory_zeroed(of->curves, sizeof *on->curves[i]);
        on->points[i] = memory_array(of->curves * of->sizes, sizeof *on->points[i]);
        made = made && on->curves[i] != NULL && on->points[i] != NULL;
    }
    return made && on->least != NULL && on->marks != NULL;
}

static int draw(picture *on, const char *path, inlay_diag *diag)
{
    const inlay_crossover_picture *of = on->of;
    text_addf(&on->x_title, "%s; logarithmic", of->size_words);
    text_addf(&on->y_title, "%s; logarithmic", of->cost_words);
    text_addf(&on->ratio_title, "%s, over the least", of->cost_words);
    if (!make_room(on) || on->x_title.failed || on->y_title.failed || on->ratio_title.failed) {
        return diag_no_memory(diag);
    }
    find_least(on);
    add_curves(on, 0);
    add_curves(on, 1);
    add_marks(on);
    const chart_axis x = {
        .title = on->x_title.data, .logarithmic = true, .from = of->size[0], .to = of->size[of->sizes - 1]};
    const chart charts[CHARTS] = {{.title = of->title,
                                   .x = x,
                                   .y = {.title = on->y_title.data, .logarithmic = true, .from = NAN, .to = NAN},
                                   .curves = on->curves[0],
                                   .curve_count = of->curves},
                                  {.x = x,
                                   .y = {.title = on->ratio_title.data, .from = 1, .to = ratio_most},
                                   .curves = on->curves[1],
                                   .curve_count = of->curves,
                                   .marks = on->marks,
                                   .mark_count = of->marks,
                                   .key = {.mark = of->marks > 0 ? of->mark_words : NULL}}};
    return on->count[0] > 0 ? chart_write_stack_svg(charts, CHARTS, path, diag)
                            : diag_fail(diag, INLAY_BAD_ARGUMENT, "no cost is above 0; expected one at least");
}

static void picture_clear(picture *on)
{
    for (size_t i = 0; i < CHARTS; i++) {
        free(on->curves[i]);
        free(on->points[i]);
    }
    free(on->least);
    free(on->marks);
    text_clear(&on->x_title);
    text_clear(&on->y_title);
    text_clear(&on->ratio_title);
}

static int check(const inlay_crossover_picture *of, const char *path, inlay_diag *diag)
{
    if (of == NULL || path == NULL || of->title == NULL || of->size_words == NULL || of->cost_words == NULL ||
        of->mark_words == NULL || of->sizes == 0 || of->sizes > SIZES_MOST || of->curves == 0 ||
        of->curves > CHART_CURVES || of->marks > MARKS_MOST) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "a picture of costs needs titles, 1 to %d sizes, 1 to %d curves and at most %d marks",
                         SIZES_MOST, CHART_CURVES, MARKS_MOST);
    }
    for (size_t i = 0; i < of->sizes; i++) {
        if (!(of->size[i] > 0) || !isfinite(of->size[i]) || (i > 0 && of->size[i] <= of->size[i - 1])) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "size %zu is %g; expected sizes above 0 that rise", i,
                             of->size[i]);
        }
    }
    for (size_t i = 0; i < of->marks; i++) {
        if (of->mark[i].curve >= of->curves) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "a mark on curve %zu; the picture has %zu", of->mark[i].curve,
                             of->curves);
        }
    }
    return INLAY_OK;
}

int inlay_crossover_draw_svg(const inlay_crossover_picture *of, const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = check(of, path, diag);
    if (status != INLAY_OK) {
        return status;
    }
    picture on = {.of = of};
    status = draw(&on, path, diag);
    picture_clear(&on);
    return status;
}
