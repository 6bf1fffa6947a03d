/* The marked points of a chart, and where there is room for their labels. */
#include "base/memory.h"
#include "render/chart_parts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PADDING = 4, EDGE = 2, LABEL_HEIGHT = CHART_SMALL_TEXT + 2 * PADDING, LABEL_WIDEST = 420, CURVE_STEP = 5 };

static bool overlap(const chart_placed *a, const chart_placed *b)
{
    return a->left < b->left + b->width && b->left < a->left + a->width && a->top < b->top + b->height &&
           b->top < a->top + a->height;
}

static bool holds(const chart_placed *box, chart_place_xy place)
{
    return place.x > box->left && place.x < box->left + box->width && place.y > box->top &&
           place.y < box->top + box->height;
}

static chart_place_xy mark_place(const plot *on, size_t i)
{
    return plot_place(on, on->of->marks[i].x, on->of->marks[i].y);
}

static void add_label(const plot *on, size_t i, text_buffer *to)
{
    svg_label(to, &on->of->marks[i].label, CHART_SMALL_TEXT, LABEL_WIDEST - 2 * PADDING);
}

/** What stands beside a mark: its label, or the number under which the legend has it. */
static void add_tag(const plot *on, size_t i, text_buffer *to)
{
    if (on->numbered) {
        text_addf(to, "%zu", i + 1);
    } else {
        add_label(on, i, to);
    }
}

static chart_placed dot_box(const plot *on, size_t i)
{
    chart_place_xy at = mark_place(on, i);
    double reach = MARK_RADIUS + 1;
    return (chart_placed){at.x - reach, at.y - reach, 2 * reach, 2 * reach, true};
}

/* ---- Finding room ---- */

/** A try: the label's nearest side or corner lies so far from the mark, in direction (x, y). */
typedef struct direction {
    int x, y;
} direction;

/** The box of a try, moved into the plot where it would reach out of it. */
static chart_placed label_box(const plot *on, chart_place_xy mark, direction towards, double distance, double width)
{
    double left = mark.x + towards.x * distance + (towards.x - 1) * width / 2;
    double top = mark.y + towards.y * distance + (towards.y - 1) * LABEL_HEIGHT / 2.0;
    return (chart_placed){.left = fmax(fmin(left, on->x.end - EDGE - width), on->x.start + EDGE),
                          .top = fmax(fmin(top, on->y.start - EDGE - LABEL_HEIGHT), on->y.end + EDGE),
                          .width = width,
                          .height = LABEL_HEIGHT};
}

/** What the labels so far leave to the next one. */
typedef struct search {
    plot *on;
    place_list curves;  /**< places that a label should not hide */
    place_list leaders; /**< and those that it must not: on the lines from marks to their labels */
} search;

static chart_place_xy leader_end(chart_place_xy mark, const chart_placed *box)
{
    return (chart_place_xy){fmin(fmax(mark.x, box->left), box->left + box->width),
                            fmin(fmax(mark.y, box->top), box->top + box->height)};
}

/** Add places all along a straight line. */
static void walk(chart_place_xy from, chart_place_xy end, place_list *to)
{
    int steps = (int)(hypot(end.x - from.x, end.y - from.y) / CURVE_STEP) + 1;
    for (int i = 0; i < steps; i++) {
        double share = (i + 0.5) / steps;
        place_list_add(to, (chart_place_xy){from.x + share * (end.x - from.x), from.y + share * (end.y - from.y)});
    }
}

static bool is_free(const search *of, size_t number, const chart_placed *box)
{
    const plot *on = of->on;
    for (size_t i = 0; i < on->of->mark_count; i++) {
        chart_placed dot = dot_box(on, i);
        if (overlap(box, &dot) || (i < number && on->placed[i].shown && overlap(box, &on->placed[i]))) return false;
    }
    for (size_t i = 0; i < of->leaders.count; i++) {
        if (holds(box, of->leaders.places[i])) return false;
    }
    return true;
}

/** Whether the line from a mark to its label would pass under another label, or another mark. */
static bool leader_is_covered(search *of, size_t number, const chart_placed *box)
{
    const plot *on = of->on;
    place_list leader = {0};
    bool covered = false;
    walk(mark_place(on, number), leader_end(mark_place(on, number), box), &leader);
    for (size_t i = 0; i < on->of->mark_count && !covered; i++) {
        chart_placed dot = dot_box(on, i);
        for (size_t p = 0; p < leader.count && !covered; p++) {
            bool label = on->placed[i].shown && holds(&on->placed[i], leader.places[p]);
            covered = i != number && (label || holds(&dot, leader.places[p]));
        }
    }
    of->leaders.failed |= leader.failed;
    free(leader.places);
    return covered;
}

/** How much of the curves a label hides, and how far from its mark it stands. */
static double discomfort(const search *of, const chart_placed *box, double distance)
{
    double hidden = 0;
    for (size_t i = 0; i < of->curves.count; i++) {
        hidden += holds(box, of->curves.places[i]);
    }
    return hidden + distance / 20;
}

static void place_label(search *of, size_t number, double width)
{
    static const direction directions[] = {{1, -1}, {-1, -1}, {1, 1}, {-1, 1}, {0, -1}, {0, 1}, {1, 0}, {-1, 0}};
    static const double distances[] = {8, 20, 36, 60, 90};
    chart_place_xy mark = mark_place(of->on, number);
    chart_placed *placed = &of->on->placed[number];
    double best = INFINITY;
    for (size_t d = 0; d < sizeof distances / sizeof *distances; d++) {
        for (size_t w = 0; w < sizeof directions / sizeof *directions; w++) {
            chart_placed box = label_box(of->on, mark, directions[w], distances[d], width);
            if (!is_free(of, number, &box) || leader_is_covered(of, number, &box)) continue;
            double cost = discomfort(of, &box, distances[d]);
            if (cost < best) {
                best = cost;
                box.shown = true;
                *placed = box;
            }
        }
    }
    if (placed->shown) {
        walk(mark, leader_end(mark, placed), &of->leaders);
    }
}

static bool walk_curves(const plot *on, place_list *to)
{
    for (size_t c = 0; c < on->of->curve_count; c++) {
        const chart_curve *curve = &on->of->curves[c];
        curve_line line;
        if (!curve_line_make(on, curve, &line)) return false;
        curve_line_walk(&line, 0, CURVE_STEP, to);
        curve_line_clear(&line);
        for (size_t i = 1; i < curve->band_count; i++) {
            const chart_span *from = &curve->band[i - 1];
            const chart_span *end = &curve->band[i];
            walk(plot_place(on, from->x, from->low), plot_place(on, end->x, end->low), to);
            walk(plot_place(on, from->x, from->high), plot_place(on, end->x, end->high), to);
        }
    }
    return !to->failed;
}

/** Place all that can be placed; whether these were all that have something to say. */
static bool place_all(search *of)
{
    plot *on = of->on;
    bool all = true;
    memset(on->placed, 0, on->of->mark_count * sizeof *on->placed);
    of->leaders.count = 0;
    for (size_t i = 0; i < on->of->mark_count && !on->svg.failed; i++) {
        text_buffer text = {0};
        add_tag(on, i, &text);
        if (text.size > 0 && !text.failed) {
            place_label(of, i, svg_width(text.data, CHART_SMALL_TEXT) + 2 * PADDING);
            all &= on->placed[i].shown;
        }
        on->svg.failed |= text.failed || of->leaders.failed;
        text_clear(&text);
    }
    return all;
}

void place_marks(plot *on)
{
    search of = {.on = on};
    on->placed = memory_zeroed(on->of->mark_count, sizeof *on->placed);
    if (on->placed == NULL || !walk_curves(on, &of.curves)) {
        on->svg.failed = true;
    } else if (!place_all(&of)) {
        on->numbered = true;
        place_all(&of);
    }
    free(of.curves.places);
    free(of.leaders.places);
}

/* ---- Drawing ---- */

/** A thin line from the mark to its label where they do not touch. */
static void draw_leader(plot *on, size_t i)
{
    const chart_placed *box = &on->placed[i];
    chart_place_xy mark = mark_place(on, i);
    if (box->shown) {
        svg_line(&on->svg, mark, leader_end(mark, box), " stroke=\"#222222\" stroke-width=\"0.75\"");
    }
}

/** A dot; its label is also its title, which viewers show when they are asked. */
static void draw_dot(plot *on, size_t i)
{
    text_buffer title = {0};
    add_label(on, i, &title);
    svg_dot(&on->svg, mark_place(on, i), curve_colour(on->of->marks[i].curve), text_content(&title));
    text_settle(&title, &on->svg);
}

static void draw_tag(plot *on, size_t i)
{
    const chart_placed *box = &on->placed[i];
    text_buffer text = {0};
    if (!box->shown) {
        return;
    }
    text_addf(&text, " rx=\"3\" fill=\"#FFFFFF\" fill-opacity=\"0.9\" stroke=\"%s\" stroke-width=\"1\"",
              curve_colour(on->of->marks[i].curve));
    svg_box(&on->svg, box->left, box->top, box->width, box->height, text.failed ? "" : text.data);
    text_settle(&text, &on->svg);
    add_tag(on, i, &text);
    chart_place_xy at = {box->left + box->width / 2, box->top + PADDING + CHART_SMALL_TEXT * 0.85};
    svg_text(&on->svg, at, CHART_SMALL_TEXT, "middle", text_content(&text));
    text_settle(&text, &on->svg);
}

void draw_marks(plot *on)
{
    for (size_t i = 0; i < on->of->mark_count && on->placed; i++) {
        draw_leader(on, i);
    }
    for (size_t i = 0; i < on->of->mark_count && on->placed; i++) {
        draw_dot(on, i);
        draw_tag(on, i);
    }
}
