/* A chart as a whole: what it is checked for, and its lay-out. */
#include "render/chart.h"
#include "base/diag.h"
#include "base/memory.h"
#include "render/chart_parts.h"
#include <math.h>
#include <stdlib.h>

enum { X_INTERVALS = 11, Y_INTERVALS = 8 };

/* ---- Checking, and how far the data reach ---- */

/** Where something is wrong. */
typedef struct checking {
    const chart *of;
    chart_extent x, y;
    inlay_diag *diag;
    int status;
} checking;

static void check_number(checking *in, const chart_axis *axis, chart_extent *extent, double value, const char *what,
                         size_t number)
{
    double least = axis->logarithmic ? 1 / CHART_LARGEST : -CHART_LARGEST;
    if (!(value >= least && value <= CHART_LARGEST)) {
        in->status = diag_fail(in->diag, INLAY_BAD_ARGUMENT,
                               "%s %zu of the chart has the number %g; expected a finite number from %g to %g", what,
                               number, value, least, CHART_LARGEST);
        return;
    }
    extent->least = fmin(extent->least, value);
    extent->largest = fmax(extent->largest, value);
}

static void check_curve(checking *in, size_t number)
{
    const chart_curve *curve = &in->of->curves[number];
    for (size_t i = 0; i < curve->count; i++) {
        check_number(in, &in->of->x, &in->x, curve->points[i].x, "curve", number);
        check_number(in, &in->of->y, &in->y, curve->points[i].y, "curve", number);
    }
    for (size_t i = 0; i < curve->band_count; i++) {
        check_number(in, &in->of->x, &in->x, curve->band[i].x, "band", number);
        check_number(in, &in->of->y, &in->y, curve->band[i].low, "band", number);
        check_number(in, &in->of->y, &in->y, curve->band[i].high, "band", number);
    }
}

/** The ends that an axis asks for; NaN asks for none. */
static void check_axis(checking *in, const chart_axis *axis, chart_extent *extent)
{
    if (!isnan(axis->from)) check_number(in, axis, extent, axis->from, "axis end", 0);
    if (!isnan(axis->to)) check_number(in, axis, extent, axis->to, "axis end", 1);
}

static int check(checking *in)
{
    const chart *of = in->of;
    if (of->curve_count > CHART_CURVES) {
        return diag_fail(in->diag, INLAY_BAD_ARGUMENT,
                         "%zu curves in one chart; expected at most %d, which can be told apart", of->curve_count,
                         CHART_CURVES);
    }
    check_axis(in, &of->x, &in->x);
    check_axis(in, &of->y, &in->y);
    for (size_t c = 0; c < of->curve_count; c++) {
        check_curve(in, c);
    }
    for (size_t r = 0; r < of->range_count; r++) {
        chart_extent not_held = {0};
        check_number(in, &of->x, &not_held, of->ranges[r].from, "range", r);
        check_number(in, &of->x, &not_held, of->ranges[r].to, "range", r);
    }
    for (size_t m = 0; m < of->mark_count; m++) {
        check_number(in, &of->x, &in->x, of->marks[m].x, "mark", m);
        check_number(in, &of->y, &in->y, of->marks[m].y, "mark", m);
    }
    return in->status;
}

/* ---- Lay-out ---- */

static double number_width(plot *on, double value)
{
    text_buffer text = {0};
    chart_number(&text, value, TICK_DIGITS);
    on->svg.failed |= text.failed;
    double width = text.failed ? 0 : svg_width(text.data, CHART_TEXT);
    text_clear(&text);
    return width;
}

/** The left end of the plot: the numbers of the y axis and what stands before those of the x axis need room. */
static double left_end(plot *on)
{
    double widest = 40;
    const char *rows[] = {on->of->x.row, on->of->x.second_row};
    for (size_t i = 0; i < on->y_ticks.count; i++) {
        if (on->y_ticks.labelled[i]) widest = fmax(widest, number_width(on, on->y_ticks.value[i]));
    }
    for (size_t i = 0; i < 2; i++) {
        if (rows[i]) widest = fmax(widest, svg_width(rows[i], CHART_TEXT) + 20);
    }
    return CHART_MARGIN + widest + 10;
}

static void lay_out(plot *on, const checking *data)
{
    on->x = chart_fit(&on->of->x, data->x, X_INTERVALS);
    on->y = chart_fit(&on->of->y, data->y, Y_INTERVALS);
    chart_find_ticks(&on->x, X_INTERVALS, &on->x_ticks);
    chart_find_ticks(&on->y, Y_INTERVALS, &on->y_ticks);
    on->y.start = PLOT_TOP + (on->of->height > 0 ? on->of->height : PLOT_HEIGHT);
    on->y.end = PLOT_TOP;
    on->x.start = left_end(on);
    on->x.end = CHART_WIDTH - CHART_MARGIN - 20;
}

/* ---- Charts below each other ---- */

static int make_plots(const chart *charts, plot *plots, size_t count, inlay_diag *diag)
{
    double left = 0;
    for (size_t i = 0; i < count; i++) {
        chart_extent none = {INFINITY, -INFINITY};
        checking data = {&charts[i], none, none, diag, INLAY_OK};
        int status = check(&data);
        if (status != INLAY_OK) {
            return status;
        }
        plots[i].of = &charts[i];
        lay_out(&plots[i], &data);
        left = fmax(left, plots[i].x.start);
    }
    for (size_t i = 0; i < count; i++) {
        plots[i].x.start = left;
        place_marks(&plots[i]);
    }
    return INLAY_OK;
}

/** Draw a plot where the one before ends; gives where this one does. */
static double draw_plot(plot *on, double top, text_buffer *to)
{
    draw_ground(on);
    draw_curves(on);
    draw_marks(on);
    double bottom = draw_words(on);
    if (top > 0) {
        text_add(to, "<g transform=\"translate(0 ");
        svg_pixels(to, top);
        text_add(to, ")\">\n");
    }
    text_add(to, text_content(&on->svg));
    text_add(to, top > 0 ? "</g>\n" : "");
    to->failed |= on->svg.failed;
    return top + ceil(bottom + CHART_MARGIN);
}

static int write_file(plot *plots, size_t count, const char *path, inlay_diag *diag)
{
    static const char hatched[] = "<pattern id=\"hatched\" patternUnits=\"userSpaceOnUse\" width=\"8\" height=\"8\">"
                                  "<path d=\"M0 8L8 0\" stroke=\"#9A9A9A\" stroke-width=\"1\"/></pattern>";
    text_buffer body = {0};
    double height = 0;
    for (size_t i = 0; i < count; i++) {
        height = draw_plot(&plots[i], height, &body);
    }
    return svg_write(&(svg_page){CHART_WIDTH, height, plots[0].of->title, hatched}, &body, path, diag);
}

int chart_write_stack_svg(const chart *charts, size_t count, const char *path, inlay_diag *diag)
{
    plot *plots = memory_zeroed(count, sizeof *plots);
    int status = plots == NULL ? diag_no_memory(diag) : make_plots(charts, plots, count, diag);
    status = status == INLAY_OK ? write_file(plots, count, path, diag) : status;
    for (size_t i = 0; plots != NULL && i < count; i++) {
        free(plots[i].placed);
        text_clear(&plots[i].svg);
    }
    free(plots);
    return status;
}

int chart_write_svg(const chart *of, const char *path, inlay_diag *diag)
{
    return chart_write_stack_svg(of, 1, path, diag);
}
