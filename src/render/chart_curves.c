/* The curves of a chart: lines, bands and markers. */
#include "base/memory.h"
#include "render/chart_parts.h"
#include <math.h>
#include <stdlib.h>

/* Pixels between two markers of one curve. */
static const double marker_spacing = 120;

/*
 * M. Okabe, K. Ito, "Color universal design" (2008): told apart in the usual kinds of colour blindness; without their
 * yellow, which is too pale on white. The number of colours and that of markers have no common divisor, so the pairs
 * repeat only after CHART_CURVES.
 */
static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};

/** Corners of the markers over their size: square, triangles, diamond, bow tie, hourglass. Circles are marks. */
static const struct {
    size_t count;
    chart_place_xy corner[4];
} markers[] = {{4, {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}},         {3, {{-1.2, 1}, {1.2, 1}, {0, -1.2}}},
               {4, {{-1.3, 0}, {0, -1.3}, {1.3, 0}, {0, 1.3}}},   {3, {{-1.2, -1}, {1.2, -1}, {0, 1.2}}},
               {4, {{-1.2, -1}, {1.2, 1}, {1.2, -1}, {-1.2, 1}}}, {4, {{-1, -1.2}, {1, -1.2}, {-1, 1.2}, {1, 1.2}}}};

enum { COLOURS = sizeof colours / sizeof *colours, MARKERS = sizeof markers / sizeof *markers };
_Static_assert(COLOURS *MARKERS == CHART_CURVES, "each curve looks different");

const char *curve_colour(size_t curve)
{
    return colours[curve % COLOURS];
}

void curve_marker(text_buffer *to, size_t curve, chart_place_xy at)
{
    size_t m = curve % MARKERS;
    chart_place_xy places[4];
    for (size_t i = 0; i < markers[m].count; i++) {
        places[i].x = at.x + MARKER_SIZE * markers[m].corner[i].x;
        places[i].y = at.y + MARKER_SIZE * markers[m].corner[i].y;
    }
    text_add(to, "<polygon");
    svg_points(to, places, markers[m].count);
    text_addf(to, " fill=\"#FFFFFF\" stroke=\"%s\" stroke-width=\"1.5\"/>\n", curve_colour(curve));
}

/* ---- Lines as corners ---- */

chart_place_xy plot_place(const plot *on, double x, double y)
{
    return (chart_place_xy){chart_place(&on->x, x), chart_place(&on->y, y)};
}

bool curve_line_make(const plot *on, const chart_curve *curve, curve_line *line)
{
    size_t room = 2 * curve->count;
    *line = (curve_line){memory_array(room, sizeof *line->places), memory_array(room, sizeof *line->leads), 0};
    if (line->places == NULL || line->leads == NULL) {
        curve_line_clear(line);
        return false;
    }
    for (size_t i = 0; i < curve->count; i++) {
        chart_point point = curve->points[i];
        chart_lead lead = i == 0 ? CHART_APART : point.lead;
        if (curve->steps && lead != CHART_APART) {
            line->leads[line->count] = lead;
            line->places[line->count++] = plot_place(on, point.x, curve->points[i - 1].y);
        }
        line->leads[line->count] = lead;
        line->places[line->count++] = plot_place(on, point.x, point.y);
    }
    return true;
}

void curve_line_clear(curve_line *line)
{
    free(line->places);
    free(line->leads);
    *line = (curve_line){0};
}

void place_list_add(place_list *to, chart_place_xy place)
{
    if (to->failed || !memory_grow((void **)&to->places, &to->capacity, to->count + 1, sizeof *to->places)) {
        to->failed = true;
        return;
    }
    to->places[to->count++] = place;
}

/** Whether corner i begins a line, or stands alone. */
static bool starts(const curve_line *line, size_t i)
{
    return i >= line->count || line->leads[i] == CHART_APART;
}

void curve_line_walk(const curve_line *line, double first, double spacing, place_list *to)
{
    double done = 0; /* length of the line up to the corner before */
    double next = first;
    for (size_t i = 0; i < line->count; i++) {
        if (starts(line, i)) {
            if (starts(line, i + 1)) place_list_add(to, line->places[i]);
            continue;
        }
        chart_place_xy from = line->places[i - 1];
        chart_place_xy end = line->places[i];
        double length = hypot(end.x - from.x, end.y - from.y);
        while (next < done + length) {
            double share = (next - done) / length;
            place_list_add(to, (chart_place_xy){from.x + share * (end.x - from.x), from.y + share * (end.y - from.y)});
            next += spacing;
        }
        done += length;
    }
}

/* ---- Drawing ---- */

static void draw_band(plot *on, size_t number)
{
    const chart_curve *curve = &on->of->curves[number];
    size_t count = curve->band_count;
    if (count < 2) {
        return;
    }
    chart_place_xy *places = memory_array(2 * count, sizeof *places);
    if (places == NULL) {
        on->svg.failed = true;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        places[i] = plot_place(on, curve->band[i].x, curve->band[i].low);
        places[2 * count - 1 - i] = plot_place(on, curve->band[i].x, curve->band[i].high);
    }
    text_add(&on->svg, "<polygon");
    svg_points(&on->svg, places, 2 * count);
    /* The thin edge shows a band where it has no height. */
    text_addf(&on->svg,
              " fill=\"%s\" fill-opacity=\"0.2\" stroke=\"%s\" stroke-opacity=\"0.45\" stroke-width=\"1\""
              " stroke-linejoin=\"round\"/>\n",
              curve_colour(number), curve_colour(number));
    free(places);
}

static void draw_line(plot *on, size_t number, const curve_line *line)
{
    text_addf(&on->svg,
              "<g fill=\"none\" stroke=\"%s\" stroke-width=\"2.25\" stroke-linejoin=\"round\""
              " stroke-linecap=\"butt\">\n",
              curve_colour(number));
    for (size_t first = 0; first + 1 < line->count;) {
        size_t last = first + 1;
        chart_lead lead = line->leads[last];
        if (lead != CHART_APART) {
            while (last + 1 < line->count && line->leads[last + 1] == lead) {
                last++;
            }
            text_add(&on->svg, "<polyline");
            svg_points(&on->svg, line->places + first, last - first + 1);
            text_addf(&on->svg, "%s/>\n", lead == CHART_DASHED ? " stroke-dasharray=\"7 4\"" : "");
        }
        first = last;
    }
    text_add(&on->svg, "</g>\n");
}

/** Curves that lie on each other have their markers at different places, so that both are seen. */
static void draw_markers(plot *on, size_t number, const curve_line *line)
{
    place_list at = {0};
    double turn = ((double)number + 0.5) / (double)on->of->curve_count;
    curve_line_walk(line, turn * marker_spacing, marker_spacing, &at);
    if (at.count == 0 && line->count > 0) {
        place_list_add(&at, line->places[line->count - 1]);
    }
    on->svg.failed |= at.failed;
    for (size_t i = 0; i < at.count; i++) {
        curve_marker(&on->svg, number, at.places[i]);
    }
    free(at.places);
}

static void draw_each(plot *on, void (*draw)(plot *on, size_t number, const curve_line *line))
{
    for (size_t c = 0; c < on->of->curve_count; c++) {
        curve_line line;
        if (!curve_line_make(on, &on->of->curves[c], &line)) {
            on->svg.failed = true;
            return;
        }
        draw(on, c, &line);
        curve_line_clear(&line);
    }
}

void draw_curves(plot *on)
{
    for (size_t c = 0; c < on->of->curve_count; c++) {
        draw_band(on, c);
    }
    draw_each(on, draw_line);
    draw_each(on, draw_markers);
}
