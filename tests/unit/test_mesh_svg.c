/* The picture of a mesh in parts, read back: every vertex and edge is there, in the colour of its part. */
#include "svg_read.h"
#include "base/plain.h"
#include "unit.h"

#include <inlay/render.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 7, VERTICES = SIDE * SIDE, EDGES = 2 * SIDE * (SIDE - 1), PARTS = 9, PATHS = 13, MOST = 300 };

typedef struct grid {
    double place[2 * VERTICES];
    int32_t part[VERTICES];
    int64_t ends[2 * EDGES];
} grid;

/* A grid in three by three parts. */
static inlay_mesh_picture make(grid *g)
{
    int64_t edges = 0;
    for (int i = 0; i < VERTICES; i++) {
        int x = i % SIDE, y = i / SIDE;
        g->place[2 * i] = 10 + 2 * x;
        g->place[2 * i + 1] = -3 + 2 * y;
        g->part[i] = x * 3 / SIDE + 3 * (y * 3 / SIDE);
        if (x + 1 < SIDE) {
            g->ends[2 * edges] = i;
            g->ends[2 * edges++ + 1] = i + 1;
        }
        if (y + 1 < SIDE) {
            g->ends[2 * edges] = i + SIDE;
            g->ends[2 * edges++ + 1] = i;
        }
    }
    ck_assert_int_eq(edges, EDGES);
    return (inlay_mesh_picture){"A <mesh> & more", VERTICES, PARTS, g->place, g->part, EDGES, g->ends};
}

/* What a path draws: places behind M and L, and strokes without length. */
typedef struct path {
    char colour[8];
    svg_place place[MOST];
    int places, dots;
} path;

static void read_path(const char *tag, path *p)
{
    const char *colour = svg_attribute_text(tag, "stroke"), *d = svg_attribute_text(tag, "d");
    *p = (path){.places = 0};
    memcpy(p->colour, colour, 7);
    while (*d != '"') {
        if (*d == 'h') {
            p->dots++;
            d += 2;
            continue;
        }
        ck_assert(*d == 'M' || *d == 'L');
        char *end;
        ck_assert_int_lt(p->places, MOST);
        p->place[p->places].x = plain_number(d + 1, &end);
        p->place[p->places++].y = plain_number(end, &end);
        d = end;
    }
}

/* The vertex that is drawn there: places are those of the first vertex and of steps to the right and up. */
static int vertex_at(svg_place at, double step)
{
    double x = (at.x - 16) / step, y = (SIDE - 1) - (at.y - 44) / step;
    ck_assert_double_eq_tol(x, round(x), 0.01);
    ck_assert_double_eq_tol(y, round(y), 0.01);
    return (int)lround(x) + SIDE * (int)lround(y);
}

START_TEST(everything_is_drawn)
{
    grid g;
    inlay_mesh_picture picture = make(&g);
    static path paths[PATHS];
    char colour_of[VERTICES][8] = {{0}};
    double step = 760.0 / (SIDE - 1); /* the side of a square that fits */
    int count = 0, vertices = 0, edges = 0, cut = 0;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_msg(inlay_mesh_draw_svg(&picture, svg_path(), diag) == INLAY_OK, "%s", inlay_diag_message(diag));
    char *svg = svg_take();
    for (const char *s = svg; (s = svg_next(s + 1, "path")) != NULL;) {
        ck_assert_int_lt(count, PATHS);
        read_path(s, &paths[count++]);
    }
    ck_assert_int_eq(count, PATHS);
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < paths[k].dots; i++, vertices++) {
            char *colour = colour_of[vertex_at(paths[k].place[i], step)];
            ck_assert_str_eq(colour, ""); /* once each */
            memcpy(colour, paths[k].colour, sizeof paths[k].colour);
        }
    }
    ck_assert_int_eq(vertices, VERTICES);
    for (int k = 0; k < count; k++) {
        for (int i = 0; paths[k].dots == 0 && i < paths[k].places; i += 2, edges++) {
            int a = vertex_at(paths[k].place[i], step), b = vertex_at(paths[k].place[i + 1], step);
            ck_assert(abs(a - b) == 1 || abs(a - b) == SIDE);
            bool within = g.part[a] == g.part[b];
            cut += !within;
            ck_assert_int_eq(within, strcmp(paths[k].colour, "#222222") != 0);
            ck_assert_int_eq(within, strcmp(colour_of[a], colour_of[b]) == 0); /* neighbouring parts differ */
            ck_assert(!within || strcmp(paths[k].colour, colour_of[a]) == 0);
        }
    }
    ck_assert_int_eq(edges, EDGES);
    char words[40];
    snprintf(words, sizeof words, ">%d of %d edges", cut, EDGES);
    ck_assert_ptr_nonnull(strstr(svg, words));
    ck_assert_ptr_nonnull(strstr(svg, "A &lt;mesh&gt; &amp; more"));
    free(svg);
    inlay_diag_free(diag);
}
END_TEST

/* One vertex, and points on a line. */
START_TEST(thin_meshes_are_drawn)
{
    static const double place[] = {1, 2, 1, 3, 1, 5};
    static const int32_t part[] = {0, 0, 1};
    static const int64_t ends[] = {0, 1, 1, 2};
    for (int vertices = 1; vertices <= 3; vertices++) {
        inlay_mesh_picture picture = {"thin", vertices, 2, place, part, vertices - 1, ends};
        ck_assert_int_eq(inlay_mesh_draw_svg(&picture, svg_path(), NULL), INLAY_OK);
        char *svg = svg_take();
        ck_assert_ptr_null(strstr(svg, "nan"));
        free(svg);
    }
}
END_TEST

static void expect_refusal(const inlay_mesh_picture *picture, int status, const char *words)
{
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_mesh_draw_svg(picture, svg_path(), diag), status);
    ck_assert_msg(strstr(inlay_diag_message(diag), words) != NULL, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
}

START_TEST(what_cannot_be_is_refused)
{
    grid g;
    inlay_mesh_picture picture = make(&g), none = {"none", 0, 1, NULL, NULL, 0, NULL};
    expect_refusal(&none, INLAY_BAD_ARGUMENT, "needs a title, vertices, parts");
    picture.vertices = INLAY_MESH_DRAWN + 1;
    expect_refusal(&picture, INLAY_NO_ANSWER, "20001 vertices");
    picture = make(&g);
    g.part[5] = PARTS;
    expect_refusal(&picture, INLAY_BAD_ARGUMENT, "vertex 5 is in part 9; expected 0 to 8");
    picture = make(&g);
    g.ends[7] = VERTICES;
    expect_refusal(&picture, INLAY_BAD_ARGUMENT, "an edge ends at vertex 49");
    picture = make(&g);
    g.place[3] = INFINITY;
    expect_refusal(&picture, INLAY_BAD_ARGUMENT, "vertex 1 has no place");
}
END_TEST

Suite *suite_mesh_svg(void)
{
    Suite *suite = suite_create("pictures of meshes");
    TCase *tests = tcase_create("pictures of meshes");
    tcase_add_test(tests, everything_is_drawn);
    tcase_add_test(tests, thin_meshes_are_drawn);
    tcase_add_test(tests, what_cannot_be_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
