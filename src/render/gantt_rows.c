/*
 * The modules of a Gantt picture. One that is a pixel wide is a box of its own. Narrower ones are counted in cells, whose
 * shade says which share of the time they are busy; equal cells side by side become one bar. So a picture has no more
 * boxes than pixels, however many modules there are.
 */
#include "base/memory.h"
#include "render/gantt.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELL = 2, SHADES = 10, TEXT = 11, PADDING = 3, LEAST_BAR = 14, SEPARATED = 3 };

static const char box_style[] = " fill=\"#0072B2\"";

typedef struct span {
    double left, right; /* pixels */
} span;

static span span_of(const gantt *on, inlay_id module)
{
    inlay_scheduled_module at = gantt_module(on, module);
    return (span){chart_place(&on->x, at.start), chart_place(&on->x, at.end)};
}

static bool is_alone(const gantt *on, span of)
{
    return on->group == 1 && of.right - of.left >= 1;
}

/* ---- Cells ---- */

/* Where the bars of a row lie. */
static double bar_top(const gantt *on, inlay_id row)
{
    return on->top + (double)row * on->row + (on->row - on->bar) / 2;
}

/* Add a span to the cells that it touches. */
static void count_span(const gantt *on, double *cells, size_t count, span of)
{
    double from = (of.left - on->x.start) / CELL, to = (of.right - on->x.start) / CELL;
    for (size_t i = (size_t)fmax(from, 0); i < count && (double)i < to; i++) {
        cells[i] += fmin(to, (double)i + 1) - fmax(from, (double)i);
    }
}

/* Shades are rounded up: what is there is seen. */
static int shade_of(const gantt *on, double busy)
{
    double shade = ceil(busy / on->group * SHADES - 1e-6);
    return shade < SHADES ? (int)shade : SHADES;
}

static void draw_bar(gantt *on, inlay_id row, size_t from, size_t to, int shade)
{
    text_buffer style = {0};
    double left = on->x.start + (double)from * CELL;
    double right = fmin(on->x.start + (double)to * CELL, on->x.end);
    text_add(&style, box_style);
    svg_attribute(&style, "fill-opacity", (double)shade / SHADES);
    if (shade > 0) {
        svg_box(&on->svg, left, bar_top(on, row), right - left, on->bar, text_content(&style));
        on->shaded = true;
    }
    text_settle(&style, &on->svg);
}

static void draw_cells(gantt *on, inlay_id row, const double *cells, size_t count)
{
    size_t from = 0;
    for (size_t i = 1; i <= count; i++) {
        if (i == count || shade_of(on, cells[i]) != shade_of(on, cells[from])) {
            draw_bar(on, row, from, i, shade_of(on, cells[from]));
            from = i;
        }
    }
}

/* ---- Boxes ---- */

/* What a box tells when the pointer rests on it. */
static void add_title(gantt *on, inlay_id module)
{
    text_add(&on->svg, "<title>");
    svg_escaped(&on->svg, inlay_app_module_name(on->app, module), 120);
    text_add(&on->svg, ": ");
    inlay_scheduled_module at = gantt_module(on, module);
    chart_number(&on->svg, at.start, TICK_DIGITS);
    text_add(&on->svg, " to ");
    chart_number(&on->svg, at.end, TICK_DIGITS);
    text_add(&on->svg, "</title>");
}

/* The name in the box, where it fits. */
static void draw_name(gantt *on, inlay_id module, double top, span of)
{
    text_buffer name = {0};
    svg_escaped(&name, inlay_app_module_name(on->app, module), 60);
    const char *content = text_content(&name);
    if (on->bar >= LEAST_BAR && svg_width(content, TEXT) + 2 * PADDING <= of.right - of.left) {
        text_add(&on->svg, "<g fill=\"#FFFFFF\">");
        svg_text(&on->svg, (chart_place_xy){(of.left + of.right) / 2, top + on->bar / 2 + TEXT * 0.35}, TEXT, "middle",
                 content);
        text_add(&on->svg, "</g>\n");
    }
    text_settle(&name, &on->svg);
}

static void draw_box(gantt *on, inlay_id row, inlay_id module)
{
    span of = span_of(on, module);
    double top = bar_top(on, row);
    if (!is_alone(on, of)) {
        return;
    }
    text_add(&on->svg, "<rect");
    svg_attribute(&on->svg, "x", of.left);
    svg_attribute(&on->svg, "y", top);
    svg_attribute(&on->svg, "width", of.right - of.left);
    svg_attribute(&on->svg, "height", on->bar);
    text_addf(&on->svg, " fill=\"%s\"", kind_colour(on->kinds.of != NULL ? on->kinds.of[module] : 0));
    text_add(&on->svg, of.right - of.left >= SEPARATED ? " stroke=\"#FFFFFF\" stroke-width=\"0.75\"" : "");
    if (inlay_app_modules(on->app) <= GANTT_TITLES) {
        text_add(&on->svg, ">");
        add_title(on, module);
        text_add(&on->svg, "</rect>\n");
    } else {
        text_add(&on->svg, "/>\n");
    }
    draw_name(on, module, top, of);
}

/* ---- Rows ---- */

/* What comes before a module on its processor, where it is seen. */
static void draw_wait(gantt *on, inlay_id row, inlay_id module)
{
    inlay_scheduled_module at = gantt_module(on, module);
    double left = chart_place(&on->x, at.taken), right = chart_place(&on->x, at.start);
    if (on->group == 1 && right - left >= 1) {
        svg_box(&on->svg, left, bar_top(on, row), right - left, on->bar, GANTT_WAIT_STYLE);
        on->waits = true;
    }
}

static void draw_row(gantt *on, inlay_id row, double *cells, size_t count)
{
    inlay_id first = row * on->group;
    inlay_id behind = on->processors - first < on->group ? on->processors : first + on->group;
    memset(cells, 0, count * sizeof *cells);
    for (inlay_id k = on->begin[first]; k < on->begin[behind]; k++) {
        span of = span_of(on, on->module[k]);
        if (!is_alone(on, of)) {
            count_span(on, cells, count, of);
        }
        draw_wait(on, row, on->module[k]);
    }
    draw_cells(on, row, cells, count);
    for (inlay_id k = on->begin[first]; k < on->begin[first + 1]; k++) {
        draw_box(on, row, on->module[k]);
    }
}

bool gantt_draw_modules(gantt *on)
{
    size_t count = (size_t)ceil((on->x.end - on->x.start) / CELL);
    double *cells = memory_array(count, sizeof *cells);
    for (inlay_id row = 0; row < on->rows && cells != NULL; row++) {
        draw_row(on, row, cells, count);
    }
    free(cells);
    return cells != NULL;
}
