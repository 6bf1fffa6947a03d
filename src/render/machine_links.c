/*
 * The links of a machine in its picture: a stroke for each, beside the line from node to node on its right-hand side, so
 * that the two directions of a cable and parallel cables stand apart.
 */
#include "base/memory.h"
#include "render/machine.h"
#include <math.h>
#include <stdlib.h>

/* ---- Which side ---- */

/* A link with its ends in order: what qsort() sorts. */
typedef struct cable_end {
    inlay_id low, high, from, link;
} cable_end;

static int compare_ends(const void *a, const void *b)
{
    const inlay_id *x = a, *y = b; /* four numbers each, compared in their order */
    for (int i = 0; i < 4; i++) {
        if (x[i] != y[i]) {
            return x[i] > y[i] ? 1 : -1;
        }
    }
    return 0;
}

/* Ends as places: where a link has but one, the hub. -1 where the link is a joint, or lies nowhere. */
static cable_end ends_of(const machine_picture *on, inlay_id link)
{
    inlay_machine_link of = inlay_machine_link_at(on->machine, link);
    inlay_id hub = on->places.hub;
    inlay_id from = of.from >= 0 ? of.from : hub, to = of.to >= 0 ? of.to : hub;
    bool drawn = from >= 0 && to >= 0 && from != to;
    return drawn ? (cable_end){from < to ? from : to, from < to ? to : from, from, link}
                 : (cable_end){-1, -1, -1, link};
}

/*
 * By link: how far to the right of its line it stands, counted in strokes. One way: 0.5, 1.5, ...; links that both ways
 * share stand round the middle.
 */
static bool find_sides(const machine_picture *on, double *side)
{
    inlay_id links = inlay_machine_links(on->machine);
    cable_end *end = memory_array((size_t)links, sizeof *end);
    if (end == NULL) {
        return false;
    }
    for (inlay_id link = 0; link < links; link++) {
        end[link] = ends_of(on, link);
    }
    qsort(end, (size_t)links, sizeof *end, compare_ends);
    for (inlay_id i = 0, behind; i < links; i = behind) {
        for (behind = i + 1; behind < links && end[behind].low == end[i].low && end[behind].high == end[i].high &&
                             end[behind].from == end[i].from;) {
            behind++;
        }
        for (inlay_id k = i; k < behind; k++) {
            bool shared = inlay_machine_link_at(on->machine, end[k].link).shared;
            side[end[k].link] = shared ? k - i - (behind - i - 1) / 2.0 : k - i + 0.5;
        }
    }
    free(end);
    return true;
}

/* ---- Strokes ---- */

double machine_link_width(const machine_picture *on, inlay_id link)
{
    static const double widths[] = {3, 2.2, 1.6}; /* by detail */
    double width = widths[on->detail], capacity = inlay_machine_link_at(on->machine, link).capacity;
    if (!(on->largest > on->least)) {
        return width;
    }
    double share = log(fmin(capacity, on->largest) / on->least) / log(on->largest / on->least);
    return width * (0.7 + share);
}

/* A cubic from end to end; straight lines have their controls on the line. */
typedef struct stroke {
    chart_place_xy from, control[2], to;
    bool straight;
} stroke;

static chart_place_xy moved(chart_place_xy at, double x, double y)
{
    return (chart_place_xy){at.x + x, at.y + y};
}

/*
 * Along a row or column past other boxes: into the gap beside it, the further in the longer the way, so that arcs of
 * several lengths lie beside each other. What the arc's middle is off the line, in pixels.
 */
static double bow_of(const machine_picture *on, chart_place_xy from, chart_place_xy to, bool level)
{
    double cells = level ? fabs(to.x - from.x) / on->pitch_x : fabs(to.y - from.y) / on->pitch_y;
    double pitch = level ? on->pitch_y : on->pitch_x;
    return cells < 1.5 ? 0 : pitch * (0.36 + 0.28 * (1 - 2 / fmax(2, cells)));
}

static stroke stroke_of(const machine_picture *on, inlay_id link, const double *side)
{
    cable_end end = ends_of(on, link);
    chart_place_xy from = machine_pixel(on, end.from), to = machine_pixel(on, end.from == end.low ? end.high : end.low);
    double dx = to.x - from.x, dy = to.y - from.y, length = fmax(hypot(dx, dy), 1e-9);
    double step = (on->detail == MACHINE_DOTS ? 0.2 : 2.5) + machine_link_width(on, link);
    double x = -dy / length * side[link] * step, y = dx / length * side[link] * step;
    from = moved(from, x, y);
    to = moved(to, x, y);
    bool level = fabs(dy) < 0.01, upright = fabs(dx) < 0.01;
    double bow = on->places.bows && (level || upright) ? bow_of(on, from, to, level) / 0.75 : 0;
    return (stroke){from,
                    {moved(from, level ? dx * 0.12 : bow, level ? bow : dy * 0.12),
                     moved(to, level ? -dx * 0.12 : bow, level ? bow : -dy * 0.12)},
                    to,
                    bow == 0};
}

static void add_place(text_buffer *to, const char *before, chart_place_xy at)
{
    text_add(to, before);
    svg_pixels(to, at.x);
    text_add(to, ",");
    svg_pixels(to, at.y);
}

static void add_path(text_buffer *to, const stroke *s)
{
    add_place(to, "M", s->from);
    if (s->straight) {
        add_place(to, "L", s->to);
    } else {
        add_place(to, "C", s->control[0]);
        add_place(to, " ", s->control[1]);
        add_place(to, " ", s->to);
    }
}

/* ---- Links with nothing to carry ---- */

/* All of them are one element: of a large machine they are most. */
static void draw_idle(machine_picture *on, const double *side)
{
    text_addf(&on->svg, "<path fill=\"none\" stroke=\"" MACHINE_IDLE "\" stroke-width=\"%s\" d=\"",
              on->detail == MACHINE_DOTS ? "1" : "1.5");
    for (inlay_id link = 0; link < inlay_machine_links(on->machine); link++) {
        if (on->load_at[link] < 0 && ends_of(on, link).low >= 0) {
            stroke s = stroke_of(on, link, side);
            add_path(&on->svg, &s);
        }
    }
    text_add(&on->svg, "\"/>\n");
}

/* What leads to the joints of links: no link itself. */
static void draw_lines(machine_picture *on)
{
    for (size_t i = 0; i < on->places.line_count; i++) {
        svg_line(&on->svg, machine_pixel(on, on->places.lines[i].from), machine_pixel(on, on->places.lines[i].to),
                 " stroke=\"#B5B5B5\" stroke-width=\"1\"");
    }
}

/* ---- Links that carry something ---- */

void machine_link_words(const machine_picture *on, text_buffer *to, const inlay_link_load *load)
{
    char name[INLAY_MACHINE_NAME];
    svg_escaped(to, inlay_machine_link_name(on->machine, load->link, name), MACHINE_NAME);
    text_add(to, ": u ");
    chart_number(to, load->utilisation, 4);
    text_add(to, ", ");
    if (on->summary->traffic_in_bytes) {
        words_bytes(to, load->traffic);
    } else {
        words_plural(to, load->traffic, "message");
    }
    text_add(to, " in ");
    words_plural(to, load->flows, "flow");
    if (load->parallel) {
        text_add(to, ", parallel");
    } else {
        text_add(to, ", D ");
        chart_number(to, load->delay, 4);
    }
}

/* Behind the middle of a stroke, so that those of two directions stand apart. */
static void add_arrow(machine_picture *on, const stroke *s, double width, const char *colour)
{
    double dx = s->to.x - s->from.x, dy = s->to.y - s->from.y, length = fmax(hypot(dx, dy), 1e-9);
    double size = width * 1.1 + 1.5;
    dx *= size / length;
    dy *= size / length;
    chart_place_xy at = {(s->from.x + 3 * s->control[0].x + 3 * s->control[1].x + s->to.x) / 8,
                         (s->from.y + 3 * s->control[0].y + 3 * s->control[1].y + s->to.y) / 8};
    if (s->straight) {
        at = (chart_place_xy){0.45 * s->from.x + 0.55 * s->to.x, 0.45 * s->from.y + 0.55 * s->to.y};
    }
    chart_place_xy corner[] = {moved(at, dx, dy), moved(at, -dx - dy, -dy + dx), moved(at, -dx + dy, -dy - dx)};
    text_add(&on->svg, "<polygon");
    svg_points(&on->svg, corner, 3);
    text_addf(&on->svg, " fill=\"%s\" stroke=\"none\"/>\n", colour);
}

static void draw_used(machine_picture *on, const inlay_link_load *load, const double *side)
{
    char colour[MACHINE_COLOUR];
    double width = machine_link_width(on, load->link);
    stroke s = stroke_of(on, load->link, side);
    machine_link_colour(load->utilisation / on->u_end, colour);
    text_addf(&on->svg, "<g><title>");
    machine_link_words(on, &on->svg, load);
    text_addf(&on->svg, "</title><path fill=\"none\" stroke=\"%s\"", colour);
    svg_attribute(&on->svg, "stroke-width", width);
    text_add(&on->svg, " d=\"");
    add_path(&on->svg, &s);
    text_add(&on->svg, "\"/>");
    if (on->detail != MACHINE_DOTS && !inlay_machine_link_at(on->machine, load->link).shared) {
        add_arrow(on, &s, width, colour);
    }
    text_add(&on->svg, "</g>\n");
}

bool machine_draw_links(machine_picture *on)
{
    double *side = memory_zeroed((size_t)inlay_machine_links(on->machine), sizeof *side);
    bool fine = side != NULL && find_sides(on, side);
    if (fine) {
        draw_idle(on, side);
        draw_lines(on);
    }
    for (size_t i = on->load_count; fine && i > 0; i--) { /* the busiest on top */
        if (ends_of(on, on->loads[i - 1].link).low >= 0) {
            draw_used(on, &on->loads[i - 1], side);
        }
    }
    free(side);
    return fine;
}
