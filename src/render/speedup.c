/* Elapsed time against cores. */
#include "base/diag.h"
#include "base/memory.h"
#include "render/chart.h"
#include <inlay/render.h>
#include <math.h>

/* Scales are logarithmic where the last value is above so many times the first. */
static const double linear_ratio = 24;

typedef struct picture {
    chart_point *elapsed, *bound;
    chart_span *band;
    size_t count;
    double least, most; /* of all times */
} picture;

static void fill(const inlay_speedup_result *of, picture *p)
{
    *p = (picture){p->elapsed, p->bound, p->band, inlay_speedup_points(of), INFINITY, 0};
    for (size_t i = 0; i < p->count; i++) {
        inlay_speedup_point at = inlay_speedup_point_at(of, i);
        p->elapsed[i] = (chart_point){at.processors, at.elapsed, CHART_SOLID};
        p->bound[i] = (chart_point){at.processors, at.lower_bound, CHART_DASHED};
        p->band[i] = (chart_span){at.processors, at.p05, at.p95};
        p->least = fmin(p->least, at.lower_bound);
        p->most = fmax(p->most, at.p95);
    }
}

static int write_chart(const inlay_speedup_result *of, const picture *p, const char *path, inlay_diag *diag)
{
    inlay_unit unit = inlay_app_unit(inlay_speedup_app(of));
    bool logarithmic_x = p->elapsed[p->count - 1].x > linear_ratio * p->elapsed[0].x;
    bool logarithmic_y = p->least > 0 && p->most > linear_ratio * p->least;
    bool spread = inlay_speedup_replications(of) > 1;
    text_buffer x_title = {0}, y_title = {0}, title = {0};
    text_addf(&title, "Elapsed time against cores: %s on %s, scheduler %s", inlay_app_name(inlay_speedup_app(of)),
              inlay_speedup_machine(of), inlay_speedup_scheduler(of));
    text_addf(&x_title, "number of cores%s", logarithmic_x ? "; logarithmic" : "");
    text_addf(&y_title, "elapsed time, in %s%s", inlay_unit_word(unit), logarithmic_y ? "; logarithmic" : "");
    const chart_curve curves[] = {{.label = {.words = "elapsed"},
                                   .points = p->elapsed,
                                   .count = p->count,
                                   .band = spread ? p->band : NULL,
                                   .band_count = spread ? p->count : 0},
                                  {.label = {.words = "lower bound"}, .points = p->bound, .count = p->count}};
    const chart drawn = {
        .title = title.data,
        .x = {.title = x_title.data, .logarithmic = logarithmic_x, .from = logarithmic_x ? NAN : 0, .to = NAN},
        .y = {.title = y_title.data, .logarithmic = logarithmic_y, .from = logarithmic_y ? NAN : 0, .to = NAN},
        .curves = curves,
        .curve_count = 2,
        .key = {.band = spread ? "where 90 % of the runs lie" : NULL}};
    int status =
        x_title.failed || y_title.failed || title.failed ? diag_no_memory(diag) : chart_write_svg(&drawn, path, diag);
    text_clear(&title);
    text_clear(&x_title);
    text_clear(&y_title);
    return status;
}

int inlay_speedup_draw_svg(const inlay_speedup_result *result, const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    memory_pool arrays = {0};
    size_t count = inlay_speedup_points(result);
    picture p = {.elapsed = pool_array(&arrays, count, sizeof *p.elapsed),
                 .bound = pool_array(&arrays, count, sizeof *p.bound),
                 .band = pool_array(&arrays, count, sizeof *p.band)};
    int status = arrays.failed ? diag_no_memory(diag) : INLAY_OK;
    if (status == INLAY_OK) {
        fill(result, &p);
        status = write_chart(result, &p, path, diag);
    }
    pool_clear(&arrays);
    return status;
}
