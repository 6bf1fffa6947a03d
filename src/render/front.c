/* Time against price. */
#include "render/front.h"
#include "base/diag.h"
#include "base/text.h"
#include <math.h>

/* Scales are logarithmic where the largest value is above so many times the least. */
static const double linear_ratio = 24;

enum { FRONT, OTHERS, BARS, DEADLINE, CURVES };

int front_write_svg(const front_picture *p, const char *path, inlay_diag *diag)
{
    bool logarithmic_x = p->least_x > 0 && p->most_x > linear_ratio * p->least_x;
    bool logarithmic_y = p->least_y > 0 && p->most_y > linear_ratio * p->least_y;
    text_buffer x = {0}, y = {0};
    text_addf(&x, "%s%s%s", p->priced ? "price, in " : "number of processors",
              !p->priced            ? ""
              : p->currency != NULL ? p->currency
                                    : "the currency of the machines",
              logarithmic_x ? "; logarithmic" : "");
    text_addf(&y, "%s, in %s%s", p->from, p->unit, logarithmic_y ? "; logarithmic" : "");
    const chart_point limit[] = {{p->least_x, p->deadline, CHART_DASHED}, {p->most_x, p->deadline, CHART_DASHED}};
    const chart_curve all[CURVES] = {
        [FRONT] = {.label = {.words = "nothing is faster and cheaper"},
                   .points = p->front,
                   .count = p->fronts,
                   .steps = true},
        [OTHERS] = {.label = {.words = "other candidates"}, .points = p->others, .count = p->other_count},
        [BARS] = {.label = {.words = "90 % interval"}, .points = p->bars, .count = p->bar_count},
        [DEADLINE] = {.label = {.words = "deadline"}, .points = limit, .count = isnan(p->deadline) ? 0 : 2}};
    chart_curve curves[CURVES];
    size_t count = 0;
    for (size_t i = 0; i < CURVES; i++) {
        if (all[i].count > 0) {
            curves[count++] = all[i];
        }
    }
    const chart_mark mark = {p->chosen_x, p->chosen_y, 0, {.name = p->chosen}};
    const chart drawn = {
        .title = p->priced ? "Time against price" : "Time against processors",
        .x = {.title = x.data, .logarithmic = logarithmic_x, .from = logarithmic_x ? NAN : 0, .to = NAN},
        .y = {.title = y.data, .logarithmic = logarithmic_y, .from = logarithmic_y ? NAN : 0, .to = NAN},
        .curves = curves,
        .curve_count = count,
        .marks = &mark,
        .mark_count = p->chosen != NULL};
    int status = x.failed || y.failed ? diag_no_memory(diag) : chart_write_svg(&drawn, path, diag);
    text_clear(&x);
    text_clear(&y);
    return status;
}
