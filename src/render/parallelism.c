/* Parallelism profiles of applications: how many modules run at once over time. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "render/chart.h"
#include <inlay/render.h>
#include <math.h>
#include <stdlib.h>

/* A picture has no more columns of pixels. */
enum { MOST_POINTS = 1500 };

/* Of many steps the most in each of equal intervals. */
static size_t thin(const inlay_app *app, const inlay_parallelism_step *steps, size_t count, chart_point *points)
{
    double end = inlay_app_in_units(app, steps[count - 1].from), width = end / MOST_POINTS;
    size_t made = 0;
    for (size_t i = 0, at = 0; i < MOST_POINTS; i++) {
        inlay_id most = steps[at].modules;
        while (at + 1 < count && inlay_app_in_units(app, steps[at + 1].from) < width * (double)(i + 1)) {
            at++;
            most = steps[at].modules > most ? steps[at].modules : most;
        }
        points[made++] = (chart_point){width * (double)i, most, CHART_SOLID};
    }
    points[made++] = (chart_point){end, 0, CHART_SOLID};
    return made;
}

static int make_curve(const inlay_app *app, chart_curve *curve, inlay_diag *diag)
{
    inlay_parallelism_step *steps = NULL;
    size_t count = 0;
    int status = inlay_app_parallelism(app, &steps, &count, diag);
    chart_point *points = status == INLAY_OK ? memory_array((size_t)MOST_POINTS + 1, sizeof *points) : NULL;
    if (points != NULL) {
        *curve = (chart_curve){.label = {.name = inlay_app_name(app)}, .points = points, .count = count, .steps = true};
        for (size_t i = 0; i < count && count <= MOST_POINTS; i++) {
            points[i] = (chart_point){inlay_app_in_units(app, steps[i].from), steps[i].modules, CHART_SOLID};
        }
        curve->count = count <= MOST_POINTS ? count : thin(app, steps, count, points);
    }
    free(steps);
    return status == INLAY_OK && points == NULL ? diag_no_memory(diag) : status;
}

static int draw(const inlay_app *const *apps, chart_curve *curves, size_t count, const char *path, inlay_diag *diag)
{
    text_buffer title = {0};
    inlay_unit unit = inlay_app_unit(apps[0]);
    int status = INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < count; i++) {
        status =
            inlay_app_unit(apps[i]) == unit
                ? make_curve(apps[i], &curves[i], diag)
                : diag_fail(diag, INLAY_BAD_ARGUMENT, "%s has times in %s, %s in %s; expected one unit in a picture",
                            inlay_app_name(apps[0]), inlay_unit_name(unit), inlay_app_name(apps[i]),
                            inlay_unit_name(inlay_app_unit(apps[i])));
    }
    text_addf(&title, "time, in %s", inlay_unit_word(unit));
    const chart drawn = {.title = "Modules that run at once, on unlimited processors with free messages",
                         .x = {.title = text_content(&title), .from = 0, .to = NAN},
                         .y = {.title = "modules", .from = 0, .to = NAN},
                         .curves = curves,
                         .curve_count = count};
    status = status != INLAY_OK ? status : title.failed ? diag_no_memory(diag) : chart_write_svg(&drawn, path, diag);
    text_clear(&title);
    return status;
}

int inlay_parallelism_draw_svg(const inlay_app *const *apps, size_t count, const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (count == 0 || count > CHART_CURVES) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%zu applications; expected 1 to %d in a picture", count,
                         CHART_CURVES);
    }
    chart_curve *curves = memory_zeroed(count, sizeof *curves);
    int status = curves == NULL ? diag_no_memory(diag) : draw(apps, curves, count, path, diag);
    for (size_t i = 0; curves != NULL && i < count; i++) {
        free((void *)curves[i].points);
    }
    free(curves);
    return status;
}
