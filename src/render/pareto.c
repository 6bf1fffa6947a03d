/* The front of elapsed time against processors. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "render/chart.h"
#include <inlay/render.h>
#include <math.h>
#include <stdlib.h>

/* Scales are logarithmic where the last value is above so many times the first. */
static const double linear_ratio = 24;

/* Of more points only some are drawn: of the bound no more than columns of pixels, of those without gain few. */
enum { MOST_POINTS = 1500, MOST_WITHOUT_GAIN = 40, CURVES = 3, MARKS = 2 };

typedef struct picture {
    const inlay_pareto_result *front;
    chart_point *points[CURVES]; /* front, points without gain, lower bound; owned */
    size_t count[CURVES];
    chart_mark marks[MARKS];
    size_t mark_count;
    bool logarithmic_x, logarithmic_y;
    text_buffer mark_words[MARKS], title, x_title, y_title;
} picture;

enum { FRONT, NO_GAIN, BOUND };

static void add(picture *of, size_t curve, double x, double y, chart_lead lead)
{
    of->points[curve][of->count[curve]++] = (chart_point){x, y, lead};
}

static bool can_draw(const picture *of, double y)
{
    return isfinite(y) && (y > 0 || !of->logarithmic_y);
}

static void add_front_and_bound(picture *of)
{
    size_t count = inlay_pareto_points(of->front), stride = count / MOST_POINTS + 1;
    for (size_t i = 0; i < count; i++) {
        const inlay_pareto_point *point = inlay_pareto_point_at(of->front, i);
        if (point->front || i + 1 == count) {
            add(of, FRONT, point->processors, point->elapsed, CHART_SOLID);
        }
        if ((i % stride == 0 || i + 1 == count) && can_draw(of, point->lower_bound)) {
            add(of, BOUND, point->processors, point->lower_bound, CHART_DASHED);
        }
    }
}

static void add_points_without_gain(picture *of)
{
    size_t count = inlay_pareto_points(of->front), all = count - inlay_pareto_summary_of(of->front)->front, number = 0;
    size_t stride = all / MOST_WITHOUT_GAIN + 1;
    for (size_t i = 0; i < count; i++) {
        const inlay_pareto_point *point = inlay_pareto_point_at(of->front, i);
        if (!point->front && number++ % stride == 0 && can_draw(of, point->elapsed)) {
            add(of, NO_GAIN, point->processors, point->elapsed, CHART_APART);
        }
    }
}

/* ---- Scales ---- */

/* A scale from 0 has no logarithm. */
static bool spreads(double least, double most)
{
    return least > 0 && most > linear_ratio * least;
}

static void choose_scales(picture *of)
{
    size_t count = inlay_pareto_points(of->front);
    const inlay_pareto_point *first = inlay_pareto_point_at(of->front, 0);
    const inlay_pareto_point *last = inlay_pareto_point_at(of->front, count - 1);
    double most = first->elapsed;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, inlay_pareto_point_at(of->front, i)->elapsed);
    }
    of->logarithmic_x = spreads(first->processors, last->processors);
    of->logarithmic_y = spreads(fmin(last->lower_bound, last->elapsed), most);
}

static void add_titles(picture *of)
{
    inlay_unit unit = inlay_app_unit(inlay_pareto_app(of->front));
    const char *name = inlay_unit_word(unit);
    text_addf(&of->title, "Elapsed time against processors: %s on %s", inlay_app_name(inlay_pareto_app(of->front)),
              inlay_machine_text(inlay_pareto_machine(of->front)));
    text_addf(&of->x_title, "processors allowed%s", of->logarithmic_x ? "; logarithmic" : "");
    text_addf(&of->y_title, "elapsed time, in %s%s", name, of->logarithmic_y ? "; logarithmic" : "");
}

/* ---- Marks ---- */

static void add_mark(picture *of, const char *name, size_t number)
{
    const inlay_pareto_point *point = inlay_pareto_point_at(of->front, number);
    text_buffer *words = &of->mark_words[of->mark_count];
    text_addf(words, "%s: %d processor%s, ", name, (int)point->clusters, point->clusters == 1 ? "" : "s");
    chart_number(words, point->elapsed, 6);
    of->marks[of->mark_count++] =
        (chart_mark){.x = point->processors, .y = point->elapsed, .curve = FRONT, .label = {.words = words->data}};
}

static void add_marks(picture *of)
{
    size_t knee = inlay_pareto_summary_of(of->front)->knee, last = inlay_pareto_points(of->front) - 1;
    while (!inlay_pareto_point_at(of->front, last)->front) {
        last--;
    }
    add_mark(of, last == knee ? "knee, shortest" : "knee", knee);
    if (last != knee) {
        add_mark(of, "shortest", last);
    }
}

/* ---- The chart ---- */

static int write_chart(const picture *of, const char *path, inlay_diag *diag)
{
    const chart_curve all[CURVES] = {
        {.label = {.words = "shortest mapping found"},
         .points = of->points[FRONT],
         .count = of->count[FRONT],
         .steps = true},
        {.label = {.words = "more processors, without gain"},
         .points = of->points[NO_GAIN],
         .count = of->count[NO_GAIN]},
        {.label = {.words = "lower bound"}, .points = of->points[BOUND], .count = of->count[BOUND]}};
    chart_curve curves[CURVES];
    size_t count = 0;
    for (size_t i = 0; i < CURVES; i++) {
        if (all[i].count > 0) {
            curves[count++] = all[i];
        }
    }
    const chart drawn = {.title = of->title.data,
                         .x = {.title = of->x_title.data, .logarithmic = of->logarithmic_x, .from = NAN, .to = NAN},
                         .y = {.title = of->y_title.data,
                               .logarithmic = of->logarithmic_y,
                               .from = of->logarithmic_y ? NAN : 0,
                               .to = NAN},
                         .curves = curves,
                         .curve_count = count,
                         .marks = of->marks,
                         .mark_count = of->mark_count};
    return chart_write_svg(&drawn, path, diag);
}

static bool allocate(picture *of)
{
    bool fine = true;
    for (size_t i = 0; i < CURVES; i++) {
        of->points[i] = memory_array(inlay_pareto_points(of->front), sizeof *of->points[i]);
        fine = fine && of->points[i] != NULL;
    }
    return fine;
}

static bool has_failed(const picture *of)
{
    bool failed = of->title.failed || of->x_title.failed || of->y_title.failed;
    for (size_t i = 0; i < MARKS; i++) {
        failed |= of->mark_words[i].failed;
    }
    return failed;
}

static void picture_clear(picture *of)
{
    for (size_t i = 0; i < CURVES; i++) {
        free(of->points[i]);
    }
    for (size_t i = 0; i < MARKS; i++) {
        text_clear(&of->mark_words[i]);
    }
    text_clear(&of->title);
    text_clear(&of->x_title);
    text_clear(&of->y_title);
}

int inlay_pareto_draw_svg(const inlay_pareto_result *result, const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    picture of = {.front = result};
    bool fine = allocate(&of);
    if (fine) {
        choose_scales(&of);
        add_titles(&of);
        add_front_and_bound(&of);
        add_points_without_gain(&of);
        add_marks(&of);
    }
    int status = fine && !has_failed(&of) ? write_chart(&of, path, diag) : diag_no_memory(diag);
    picture_clear(&of);
    return status;
}
