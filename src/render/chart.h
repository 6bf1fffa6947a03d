/*
 * Charts: curves over two numeric axes, written as plain SVG 1.1 with text as text.
 *
 * No library draws them, on purpose: the plotting libraries for C that write SVG are no longer maintained, or draw
 * letters as outlines, and what a chart needs is little.
 *
 * Curves differ in colour and in marker, so that they are told apart without colours too; a dashed line means
 * something (chart_key says what) and never which curve it is. All texts may hold any bytes: what is no printable UTF-8
 * stands as \xHH, and names are cut in the middle where they are too long.
 */
#ifndef RENDER_CHART_H
#define RENDER_CHART_H

#include "base/text.h"
#include <inlay/status.h>

/** Curves that can be told apart, and the size that no number of a chart passes (of logarithms: nor its inverse). */
enum { CHART_CURVES = 42 };
#define CHART_LARGEST 1e100

/** How the line comes to a point from the one before it. */
typedef enum chart_lead { CHART_SOLID, CHART_DASHED, CHART_APART } chart_lead;

typedef struct chart_point {
    double x, y;
    chart_lead lead; /**< of the first point it does not matter */
} chart_point;

/** A point of a band: it reaches from `low` to `high`. */
typedef struct chart_span {
    double x, low, high;
} chart_span;

/** A user's name, and words of ours that follow it as they are. Either may be NULL. */
typedef struct chart_label {
    const char *name;
    const char *words;
} chart_label;

typedef struct chart_curve {
    chart_label label;
    const chart_point *points; /**< x does not fall */
    size_t count;
    bool steps;             /**< y holds until the next point's x */
    const chart_span *band; /**< pale, in the curve's colour; x does not fall */
    size_t band_count;
} chart_curve;

typedef enum chart_fill { CHART_SHADED, CHART_HATCHED } chart_fill;

/** A part of the x axis that is set off from the rest. */
typedef struct chart_range {
    double from, to;
    chart_fill fill;
    const char *words; /**< for the legend */
} chart_range;

typedef struct chart_mark {
    double x, y;
    size_t curve; /**< whose colour it has */
    chart_label label;
} chart_mark;

typedef struct chart_axis {
    const char *title; /**< what it shows, with its unit */
    bool logarithmic;
    double from, to;        /**< values that it holds besides the data, which become its ends; NAN: none */
    const char *row;        /**< stands before the numbers at the ticks; NULL: nothing (x axis) */
    const char *second_row; /**< the same of a second line of numbers; NULL: none (x axis) */
    double second_factor;   /**< numbers of the second line over those of the first */
} chart_axis;

/** What is meant by dashed lines, bands and marks: lines of the legend, NULL where there are none. */
typedef struct chart_key {
    const char *dashed, *band, *mark;
} chart_key;

typedef struct chart {
    const char *title;
    chart_axis x, y;
    const chart_curve *curves;
    size_t curve_count;
    const chart_range *ranges;
    size_t range_count;
    const chart_mark *marks;
    size_t mark_count;
    chart_key key;
    double height; /**< of the plot in pixels; 0: 420 */
} chart;

/**
 * Write a chart; the same chart has the same bytes, whatever the locale.
 * INLAY_BAD_ARGUMENT for numbers that are not finite or beyond CHART_LARGEST, for those that are not positive on a
 * logarithmic axis, and for more than CHART_CURVES curves.
 */
int chart_write_svg(const chart *of, const char *path, inlay_diag *diag);

/** The same for charts below each other, their x axes aligned; the first one's title is that of the whole. */
int chart_write_stack_svg(const chart *charts, size_t count, const char *path, inlay_diag *diag);

/** A number with at most `digits` (1 to 15) significant digits: "0.25", "1234.5", "2.5e-9"; "-" if not finite. */
void chart_number(text_buffer *to, double x, int digits);

#endif
