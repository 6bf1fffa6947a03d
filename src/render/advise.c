/* The front of an advice: time against price. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "render/chart.h"
#include <inlay/render.h>
#include <math.h>
#include <stdlib.h>

/* Scales are logarithmic where the largest value is above so many times the least. */
static const double linear_ratio = 24;

enum { MOST_OTHERS = 400, FRONT = 0, OTHERS, BARS, DEADLINE, CURVES };

typedef struct picture {
    const inlay_advice *of;
    chart_point *front, *others, *bars;
    size_t fronts, other_count, bar_count;
    double least_x, most_x, least_y, most_y, length; /* of one unit of time */
    const char *unit;
} picture;

static double cost_of(const picture *p, const inlay_advise_point *at)
{
    return inlay_advice_summary(p->of)->priced ? at->price : at->processors;
}

static bool is_drawn(const picture *p, const inlay_advise_point *at)
{
    return isfinite(cost_of(p, at)) && cost_of(p, at) < CHART_LARGEST && at->time < CHART_LARGEST;
}

static void find_ends(picture *p)
{
    double most = 0;
    p->least_x = p->least_y = INFINITY;
    for (size_t i = 0; i < inlay_advice_points(p->of); i++) {
        const inlay_advise_point *at = inlay_advice_point(p->of, i);
        if (is_drawn(p, at)) {
            p->least_x = fmin(p->least_x, cost_of(p, at));
            p->most_x = fmax(p->most_x, cost_of(p, at));
            p->least_y = fmin(p->least_y, fmin(at->time, isfinite(at->low) ? at->low : at->time));
            p->most_y = fmax(p->most_y, fmax(at->time, isfinite(at->high) ? at->high : at->time));
            most = fmax(most, at->time);
        }
    }
    p->length = 1;
    p->unit = inlay_advice_unit(p->of) == INLAY_UNIT_TICK ? "ticks" : inlay_seconds_unit(most, &p->length);
}

static int by_x(const void *left, const void *right)
{
    const chart_point *a = left, *b = right;
    return a->x != b->x ? (a->x < b->x ? -1 : 1) : (a->y < b->y) - (a->y > b->y);
}

static void fill(picture *p)
{
    size_t count = inlay_advice_points(p->of), stride = count / MOST_OTHERS + 1, number = 0;
    for (size_t i = 0; i < count; i++) {
        const inlay_advise_point *at = inlay_advice_point(p->of, i);
        double x = cost_of(p, at), y = at->time / p->length;
        if (is_drawn(p, at) && at->front) {
            p->front[p->fronts++] = (chart_point){x, y, CHART_SOLID};
        } else if (is_drawn(p, at) && number++ % stride == 0) {
            p->others[p->other_count++] = (chart_point){x, y, CHART_APART};
        }
    }
    qsort(p->front, p->fronts, sizeof *p->front, by_x);
    qsort(p->others, p->other_count, sizeof *p->others, by_x);
    for (size_t f = 0; f < p->fronts; f++) {
        for (size_t i = 0; i < count; i++) {
            const inlay_advise_point *at = inlay_advice_point(p->of, i);
            bool same = at->front && is_drawn(p, at) && cost_of(p, at) == p->front[f].x && isfinite(at->low) &&
                        isfinite(at->high);
            if (same) {
                p->bars[p->bar_count++] = (chart_point){p->front[f].x, at->low / p->length, CHART_APART};
                p->bars[p->bar_count++] = (chart_point){p->front[f].x, at->high / p->length, CHART_SOLID};
            }
        }
    }
}

static int write_chart(const picture *p, const char *path, inlay_diag *diag)
{
    const inlay_advise_summary *s = inlay_advice_summary(p->of);
    const inlay_advise_options *asked = inlay_advice_options(p->of);
    double deadline = asked->deadline / p->length;
    bool logarithmic_x = p->least_x > 0 && p->most_x > linear_ratio * p->least_x;
    bool logarithmic_y = p->least_y > 0 && p->most_y > linear_ratio * p->least_y;
    text_buffer x = {0}, y = {0}, words = {0};
    text_addf(&x, "%s%s%s%s", s->priced ? "price" : "processors", s->currency != NULL ? ", in " : "",
              s->currency != NULL ? s->currency : "", logarithmic_x ? "; logarithmic" : "");
    text_addf(&y, "time from order to answer, in %s%s", p->unit, logarithmic_y ? "; logarithmic" : "");
    const chart_point limit[] = {{p->least_x, deadline, CHART_DASHED}, {p->most_x, deadline, CHART_DASHED}};
    const chart_curve all[CURVES] = {
        [FRONT] = {.label = {.words = "nothing is faster and cheaper"},
                   .points = p->front,
                   .count = p->fronts,
                   .steps = true},
        [OTHERS] = {.label = {.words = "other candidates"}, .points = p->others, .count = p->other_count},
        [BARS] = {.label = {.words = "90 % interval"}, .points = p->bars, .count = p->bar_count},
        [DEADLINE] = {.label = {.words = "deadline"}, .points = limit, .count = asked->has_deadline ? 2 : 0}};
    chart_curve curves[CURVES];
    size_t count = 0;
    for (size_t i = 0; i < CURVES; i++) {
        if (all[i].count > 0) {
            curves[count++] = all[i];
        }
    }
    chart_mark mark = {0};
    size_t marks = 0;
    if (s->choice != SIZE_MAX && is_drawn(p, inlay_advice_point(p->of, s->choice))) {
        const inlay_advise_point *choice = inlay_advice_point(p->of, s->choice);
        char name[INLAY_ADVISE_NAME];
        text_addf(&words, "%s", inlay_advise_point_name(p->of, choice, name));
        mark = (chart_mark){cost_of(p, choice), choice->time / p->length, 0, {.name = text_content(&words)}};
        marks = 1;
    }
    const chart drawn = {
        .title = s->priced ? "Time against price" : "Time against processors",
        .x = {.title = x.data, .logarithmic = logarithmic_x, .from = logarithmic_x ? NAN : 0, .to = NAN},
        .y = {.title = y.data, .logarithmic = logarithmic_y, .from = logarithmic_y ? NAN : 0, .to = NAN},
        .curves = curves,
        .curve_count = count,
        .marks = &mark,
        .mark_count = marks};
    int status = x.failed || y.failed || words.failed ? diag_no_memory(diag) : chart_write_svg(&drawn, path, diag);
    text_clear(&x);
    text_clear(&y);
    text_clear(&words);
    return status;
}

int inlay_advice_draw_svg(const inlay_advice *advice, const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    memory_pool arrays = {0};
    size_t count = inlay_advice_points(advice);
    picture p = {.of = advice,
                 .front = pool_array(&arrays, count, sizeof *p.front),
                 .others = pool_array(&arrays, count, sizeof *p.others),
                 .bars = pool_array(&arrays, 2 * count, sizeof *p.bars)};
    int status = arrays.failed ? diag_no_memory(diag) : INLAY_OK;
    if (status == INLAY_OK) {
        find_ends(&p);
        fill(&p);
        status = p.fronts == 0
                     ? diag_fail(diag, INLAY_NO_ANSWER, "nothing to draw: no candidate was mapped, or has a price")
                     : write_chart(&p, path, diag);
    }
    pool_clear(&arrays);
    return status;
}
