/*
 * The best cycle of each number of processors as bars: computation and communication on each other where a cycle is
 * their sum, else beside each other.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "render/chart_parts.h"
#include "render/front.h"
#include <inlay/render.h>
#include <math.h>
#include <stdlib.h>

/* Pixels; and intervals of the axes. */
enum { BARS_MOST = 400, TOP = 92, HEIGHT = 380, NUMBER_ROOM = 64, ROW = 19, SWATCH = 12, GAP = 8, TITLE_TEXT = 16 };
enum { WIDEST = 36, X_INTERVALS = 12, Y_INTERVALS = 8 };

/* Bars are cut above so many times the shortest cycle, and take so much of the room that each of them has. */
static const double cut_ratio = 8, fill = 0.8;

static const char comp_style[] = " fill=\"#44576B\"";
static const char comm_style[] = " fill=\"url(#messages)\"";
static const char outline_style[] = " fill=\"none\" stroke=\"#222222\" stroke-width=\"1.5\"";
static const char cut_style[] = " stroke=\"#FFFFFF\" stroke-width=\"2.5\"";
static const char cycle_style[] = " stroke=\"#222222\" stroke-width=\"2\"";
static const char mark_style[] = " stroke=\"#D55E00\" stroke-width=\"1\" stroke-dasharray=\"4 3\"";
static const char mark_colour[] = "#D55E00";

typedef struct picture {
    const inlay_selection *curve;
    const inlay_selection_picture *of;
    size_t count;
    size_t replaced; /* the bar in whose place the chosen configuration stands; `count`: none */
    bool apart;      /* some cycle is not the sum of its parts */
    bool partly;     /* some cycle is neither the sum nor the larger part */
    bool cut;
    text_buffer svg;
    chart_scale x, y;
    double width; /* of a bar */
    double bottom;
} picture;

static const inlay_configuration *bar_at(const picture *on, size_t i)
{
    return i == on->replaced ? on->of->chosen : inlay_selection_at(on->curve, i);
}

/* ---- Bars ---- */

/* A bar between two times, as far as it is not cut. */
static void draw_part(picture *on, double left, double width, double from, double to, const char *style)
{
    double top = chart_place(&on->y, fmin(to, on->y.to)), low = chart_place(&on->y, fmin(from, on->y.to));
    if (low - top > 0) {
        svg_box(&on->svg, left, top, width, low - top, style);
    }
}

/* Two slanting lines below the top of a bar that goes on. */
static void draw_cut(picture *on, double left, double width)
{
    enum { BELOW = 14, SLANT = 6, APART = 6 };
    for (int i = 0; i < 2; i++) {
        double y = TOP + BELOW + i * APART;
        svg_line(&on->svg, (chart_place_xy){left - 1, y}, (chart_place_xy){left + width + 1, y - SLANT}, cut_style);
    }
}

static void draw_apart(picture *on, const inlay_configuration *c, double left)
{
    double half = on->width / 2, larger = fmax(c->t_comp, c->t_comm);
    draw_part(on, left, half, 0, c->t_comp, comp_style);
    draw_part(on, left + half, half, 0, c->t_comm, comm_style);
    draw_part(on, c->t_comp >= c->t_comm ? left : left + half, half, 0, larger, outline_style);
    if (on->partly && c->t_cycle <= on->y.to) {
        double y = chart_place(&on->y, c->t_cycle);
        svg_line(&on->svg, (chart_place_xy){left - 1, y}, (chart_place_xy){left + on->width + 1, y}, cycle_style);
    }
    if (larger > on->y.to) {
        draw_cut(on, c->t_comp > on->y.to ? left : left + half,
                 c->t_comm > on->y.to && c->t_comp > on->y.to ? 2 * half : half);
    }
}

static void draw_stacked(picture *on, const inlay_configuration *c, double left)
{
    draw_part(on, left, on->width, 0, c->t_comp, comp_style);
    draw_part(on, left, on->width, c->t_comp, c->t_comp + c->t_comm, comm_style);
    if (c->t_comp + c->t_comm > on->y.to) {
        draw_cut(on, left, on->width);
    }
}

static void draw_bars(picture *on)
{
    for (size_t i = 0; i < on->count; i++) {
        const inlay_configuration *c = bar_at(on, i);
        double left = chart_place(&on->x, c->total) - on->width / 2;
        if (on->apart) {
            draw_apart(on, c, left);
        } else {
            draw_stacked(on, c, left);
        }
    }
}

/* A dot at the chosen cycle, and its label above the plot. */
static void draw_mark(picture *on)
{
    const inlay_configuration *c = on->of->chosen;
    if (c == NULL) {
        return;
    }
    chart_place_xy at = {chart_place(&on->x, c->total), chart_place(&on->y, fmin(c->t_cycle, on->y.to))};
    double half = svg_width(on->of->label, CHART_TEXT) / 2;
    double middle = fmax(on->x.start + half, fmin(at.x, on->x.end - half));
    svg_line(&on->svg, at, (chart_place_xy){at.x, TOP - 2}, mark_style);
    svg_dot(&on->svg, at, mark_colour, "");
    svg_named(&on->svg, (chart_place_xy){middle, TOP - 7}, CHART_TEXT, "middle", (chart_label){.name = on->of->label},
              CHART_WIDTH);
}

/* ---- Axes ---- */

static void draw_x_axis(picture *on)
{
    chart_ticks ticks;
    chart_find_ticks(&on->x, X_INTERVALS, &ticks);
    for (size_t i = 0; i < ticks.count; i++) {
        double value = ticks.value[i], x = chart_place(&on->x, value);
        if (value == floor(value)) {
            svg_line(&on->svg, (chart_place_xy){x, TOP + HEIGHT}, (chart_place_xy){x, TOP + HEIGHT + 5}, SVG_AXIS);
            svg_number(&on->svg, (chart_place_xy){x, TOP + HEIGHT + 20}, CHART_TEXT, "middle", value, TICK_DIGITS);
        }
    }
    on->bottom = TOP + HEIGHT + 42;
    svg_named(&on->svg, (chart_place_xy){(on->x.start + on->x.end) / 2, on->bottom}, CHART_TEXT, "middle",
              (chart_label){.words = "processors of all clusters together"}, CHART_WIDTH);
}

static void draw_y_axis(picture *on, const chart_ticks *ticks)
{
    text_buffer title = {0};
    for (size_t i = 0; i < ticks->count; i++) {
        double y = chart_place(&on->y, ticks->value[i]);
        svg_line(&on->svg, (chart_place_xy){on->x.start - 5, y}, (chart_place_xy){on->x.start, y}, SVG_AXIS);
        svg_number(&on->svg, (chart_place_xy){on->x.start - 9, y + CHART_TEXT * 0.35}, CHART_TEXT, "end",
                   ticks->value[i], TICK_DIGITS);
    }
    text_addf(&title, "shortest cycle T_c, in %s", on->of->unit);
    svg_named(&on->svg, (chart_place_xy){CHART_MARGIN, TOP - 34}, CHART_TEXT, "start",
              (chart_label){.words = text_content(&title)}, CHART_WIDTH);
    text_settle(&title, &on->svg);
}

/* ---- The legend ---- */

static void add_legend(picture *on, const char *style, const char *words)
{
    double middle = on->bottom + ROW / 2.0;
    if (style != NULL) {
        svg_box(&on->svg, CHART_MARGIN, middle - SWATCH / 2.0, SWATCH, SWATCH, style);
    }
    svg_named(&on->svg, (chart_place_xy){CHART_MARGIN + SWATCH + GAP, middle + CHART_SMALL_TEXT * 0.35},
              CHART_SMALL_TEXT, "start", (chart_label){.words = words}, CHART_WIDTH);
    on->bottom += ROW;
}

/* "cut: up to 15843" */
static void add_cut_legend(picture *on)
{
    text_buffer words = {0};
    double most = 0;
    for (size_t i = 0; i < on->count; i++) {
        most = fmax(most, bar_at(on, i)->t_cycle);
    }
    text_add(&words, "bars that reach the top are cut; the longest cycle is ");
    chart_number(&words, most, 6);
    add_legend(on, NULL, text_content(&words));
    text_settle(&words, &on->svg);
}

static void draw_legend(picture *on)
{
    on->bottom += GAP;
    add_legend(on, comp_style, "T_comp, computation");
    add_legend(on, comm_style, "T_comm, communication");
    if (on->apart) {
        add_legend(on, outline_style,
                   on->partly ? "the larger one; the line above it is the cycle"
                              : "the larger one, which is the cycle: they overlap");
    }
    if (on->cut) {
        add_cut_legend(on);
    }
    if (!inlay_selection_optimal(on->curve)) {
        add_legend(on, NULL, "the shortest cycles that a search found; it did not look at all configurations");
    }
}

/* ---- The whole ---- */

/* Where the curve leaves out the chosen number of processors, the nearest bar makes room for it. */
static void place_chosen(picture *on)
{
    const inlay_configuration *chosen = on->of->chosen;
    int32_t nearest = INT32_MAX;
    on->replaced = on->count;
    for (size_t i = 0; chosen != NULL && i < on->count; i++) {
        int32_t away = abs(inlay_selection_at(on->curve, i)->total - chosen->total);
        if (away < nearest) {
            nearest = away;
            on->replaced = away > 0 ? i : on->count;
        }
    }
}

static void lay_out(picture *on, chart_ticks *y_ticks)
{
    static const chart_axis from_zero = {.from = 0, .to = NAN};
    double shortest = INFINITY, longest = 0;
    int32_t most = 1;
    for (size_t i = 0; i < on->count; i++) {
        const inlay_configuration *c = bar_at(on, i);
        double larger = fmax(c->t_comp, c->t_comm), sum = c->t_comp + c->t_comm;
        bool summed = fabs(c->t_cycle - sum) <= 1e-9 * sum;
        on->apart = on->apart || !summed;
        on->partly = on->partly || (!summed && fabs(c->t_cycle - larger) > 1e-9 * larger);
        shortest = fmin(shortest, c->t_cycle);
        longest = fmax(longest, fmax(larger, c->t_cycle));
        most = c->total > most ? c->total : most;
    }
    on->cut = longest > cut_ratio * shortest;
    on->y = chart_fit(&from_zero, (chart_extent){0, on->cut ? cut_ratio * shortest : longest}, Y_INTERVALS);
    on->y.start = TOP + HEIGHT;
    on->y.end = TOP;
    on->cut = longest > on->y.to;
    chart_find_ticks(&on->y, Y_INTERVALS, y_ticks);
    double half = on->count > 1 ? (most - 1) / (double)(on->count - 1) / 2 : 0.5; /* of the way between two bars */
    on->x = (chart_scale){.from = 1 - half,
                          .to = most + half,
                          .start = CHART_MARGIN + NUMBER_ROOM,
                          .end = CHART_WIDTH - 2 * CHART_MARGIN};
    on->width = fmin(WIDEST, fill * (on->x.end - on->x.start) / (double)on->count);
}

static void draw(picture *on)
{
    chart_ticks ticks;
    place_chosen(on);
    lay_out(on, &ticks);
    svg_title(&on->svg, on->of->title);
    for (size_t i = 0; i < ticks.count; i++) {
        double y = chart_place(&on->y, ticks.value[i]);
        svg_line(&on->svg, (chart_place_xy){on->x.start, y}, (chart_place_xy){on->x.end, y}, SVG_GRID);
    }
    draw_bars(on);
    svg_box(&on->svg, on->x.start, TOP, on->x.end - on->x.start, HEIGHT, SVG_FRAME);
    draw_y_axis(on, &ticks);
    draw_x_axis(on);
    draw_mark(on);
    draw_legend(on);
}

static bool can_stand(const inlay_configuration *c)
{
    return c->t_comp >= 0 && c->t_comm >= 0 && c->t_cycle >= 1 / CHART_LARGEST && c->t_cycle <= CHART_LARGEST &&
           c->t_comp + c->t_comm <= CHART_LARGEST;
}

static int check(const inlay_selection *curve, const inlay_selection_picture *of, const char *path, inlay_diag *diag)
{
    if (curve == NULL || of == NULL || of->title == NULL || of->unit == NULL || path == NULL ||
        (of->chosen != NULL && of->label == NULL)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a picture needs a curve, a title, a unit, a label and a path");
    }
    size_t count = inlay_selection_count(curve);
    if (count > BARS_MOST) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a picture of %zu numbers of processors; expected at most %d", count,
                         BARS_MOST);
    }
    for (size_t i = 0; i <= count; i++) {
        const inlay_configuration *c = i < count ? inlay_selection_at(curve, i) : of->chosen;
        if (c != NULL && !can_stand(c)) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT,
                             "a cycle of %d processors is made of %g and %g; expected times from 0 to %g",
                             (int)c->total, c->t_comp, c->t_comm, CHART_LARGEST);
        }
    }
    return INLAY_OK;
}

int inlay_selection_draw_svg(const inlay_selection *curve, const inlay_selection_picture *picture_of, const char *path,
                             inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = check(curve, picture_of, path, diag);
    if (status != INLAY_OK) {
        return status;
    }
    picture on = {.curve = curve, .of = picture_of, .count = inlay_selection_count(curve)};
    draw(&on);
    return svg_write(&(svg_page){CHART_WIDTH, ceil(on.bottom + CHART_MARGIN), picture_of->title, SVG_MESSAGES}, &on.svg,
                     path, diag);
}

/* ---- The front ---- */

int inlay_selection_draw_front(const inlay_select_result *of, const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    const inlay_metasystem *m = of->asked.metasystem;
    const inlay_wish *wish = &of->asked.wish;
    size_t count = inlay_selection_count(of->front);
    chart_point *point = memory_array(count, sizeof *point);
    bool priced = !isnan(of->chosen->price);
    front_picture drawn = {.priced = priced,
                           .currency = m->currency,
                           .unit = inlay_unit_word(m->time_unit),
                           .from = "elapsed time",
                           .deadline = wish->has_deadline ? wish->deadline / inlay_unit_seconds(m->time_unit) : NAN,
                           .front = point,
                           .least_x = INFINITY,
                           .least_y = INFINITY,
                           .chosen = "chosen",
                           .chosen_x = priced ? of->chosen->price : of->chosen->total,
                           .chosen_y = of->chosen->t_elapsed};
    double last = INFINITY; /* with a third measure, not all are on the front of time and price */
    for (size_t i = count; point != NULL && i-- > 0;) {
        const inlay_configuration *c = inlay_selection_at(of->front, i);
        double x = priced ? c->price : c->total;
        if (x <= CHART_LARGEST && c->t_elapsed < last && (drawn.fronts == 0 || x > point[drawn.fronts - 1].x)) {
            point[drawn.fronts++] = (chart_point){x, c->t_elapsed, CHART_SOLID};
            last = c->t_elapsed;
            drawn.least_x = fmin(drawn.least_x, x);
            drawn.most_x = fmax(drawn.most_x, x);
            drawn.least_y = fmin(drawn.least_y, c->t_elapsed);
            drawn.most_y = fmax(drawn.most_y, c->t_elapsed);
        }
    }
    int status = point != NULL ? front_write_svg(&drawn, path, diag) : diag_no_memory(diag);
    free(point);
    return status;
}
