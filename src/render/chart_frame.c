/* What stands under and around the curves of a chart: ranges and grid, axes, titles, legend. */
#include "render/chart_parts.h"
#include <math.h>

enum { ROW = 19, SAMPLE = 40, SAMPLE_GAP = 10, SWATCH = 12, TITLE_TEXT = 16, TITLE_MOST = 120 };

static const char edge_style[] = " stroke=\"#6B6B6B\" stroke-width=\"1.25\"";

static const char *fill_style(chart_fill fill)
{
    return fill == CHART_SHADED ? " fill=\"#EAF1F6\"" : " fill=\"url(#hatched)\"";
}

/* ---- Legend ---- */

/** What a line of the legend explains, and so what its sample looks like. */
typedef enum legend_kind { OF_CURVE, OF_DASHED, OF_BAND, OF_RANGE, OF_MARKS, OF_MARK } legend_kind;

typedef struct legend_line {
    legend_kind kind;
    size_t number; /**< of the curve, range or mark */
    chart_label label;
} legend_line;

/** A line in the colour of a curve. */
static void draw_stroke(plot *on, size_t curve, chart_place_xy from, chart_place_xy end)
{
    text_buffer style = {0};
    text_addf(&style, " stroke=\"%s\" stroke-width=\"2.25\"", curve_colour(curve));
    svg_line(&on->svg, from, end, style.failed ? "" : style.data);
    text_settle(&style, &on->svg);
}

static void draw_sample(plot *on, const legend_line *line, double left, double middle)
{
    text_buffer *svg = &on->svg;
    chart_place_xy from = {left, middle};
    chart_place_xy end = {left + SAMPLE, middle};
    chart_place_xy centre = {left + SAMPLE / 2.0, middle};
    double top = middle - SWATCH / 2.0;
    size_t curve;
    switch (line->kind) {
    case OF_CURVE:
        draw_stroke(on, line->number, from, end);
        curve_marker(svg, line->number, centre);
        break;
    case OF_DASHED:
        svg_line(svg, from, end, " stroke=\"#555555\" stroke-width=\"2.25\" stroke-dasharray=\"7 4\"");
        break;
    case OF_BAND:
        svg_box(svg, left, top, SAMPLE, SWATCH,
                " fill=\"#555555\" fill-opacity=\"0.2\" stroke=\"#555555\" stroke-opacity=\"0.45\"");
        break;
    case OF_RANGE:
        svg_box(svg, left, top, SAMPLE, SWATCH, fill_style(on->of->ranges[line->number].fill));
        svg_box(svg, left, top, SAMPLE, SWATCH, " fill=\"none\" stroke=\"#6B6B6B\"");
        break;
    case OF_MARKS: svg_dot(svg, centre, "#555555", ""); break;
    case OF_MARK:
        curve = on->of->marks[line->number].curve;
        draw_stroke(on, curve, from, end);
        curve_marker(svg, curve, from);
        svg_dot(svg, centre, curve_colour(curve), "");
        break;
    }
}

/** Draw a line, if it says anything, below the lines so far; `bottom` is where they end. */
static void add_legend(plot *on, const legend_line *line, double *bottom)
{
    if (line->label.name == NULL && line->label.words == NULL) {
        return;
    }
    double text_left = CHART_MARGIN + SAMPLE + SAMPLE_GAP;
    double middle = *bottom + ROW / 2.0;
    text_buffer text = {0};
    if (line->kind == OF_MARK) {
        text_addf(&text, "%zu: ", line->number + 1);
    }
    double taken = text_left + svg_width(text_content(&text), CHART_SMALL_TEXT);
    svg_label(&text, &line->label, CHART_SMALL_TEXT, CHART_WIDTH - CHART_MARGIN - taken);
    draw_sample(on, line, CHART_MARGIN, middle);
    svg_text(&on->svg, (chart_place_xy){text_left, middle + CHART_SMALL_TEXT * 0.35}, CHART_SMALL_TEXT, "start",
             text_content(&text));
    text_settle(&text, &on->svg);
    *bottom += ROW;
}

static double draw_legend(plot *on, double top)
{
    const chart *of = on->of;
    double bottom = top;
    for (size_t c = 0; c < of->curve_count; c++) {
        add_legend(on, &(legend_line){OF_CURVE, c, of->curves[c].label}, &bottom);
    }
    add_legend(on, &(legend_line){OF_BAND, 0, {NULL, of->key.band}}, &bottom);
    add_legend(on, &(legend_line){OF_DASHED, 0, {NULL, of->key.dashed}}, &bottom);
    for (size_t r = 0; r < of->range_count; r++) {
        add_legend(on, &(legend_line){OF_RANGE, r, {NULL, of->ranges[r].words}}, &bottom);
    }
    add_legend(on, &(legend_line){OF_MARKS, 0, {NULL, of->key.mark}}, &bottom);
    for (size_t m = 0; on->numbered && m < of->mark_count; m++) {
        add_legend(on, &(legend_line){OF_MARK, m, of->marks[m].label}, &bottom);
    }
    return bottom;
}

/* ---- Axes and titles ---- */

static void draw_title(plot *on, const char *title, chart_place_xy at, double size, const char *anchor)
{
    text_buffer text = {0};
    svg_escaped(&text, title ? title : "", TITLE_MOST);
    svg_words(&on->svg, at, size, anchor, &text);
}

static void draw_y_axis(plot *on)
{
    for (size_t i = 0; i < on->y_ticks.count; i++) {
        double y = chart_place(&on->y, on->y_ticks.value[i]);
        double reach = on->y_ticks.labelled[i] ? 5 : 3;
        svg_line(&on->svg, (chart_place_xy){on->x.start - reach, y}, (chart_place_xy){on->x.start, y}, SVG_AXIS);
        if (on->y_ticks.labelled[i]) {
            chart_place_xy at = {on->x.start - 9, y + CHART_TEXT * 0.35};
            svg_number(&on->svg, at, CHART_TEXT, "end", on->y_ticks.value[i], TICK_DIGITS);
        }
    }
    draw_title(on, on->of->y.title, (chart_place_xy){CHART_MARGIN, PLOT_TOP - 14}, CHART_TEXT, "start");
}

/** One line of numbers below the x axis, at height `y`. */
static void draw_row(plot *on, const char *row, double factor, int digits, double y)
{
    if (row) {
        draw_title(on, row, (chart_place_xy){on->x.start - 18, y}, CHART_TEXT, "end");
    }
    for (size_t i = 0; i < on->x_ticks.count; i++) {
        double value = on->x_ticks.value[i];
        if (on->x_ticks.labelled[i]) {
            svg_number(&on->svg, (chart_place_xy){chart_place(&on->x, value), y}, CHART_TEXT, "middle", value * factor,
                       digits);
        }
    }
}

/** Gives where the axis with its words ends. */
static double draw_x_axis(plot *on)
{
    double bottom = on->y.start + 20;
    for (size_t i = 0; i < on->x_ticks.count; i++) {
        double x = chart_place(&on->x, on->x_ticks.value[i]);
        double reach = on->x_ticks.labelled[i] ? 5 : 3;
        svg_line(&on->svg, (chart_place_xy){x, on->y.start}, (chart_place_xy){x, on->y.start + reach}, SVG_AXIS);
    }
    draw_row(on, on->of->x.row, 1, TICK_DIGITS, bottom);
    if (on->of->x.second_row) {
        bottom += 18;
        draw_row(on, on->of->x.second_row, on->of->x.second_factor, SECOND_DIGITS, bottom);
    }
    bottom += 22;
    draw_title(on, on->of->x.title, (chart_place_xy){(on->x.start + on->x.end) / 2, bottom}, CHART_TEXT, "middle");
    return bottom;
}

double draw_words(plot *on)
{
    svg_box(&on->svg, on->x.start, PLOT_TOP, on->x.end - on->x.start, on->y.start - PLOT_TOP, SVG_FRAME);
    draw_title(on, on->of->title, (chart_place_xy){CHART_MARGIN, CHART_MARGIN + TITLE_TEXT - 4}, TITLE_TEXT, "start");
    draw_y_axis(on);
    double bottom = draw_x_axis(on);
    return draw_legend(on, bottom + ROW / 2.0);
}

/* ---- Under the curves ---- */

/** Fill a range; its ends get lines where they lie inside the plot. */
static void draw_range(plot *on, const chart_range *range)
{
    double from = fmax(range->from, on->x.from);
    double to = fmin(range->to, on->x.to);
    if (from >= to) {
        return;
    }
    double left = chart_place(&on->x, from);
    double right = chart_place(&on->x, to);
    svg_box(&on->svg, left, PLOT_TOP, right - left, on->y.start - PLOT_TOP, fill_style(range->fill));
    if (from > on->x.from) {
        svg_line(&on->svg, (chart_place_xy){left, PLOT_TOP}, (chart_place_xy){left, on->y.start}, edge_style);
    }
    if (to < on->x.to) {
        svg_line(&on->svg, (chart_place_xy){right, PLOT_TOP}, (chart_place_xy){right, on->y.start}, edge_style);
    }
}

static void draw_grid(plot *on)
{
    for (size_t i = 0; i < on->x_ticks.count; i++) {
        double x = chart_place(&on->x, on->x_ticks.value[i]);
        if (on->x_ticks.labelled[i])
            svg_line(&on->svg, (chart_place_xy){x, PLOT_TOP}, (chart_place_xy){x, on->y.start}, SVG_GRID);
    }
    for (size_t i = 0; i < on->y_ticks.count; i++) {
        double y = chart_place(&on->y, on->y_ticks.value[i]);
        if (on->y_ticks.labelled[i])
            svg_line(&on->svg, (chart_place_xy){on->x.start, y}, (chart_place_xy){on->x.end, y}, SVG_GRID);
    }
}

void draw_ground(plot *on)
{
    for (size_t r = 0; r < on->of->range_count; r++) {
        draw_range(on, &on->of->ranges[r]);
    }
    draw_grid(on);
}
