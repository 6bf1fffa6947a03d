/* A sweep in three charts over the time frame T: clusters, estimates, mean delay. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "render/chart.h"
#include <inlay/render.h>
#include <math.h>

/* A scale of T is logarithmic where the last step is above so many times the first. */
static const double linear_ratio = 12;

/* How far the curves go on beyond the last step, which has no end: as a share of its T. */
static const double beyond = 1.12;

/* Of more rows than so many, and of more intervals, only some are drawn: a picture has no more columns of pixels. */
enum { MOST_ROWS = 1500, MOST_RANGES = 400, PLOT = 200, MARKS = 5 };

typedef struct picture {
    memory_pool arrays; /**< owns them */
    const inlay_sweep_result *sweep;
    double end; /* of the x axis */
    bool logarithmic;
    chart_point *clusters, *estimate, *fixed_point, *elapsed, *delay; /* owned, as the arrays that follow */
    size_t cluster_count, estimate_count, fixed_point_count, elapsed_count, delay_count;
    chart_range *ranges;
    size_t range_count;
    chart_mark marks[MARKS], times[MARKS];
    size_t mark_count, time_count;
    text_buffer mark_words[MARKS];
    text_buffer title, x_title, y_title, delay_title, estimate_words;
} picture;

static double in_units(const picture *of, inlay_time time)
{
    return inlay_sweep_time(of->sweep, time);
}

/* ---- Curves ---- */

/* A curve of steps; where there is no value it breaks off. */
static void add_step(chart_point *points, size_t *count, double x, double y, double x_before_break, bool *broken)
{
    if (!isfinite(y)) {
        if (!*broken && *count > 0) {
            points[*count] = (chart_point){x_before_break, points[*count - 1].y, CHART_SOLID};
            ++*count;
        }
        *broken = true;
        return;
    }
    points[(*count)++] = (chart_point){x, y, *broken ? CHART_APART : CHART_SOLID};
    *broken = false;
}

/* One figure of all rows that are drawn, and its last value up to the end of the axis. */
typedef double figure_of(const inlay_sweep_row *row);

static size_t add_curve(const picture *of, figure_of *figure, chart_point *points)
{
    size_t rows = inlay_sweep_rows(of->sweep), count = 0, stride = rows / MOST_ROWS + 1;
    bool broken = false;
    for (size_t i = 0; i < rows; i += stride) {
        const inlay_sweep_row *row = inlay_sweep_row_at(of->sweep, i);
        double x = in_units(of, row->time_frame);
        add_step(points, &count, x, figure(row), x, &broken);
    }
    add_step(points, &count, of->end, NAN, of->end, &broken);
    return count;
}

static double clusters_of(const inlay_sweep_row *row)
{
    return row->clusters;
}

static double estimate_of(const inlay_sweep_row *row)
{
    return row->cost.estimate;
}

static double fixed_point_of(const inlay_sweep_row *row)
{
    return row->estimate_fixed_point;
}

static double elapsed_of(const inlay_sweep_row *row)
{
    return row->elapsed;
}

static double delay_of(const inlay_sweep_row *row)
{
    return row->cost.delay;
}

/* ---- Ranges and marks ---- */

static void add_ranges(picture *of)
{
    size_t count;
    const inlay_sweep_interval *fits = inlay_sweep_fits(of->sweep, &count);
    size_t stride = count / MOST_RANGES + 1;
    for (size_t i = 0; i < count; i += stride) {
        /* one line of the legend is enough */
        of->ranges[of->range_count++] = (chart_range){.from = fits[i].from,
                                                      .to = fmin(fits[i].to, of->end),
                                                      .fill = CHART_SHADED,
                                                      .words = i == 0 ? "all fits, messages included" : NULL};
    }
}

/* A T that stands out, with all that it stands out for: "T_MIN, best 133". */
typedef struct named_point {
    const char *name;
    const inlay_sweep_point *point;
} named_point;

static void add_name(text_buffer *words, const named_point *points, size_t i)
{
    for (size_t j = i; j < MARKS; j++) {
        if (points[j].point->exists && points[j].point->time_frame == points[i].point->time_frame) {
            text_addf(words, "%s%s", j > i ? ", " : "", points[j].name);
        }
    }
    text_add(words, " ");
    chart_number(words, points[i].point->time_frame, 6);
}

static bool is_first(const named_point *points, size_t i)
{
    for (size_t j = 0; j < i; j++) {
        if (points[j].point->exists && points[j].point->time_frame == points[i].point->time_frame) {
            return false;
        }
    }
    return points[i].point->exists;
}

static void add_marks(picture *of)
{
    const inlay_sweep_summary *s = inlay_sweep_summary_of(of->sweep);
    const named_point points[MARKS] = {
        {"T_MIN", &s->t_min}, {"T_FIT", &s->t_fit}, {"T_PAR", &s->t_par}, {"best", &s->best}, {"given", &s->given}};
    for (size_t i = 0; i < MARKS; i++) {
        if (!is_first(points, i)) {
            continue;
        }
        const inlay_sweep_point *point = points[i].point;
        add_name(&of->mark_words[i], points, i);
        chart_mark mark = {.x = point->time_frame, .label = {.words = of->mark_words[i].data}};
        mark.y = inlay_sweep_row_at(of->sweep, point->row)->clusters;
        of->marks[of->mark_count++] = mark;
        mark.y = point->cost.estimate;
        if (isfinite(mark.y)) {
            of->times[of->time_count++] = mark;
        }
    }
}

/* ---- The charts ---- */

static chart_axis time_axis(const picture *of)
{
    return (chart_axis){.title = of->x_title.data, .logarithmic = of->logarithmic, .from = NAN, .to = of->end};
}

static chart_axis plain_axis(const char *title, double from)
{
    return (chart_axis){.title = title, .from = from, .to = NAN};
}

static int write_charts(const picture *of, const char *path, inlay_diag *diag)
{
    const chart_curve clusters = {
        .label = {.words = "clusters"}, .points = of->clusters, .count = of->cluster_count, .steps = true};
    const chart_curve times[] = {
        {.label = {.words = of->estimate_words.data},
         .points = of->estimate,
         .count = of->estimate_count,
         .steps = true},
        {.label = {.words = "estimate with T equal to it"},
         .points = of->fixed_point,
         .count = of->fixed_point_count,
         .steps = true},
        {.label = {.words = "elapsed"}, .points = of->elapsed, .count = of->elapsed_count, .steps = true},
    };
    const chart_curve delay = {.label = {.words = "mean delay D at the least T of each clustering"},
                               .points = of->delay,
                               .count = of->delay_count,
                               .steps = true};
    const chart_axis x = time_axis(of);
    const chart charts[] = {
        {.title = of->title.data,
         .x = x,
         .y = plain_axis("clusters", 0),
         .curves = &clusters,
         .curve_count = 1,
         .ranges = of->ranges,
         .range_count = of->range_count,
         .marks = of->marks,
         .mark_count = of->mark_count,
         .height = PLOT},
        {.title = "Elapsed time over the time frame T",
         .x = x,
         .y = plain_axis(of->y_title.data, NAN),
         .curves = times,
         .curve_count = sizeof times / sizeof *times - (of->elapsed_count == 0),
         .marks = of->times,
         .mark_count = of->time_count,
         .height = PLOT},
        {.title = "Mean delay over the time frame T",
         .x = x,
         .y = plain_axis(of->delay_title.data, NAN),
         .curves = &delay,
         .curve_count = 1,
         .height = PLOT},
    };
    return chart_write_stack_svg(charts, sizeof charts / sizeof *charts, path, diag);
}

/* ---- The whole ---- */

static void choose_axis(picture *of)
{
    const inlay_sweep_summary *s = inlay_sweep_summary_of(of->sweep);
    size_t rows = inlay_sweep_rows(of->sweep);
    const inlay_sweep_point *points[] = {&s->t_min, &s->t_fit, &s->t_par, &s->best, &s->given};
    double first = in_units(of, inlay_sweep_row_at(of->sweep, 0)->time_frame);
    double last = in_units(of, inlay_sweep_row_at(of->sweep, rows - 1)->time_frame);
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        last = points[i]->exists ? fmax(last, points[i]->time_frame) : last;
    }
    of->end = last * beyond;
    of->logarithmic = of->end > linear_ratio * first;
}

static void add_titles(picture *of)
{
    inlay_unit unit = inlay_app_unit(inlay_sweep_app(of->sweep));
    const char *name = inlay_unit_word(unit);
    text_addf(&of->title, "Clusters over the time frame T: %s on %s", inlay_app_name(inlay_sweep_app(of->sweep)),
              inlay_machine_text(inlay_sweep_machine(of->sweep)));
    text_addf(&of->x_title, "time frame T, in %s%s", name, of->logarithmic ? "; logarithmic" : "");
    text_addf(&of->y_title, "elapsed time, in %s", name);
    inlay_network network = inlay_machine_network(inlay_sweep_machine(of->sweep));
    text_addf(&of->delay_title, "mean delay D, in %s",
              network == INLAY_NETWORK_OMEGA      ? name
              : network == INLAY_NETWORK_OMEGA_PE ? "cycles"
                                                  : "transfers");
}

/* With the errors that the study knows at the loads of all estimates together. */
static void add_estimate_words(picture *of)
{
    inlay_error_band all = {0}, one;
    bool known = true;
    char text[INLAY_BAND_TEXT];
    for (size_t i = 0; i < inlay_sweep_rows(of->sweep); i++) {
        const inlay_sweep_cost *cost = &inlay_sweep_row_at(of->sweep, i)->cost;
        if (isnan(cost->estimate)) {
            continue;
        }
        known = known && inlay_estimate_band(inlay_sweep_machine(of->sweep), cost->load, &one);
        all.low = known ? fmin(all.low, one.low) : 0;
        all.high = known ? fmax(all.high, one.high) : 0;
    }
    text_addf(&of->estimate_words, "estimate at the least T of each clustering (%s)",
              inlay_error_band_text(known ? &all : NULL, text));
}

static bool allocate(picture *of)
{
    size_t points = 2 * (size_t)MOST_ROWS + 4, fits;
    (void)inlay_sweep_fits(of->sweep, &fits);
    of->clusters = pool_array(&of->arrays, points, sizeof *of->clusters);
    of->estimate = pool_array(&of->arrays, points, sizeof *of->estimate);
    of->fixed_point = pool_array(&of->arrays, points, sizeof *of->fixed_point);
    of->elapsed = pool_array(&of->arrays, points, sizeof *of->elapsed);
    of->delay = pool_array(&of->arrays, points, sizeof *of->delay);
    of->ranges = pool_array(&of->arrays, fits < MOST_RANGES ? fits : MOST_RANGES, sizeof *of->ranges);
    return !of->arrays.failed;
}

static void picture_clear(picture *of)
{
    for (size_t i = 0; i < MARKS; i++) {
        text_clear(&of->mark_words[i]);
    }
    text_clear(&of->title);
    text_clear(&of->x_title);
    text_clear(&of->y_title);
    text_clear(&of->delay_title);
    text_clear(&of->estimate_words);
    pool_clear(&of->arrays);
}

static bool has_failed(const picture *of)
{
    bool failed = of->title.failed || of->x_title.failed || of->y_title.failed || of->delay_title.failed ||
                  of->estimate_words.failed;
    for (size_t i = 0; i < MARKS; i++) {
        failed |= of->mark_words[i].failed;
    }
    return failed;
}

int inlay_sweep_draw_svg(const inlay_sweep_result *sweep, const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    picture of = {.sweep = sweep};
    bool fine = allocate(&of);
    if (fine) {
        choose_axis(&of);
        add_titles(&of);
        add_estimate_words(&of);
        of.cluster_count = add_curve(&of, clusters_of, of.clusters);
        of.estimate_count = add_curve(&of, estimate_of, of.estimate);
        of.fixed_point_count = add_curve(&of, fixed_point_of, of.fixed_point);
        of.elapsed_count = add_curve(&of, elapsed_of, of.elapsed);
        of.delay_count = add_curve(&of, delay_of, of.delay);
        add_ranges(&of);
        add_marks(&of);
    }
    int status = fine && !has_failed(&of) ? write_charts(&of, path, diag) : diag_no_memory(diag);
    picture_clear(&of);
    return status;
}
