/* A mesh divided into parts: its vertices and edges, coloured by part. */
#include "base/diag.h"
#include "base/memory.h"
#include "render/chart_parts.h"
#include <inlay/render.h>
#include <math.h>
#include <stdlib.h>

/* Pixels. */
enum { TOP = 44, MAP_WIDTH = CHART_WIDTH - 2 * CHART_MARGIN, MAP_HEIGHT = 760, TITLE_TEXT = 16, LEGEND = 24 };

enum { COLOURS = 6 /* of curve_colour() that are told apart at a glance */ };

typedef struct mesh_drawing {
    const inlay_mesh_picture *of;
    text_buffer svg;
    double left, bottom; /* of the places */
    double scale;        /* pixels of a unit */
    double width, height;
    double dot, line; /* pixels: the size of a vertex, the width of an edge */
    uint8_t *colour;  /* by part; owned */
    int64_t cut;      /* edges between parts */
} mesh_drawing;

/* ---- Is it right? ---- */

static int check_vertices(const inlay_mesh_picture *of, inlay_diag *diag)
{
    for (int32_t i = 0; i < of->vertices; i++) {
        if (of->part[i] < 0 || of->part[i] >= of->parts) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "vertex %d is in part %d; expected 0 to %d", (int)i,
                             (int)of->part[i], (int)of->parts - 1);
        }
        const double *place = of->place + 2 * (ptrdiff_t)i;
        if (!isfinite(place[0]) || !isfinite(place[1])) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "vertex %d has no place; expected finite coordinates", (int)i);
        }
    }
    return INLAY_OK;
}

static int check(const inlay_mesh_picture *of, const char *path, inlay_diag *diag)
{
    if (of == NULL || of->title == NULL || path == NULL || of->vertices < 1 || of->parts < 1) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a picture needs a title, vertices, parts and a path");
    }
    if (of->vertices > INLAY_MESH_DRAWN) {
        return diag_fail(diag, INLAY_NO_ANSWER, "a picture of %d vertices would show nothing; expected at most %d",
                         (int)of->vertices, INLAY_MESH_DRAWN);
    }
    for (int64_t i = 0; i < 2 * of->edges; i++) {
        if (of->ends[i] < 0 || of->ends[i] >= of->vertices) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "an edge ends at vertex %lld; expected 0 to %d",
                             (long long)of->ends[i], (int)of->vertices - 1);
        }
    }
    return check_vertices(of, diag);
}

/* ---- Colours ---- */

typedef struct pair {
    int32_t larger, smaller;
} pair;

static int by_larger(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    return (x->larger > y->larger) - (x->larger < y->larger);
}

/* Few parts have a colour each; of many each in turn takes the first that none of its neighbours before has. */
static void choose_colours(mesh_drawing *on, const pair *pairs)
{
    int64_t k = 0;
    for (int32_t p = 0; p < on->of->parts; p++) {
        unsigned taken = 0;
        uint8_t colour = 0;
        for (; k < on->cut && pairs[k].larger == p; k++) {
            taken |= 1U << on->colour[pairs[k].smaller];
        }
        while (colour < COLOURS && (taken >> colour & 1U) != 0) {
            colour++;
        }
        bool few = on->of->parts <= COLOURS;
        on->colour[p] = (uint8_t)(!few && colour < COLOURS ? colour : p % COLOURS);
    }
}

static int colour_parts(mesh_drawing *on, inlay_diag *diag)
{
    const inlay_mesh_picture *of = on->of;
    pair *pairs = memory_array((size_t)of->edges, sizeof *pairs);
    on->colour = memory_zeroed((size_t)of->parts, sizeof *on->colour);
    if (pairs == NULL || on->colour == NULL) {
        free(pairs);
        return diag_no_memory(diag);
    }
    for (int64_t i = 0; i < of->edges; i++) {
        int32_t p = of->part[of->ends[2 * i]], q = of->part[of->ends[2 * i + 1]];
        if (p != q) {
            pairs[on->cut++] = p > q ? (pair){p, q} : (pair){q, p};
        }
    }
    qsort(pairs, (size_t)on->cut, sizeof *pairs, by_larger);
    choose_colours(on, pairs);
    free(pairs);
    return INLAY_OK;
}

/* ---- Places ---- */

/* The whole mesh fits, its sides in proportion. */
static void lay_out(mesh_drawing *on)
{
    const inlay_mesh_picture *of = on->of;
    double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
    for (int32_t i = 0; i < 2 * of->vertices; i++) {
        least[i % 2] = fmin(least[i % 2], of->place[i]);
        most[i % 2] = fmax(most[i % 2], of->place[i]);
    }
    double width = most[0] - least[0], height = most[1] - least[1];
    double scale = fmin(width > 0 ? MAP_WIDTH / width : INFINITY, height > 0 ? MAP_HEIGHT / height : INFINITY);
    on->scale = isfinite(scale) ? scale : 0; /* one place alone */
    on->left = least[0];
    on->bottom = least[1];
    on->width = width * on->scale;
    on->height = height * on->scale;
    double apart = sqrt(fmax(on->width * on->height, MAP_WIDTH) / of->vertices);
    on->dot = fmax(1, fmin(6, apart / 3));
    on->line = fmax(0.25, fmin(1.5, apart / 10));
}

static void add_place(mesh_drawing *on, const char *letter, int64_t vertex)
{
    const double *place = on->of->place + 2 * vertex;
    text_add(&on->svg, letter);
    svg_pixels(&on->svg, CHART_MARGIN + (place[0] - on->left) * on->scale);
    text_add(&on->svg, " ");
    svg_pixels(&on->svg, TOP + on->height - (place[1] - on->bottom) * on->scale);
}

/* ---- What is drawn ---- */

/* A path for all that has one colour keeps the file small. */
static void begin_path(mesh_drawing *on, const char *colour, double width, const char *more)
{
    text_addf(&on->svg, "<path fill=\"none\" stroke=\"%s\"", colour);
    svg_attribute(&on->svg, "stroke-width", width);
    text_addf(&on->svg, "%s d=\"", more);
}

static void draw_edges(mesh_drawing *on, int colour)
{
    const inlay_mesh_picture *of = on->of;
    for (int64_t i = 0; i < of->edges; i++) {
        int32_t p = of->part[of->ends[2 * i]], q = of->part[of->ends[2 * i + 1]];
        if (colour < 0 ? p != q : p == q && on->colour[p] == colour) {
            add_place(on, "M", of->ends[2 * i]);
            add_place(on, "L", of->ends[2 * i + 1]);
        }
    }
}

static void draw_vertices(mesh_drawing *on, int colour)
{
    const inlay_mesh_picture *of = on->of;
    for (int32_t i = 0; i < of->vertices; i++) {
        if (on->colour[of->part[i]] == colour) {
            add_place(on, "M", i);
            text_add(&on->svg, "h0");
        }
    }
}

static void draw(mesh_drawing *on)
{
    for (int colour = 0; colour < COLOURS; colour++) {
        begin_path(on, curve_colour((size_t)colour), on->line, " stroke-opacity=\"0.6\"");
        draw_edges(on, colour);
        text_add(&on->svg, "\"/>\n");
    }
    begin_path(on, "#222222", on->line, "");
    draw_edges(on, -1);
    text_add(&on->svg, "\"/>\n");
    for (int colour = 0; colour < COLOURS; colour++) {
        begin_path(on, curve_colour((size_t)colour), on->dot, " stroke-linecap=\"round\"");
        draw_vertices(on, colour);
        text_add(&on->svg, "\"/>\n");
    }
}

static void write_words(mesh_drawing *on)
{
    text_buffer words = {0};
    svg_title(&on->svg, on->of->title);
    text_addf(&words, "%lld of %lld edges are between parts: dark", (long long)on->cut, (long long)on->of->edges);
    svg_words(&on->svg, (chart_place_xy){CHART_MARGIN, TOP + on->height + LEGEND}, CHART_TEXT, "start", &words);
}

int inlay_mesh_draw_svg(const inlay_mesh_picture *picture, const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    mesh_drawing on = {.of = picture};
    int status = check(picture, path, diag);
    status = status == INLAY_OK ? colour_parts(&on, diag) : status;
    if (status == INLAY_OK) {
        lay_out(&on);
        draw(&on);
        write_words(&on);
        svg_page page = {CHART_WIDTH, ceil(TOP + on.height + LEGEND + CHART_MARGIN), picture->title, NULL};
        status = svg_write(&page, &on.svg, path, diag);
    }
    text_clear(&on.svg);
    free(on.colour);
    return status;
}
