/* The front of an advice: time against price. */
#include "base/diag.h"
#include "base/memory.h"
#include "render/front.h"
#include <inlay/render.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_OTHERS = 400 };

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
    front_picture drawn = {.priced = s->priced,
                           .currency = s->currency,
                           .unit = p->unit,
                           .from = "time from order to answer",
                           .deadline = asked->has_deadline ? asked->deadline / p->length : NAN,
                           .front = p->front,
                           .others = p->others,
                           .bars = p->bars,
                           .fronts = p->fronts,
                           .other_count = p->other_count,
                           .bar_count = p->bar_count,
                           .least_x = p->least_x,
                           .most_x = p->most_x,
                           .least_y = p->least_y,
                           .most_y = p->most_y};
    if (s->choice != SIZE_MAX && is_drawn(p, inlay_advice_point(p->of, s->choice))) {
        const inlay_advise_point *choice = inlay_advice_point(p->of, s->choice);
        char name[INLAY_ADVISE_NAME];
        drawn.chosen = inlay_advise_point_name(p->of, choice, name);
        drawn.chosen_x = cost_of(p, choice);
        drawn.chosen_y = choice->time / p->length;
        return front_write_svg(&drawn, path, diag);
    }
    return front_write_svg(&drawn, path, diag);
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
