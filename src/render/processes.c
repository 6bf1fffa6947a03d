/* Time over the number of processes, with the chosen number and the two strategies beside it. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "render/chart.h"
#include <inlay/render.h>
#include <math.h>
#include <stdlib.h>

/* Scales are logarithmic where the largest value is above so many times the least. */
static const double linear_processes = 24, linear_times = 8;

enum { CURVES = 3 };

static bool is_fine(double time)
{
    return time > 0 && time <= CHART_LARGEST;
}

static int check(const inlay_process_picture *of, const char *path, inlay_diag *diag)
{
    bool fine = of != NULL && path != NULL && of->title != NULL && of->unit != NULL && of->label != NULL &&
                (of->count == 0 || of->points != NULL);
    if (!fine) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a picture needs points, a title, a unit, a label and a path");
    }
    fine = is_fine(of->hoho) && is_fine(of->hohe) && is_fine(of->chosen.time) && of->chosen.total > 0;
    for (size_t i = 0; fine && i < of->count; i++) {
        fine = (isnan(of->points[i].time) || is_fine(of->points[i].time)) &&
               of->points[i].total > (i > 0 ? of->points[i - 1].total : 0);
    }
    return fine
               ? INLAY_OK
               : diag_fail(diag, INLAY_BAD_ARGUMENT,
                           "a picture of time over processes has times that are not above 0 and at most %g, or numbers "
                           "of processes that do not rise from 1",
                           CHART_LARGEST);
}

/* The points that have a time; the line is broken where some have none. */
static size_t take_points(const inlay_process_picture *of, chart_point *points)
{
    size_t count = 0;
    for (size_t i = 0; i < of->count; i++) {
        if (!isnan(of->points[i].time)) {
            bool joined = i > 0 && !isnan(of->points[i - 1].time);
            points[count++] =
                (chart_point){(double)of->points[i].total, of->points[i].time, joined ? CHART_SOLID : CHART_APART};
        }
    }
    return count;
}

static int draw(const inlay_process_picture *of, chart_point *points, const char *path, inlay_diag *diag)
{
    size_t count = take_points(of, points);
    double chosen = (double)of->chosen.total, from = chosen, to = chosen;
    double least = fmin(fmin(of->hoho, of->hohe), of->chosen.time), most = fmax(of->hoho, of->hohe);
    for (size_t i = 0; i < count; i++) {
        from = fmin(from, points[i].x);
        to = fmax(to, points[i].x);
        least = fmin(least, points[i].y);
        most = fmax(most, points[i].y);
    }
    bool wide = to > linear_processes * from, high = most > linear_times * least;
    chart_point hoho[] = {{from, of->hoho, CHART_SOLID}, {to, of->hoho, CHART_SOLID}};
    chart_point hohe[] = {{from, of->hohe, CHART_SOLID}, {to, of->hohe, CHART_SOLID}};
    const chart_curve all[] = {
        {.label = {.words = "HoHo: one process on each processor, equal data"}, .points = hoho, .count = 2},
        {.label = {.words = "HoHe: one process on each, data dealt by speed"}, .points = hohe, .count = 2},
        {.label = {.words = "the best placement of so many processes, equal data"}, .points = points, .count = count}};
    const chart_mark mark = {.x = chosen, .y = of->chosen.time, .curve = CURVES - 1, .label = {.words = of->label}};
    text_buffer title = {0};
    text_addf(&title, "time, in %s%s", of->unit, high ? "; logarithmic" : "");
    const chart drawn = {
        .title = of->title,
        .x = {.title = wide ? "processes; logarithmic" : "processes", .logarithmic = wide, .from = NAN, .to = NAN},
        .y = {.title = title.data, .logarithmic = high, .from = NAN, .to = NAN},
        .curves = all,
        .curve_count = count > 0 ? CURVES : CURVES - 1,
        .marks = &mark,
        .mark_count = 1};
    int status = title.failed ? diag_no_memory(diag) : chart_write_svg(&drawn, path, diag);
    text_clear(&title);
    return status;
}

int inlay_processes_draw_svg(const inlay_process_picture *picture, const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = check(picture, path, diag);
    if (status != INLAY_OK) {
        return status;
    }
    chart_point *points = memory_array(picture->count + 1, sizeof *points);
    status = points != NULL ? draw(picture, points, path, diag) : diag_no_memory(diag);
    free(points);
    return status;
}
