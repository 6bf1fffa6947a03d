/* What the files of the chart writer share: scales with their ticks, SVG, and the plot that is being drawn. */
#ifndef RENDER_CHART_PARTS_H
#define RENDER_CHART_PARTS_H

#include "render/chart.h"

/* ---- Scales ---- */

/** From values to places: `from` and `to` stand at `start` and `end`, in pixels. */
typedef struct chart_scale {
    double from, to;
    bool logarithmic;
    double start, end;
} chart_scale;

/** Least and largest of some values; least > largest while there are none. */
typedef struct chart_extent {
    double least, largest;
} chart_extent;

/**
 * A scale that holds the data and what its axis asks for. Ends that come from the data lie on round numbers. `start` and
 * `end` are left 0.
 */
chart_scale chart_fit(const chart_axis *axis, chart_extent data, int intervals);

double chart_place(const chart_scale *scale, double value);

enum { CHART_TICKS = 128 };

typedef struct chart_ticks {
    double value[CHART_TICKS];
    bool labelled[CHART_TICKS];
    size_t count;
} chart_ticks;

/** Round numbers on a scale, in rising order: about `intervals` labelled steps at most. */
void chart_find_ticks(const chart_scale *scale, int intervals, chart_ticks *ticks);

/* ---- SVG ---- */

typedef struct chart_place_xy {
    double x, y;
} chart_place_xy;

/** A place or a length in pixels, with two decimals at most. */
void svg_pixels(text_buffer *to, double pixels);

/** ` name="pixels"` */
void svg_attribute(text_buffer *to, const char *name, double pixels);

/** Any bytes as the content of an element, cut in the middle to `most` characters. */
void svg_escaped(text_buffer *to, const char *bytes, size_t most);

/** `style` is a list of further attributes that begins with a blank, or "". */
void svg_line(text_buffer *to, chart_place_xy from, chart_place_xy end, const char *style);
void svg_box(text_buffer *to, double left, double top, double width, double height, const char *style);

/** The dot of a mark; `title` is escaped, "" for none. */
void svg_dot(text_buffer *to, chart_place_xy at, const char *colour, const char *title);

/** ` points="..."` of a polyline or polygon. */
void svg_points(text_buffer *to, const chart_place_xy *places, size_t count);

/** A text of escaped content; `anchor` is start, middle or end. */
void svg_text(text_buffer *to, chart_place_xy at, double size, const char *anchor, const char *content);

/** Pixels that an escaped text takes at most in any of the usual fonts without serifs. */
double svg_width(const char *content, double size);

/** A label as escaped content, its name cut until all of it takes no more than `room` pixels, if it can be. */
void svg_label(text_buffer *to, const chart_label *label, double size, double room);

/** svg_text() of escaped content, which is emptied. */
void svg_words(text_buffer *to, chart_place_xy at, double size, const char *anchor, text_buffer *content);

/** svg_text() of a label, cut as svg_label() does. */
void svg_named(text_buffer *to, chart_place_xy at, double size, const char *anchor, chart_label label, double room);

/** svg_text() of a number with at most `digits` significant digits. */
void svg_number(text_buffer *to, chart_place_xy at, double size, const char *anchor, double value, int digits);

/** The title of a picture, in its corner. */
void svg_title(text_buffer *to, const char *words);

#define SVG_AXIS  " stroke=\"#222222\" stroke-width=\"1\""
#define SVG_GRID  " stroke=\"#D4D4D4\" stroke-width=\"1\""
#define SVG_FRAME " fill=\"none\" stroke=\"#222222\" stroke-width=\"1\""

/** Hatching for what messages take: fill="url(#messages)" where a picture's `definitions` have it. */
#define SVG_MESSAGES                                                                                                   \
    "<pattern id=\"messages\" patternUnits=\"userSpaceOnUse\" width=\"6\" height=\"6\">"                               \
    "<path d=\"M0 0H6V6H0Z\" fill=\"#9CCBEA\"/>"                                                                       \
    "<path d=\"M0 6L6 0\" stroke=\"#0072B2\" stroke-width=\"1.5\"/></pattern>"

/** A picture as a file: its size in pixels, its title as viewers show it, and patterns, or NULL for none. */
typedef struct svg_page {
    double width, height;
    const char *title, *definitions;
} svg_page;

/** Write it on white ground; `body` is emptied whatever happens. */
int svg_write(const svg_page *page, text_buffer *body, const char *path, inlay_diag *diag);

/* ---- The plot ---- */

/** Pixels. */
enum {
    CHART_WIDTH = 900,
    CHART_MARGIN = 16,
    PLOT_TOP = 66,
    PLOT_HEIGHT = 420,
    CHART_TEXT = 13,
    CHART_SMALL_TEXT = 12,
    MARKER_SIZE = 4,
    MARK_RADIUS = 5
};

/** Where the label of a mark stands. */
typedef struct chart_placed {
    double left, top, width, height;
    bool shown; /**< there was room for it */
} chart_placed;

typedef struct plot {
    const chart *of;
    text_buffer svg;
    chart_scale x, y;
    chart_ticks x_ticks, y_ticks;
    chart_placed *placed; /**< of what stands beside the marks, one a mark; owned */
    bool numbered;        /**< there was no room for all labels: the legend has them, by number */
} plot;

chart_place_xy plot_place(const plot *on, double x, double y);

/** "#0072B2": the colour of a curve. */
const char *curve_colour(size_t curve);

/** The marker of a curve, centred. */
void curve_marker(text_buffer *to, size_t curve, chart_place_xy at);

/**
 * The corners of a curve's line in pixels: of a curve of steps two a point. *places is the caller's to free; false when
 * out of memory. `lead` of corner i is that of the line that comes to it.
 */
typedef struct curve_line {
    chart_place_xy *places;
    chart_lead *leads;
    size_t count;
} curve_line;

bool curve_line_make(const plot *on, const chart_curve *curve, curve_line *line);
void curve_line_clear(curve_line *line);

typedef struct place_list {
    chart_place_xy *places; /**< owned */
    size_t count, capacity;
    bool failed;
} place_list;

void place_list_add(place_list *to, chart_place_xy place);

/** Add places on the line, `spacing` apart from `first` on, and every point that no line leads to or from. */
void curve_line_walk(const curve_line *line, double first, double spacing, place_list *to);

/** Digits of the numbers at ticks: enough for round numbers, and for those of a second line. */
enum { TICK_DIGITS = 12, SECOND_DIGITS = 3 };

/** What lies under the curves: ranges and grid. */
void draw_ground(plot *on);

/** What stands around them: axes, titles and legend. Gives where they end. */
double draw_words(plot *on);

/** The curves with their bands and markers. */
void draw_curves(plot *on);

/** Find room for the labels of the marks. */
void place_marks(plot *on);
void draw_marks(plot *on);

#endif
