/* Meshes made on the spot, the edges of meshes, and coordinates read from files. */
#include "harness.h"
#include "slow_mesh.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Generated meshes ---- */

typedef struct sizes {
    inlay_mesh_kind kind;
    int32_t n[3];
} sizes;

static int64_t points_of(const sizes *s)
{
    return (int64_t)s->n[0] * s->n[1] * s->n[2];
}

/* Where a vertex stands in the grid tells which point it is: points move less than half of a step. */
static int64_t natural_of(const sizes *s, const double *coordinate, int dimensions)
{
    int64_t natural = 0, factor = 1;
    int32_t longest = 1;
    for (int d = 0; d < dimensions; d++) {
        longest = s->n[d] > longest ? s->n[d] : longest;
    }
    for (int d = 0; d < dimensions; d++) {
        natural += factor * (int64_t)floor(coordinate[d] * longest);
        factor *= s->n[d];
    }
    return natural;
}

/* The point of each vertex, of the whole mesh; the caller frees it. */
static int64_t *gather_points(harness *h, const sizes *s, const inlay_mesh *mesh)
{
    int64_t all = points_of(s);
    int64_t *own = calloc((size_t)all, sizeof *own), *points = calloc((size_t)all, sizeof *points);
    for (int32_t i = 0; i < mesh->graph->rows; i++) {
        own[mesh->graph->first + i] =
            natural_of(s, mesh->coordinate + (ptrdiff_t)i * mesh->dimensions, mesh->dimensions);
    }
    MPI_Allreduce(own, points, (int)all, MPI_INT64_T, MPI_SUM, h->comm);
    free(own);
    return points;
}

/* Neighbours differ by 0 or 1 in every direction, all of one sign. */
static bool are_neighbours(const sizes *s, int64_t a, int64_t b)
{
    bool up = a != b, down = a != b;
    for (int d = 0; d < 3; d++) {
        int64_t step = b % s->n[d] - a % s->n[d];
        up = up && (step == 0 || step == 1);
        down = down && (step == 0 || step == -1);
        a /= s->n[d];
        b /= s->n[d];
    }
    return up || down;
}

static void compare(harness *h, const sizes *s, const inlay_mesh *mesh, const int64_t *points)
{
    const inlay_graph *graph = mesh->graph;
    for (int32_t i = 0; i < graph->rows; i++) {
        int64_t at = graph->start[i];
        for (int64_t other = 0; other < graph->vertices; other++) {
            if (are_neighbours(s, points[graph->first + i], points[other])) {
                check(h, at < graph->start[i + 1] && graph->column[at] == other);
                at++;
            }
        }
        check(h, at == graph->start[i + 1]);
    }
}

/* Every point is there once; in their own order with seed 0, and on one rank the same. */
static void check_points(harness *h, const sizes *s, uint64_t seed, const int64_t *points)
{
    int64_t all = points_of(s), moved = 0;
    bool *seen = calloc((size_t)all, sizeof *seen);
    inlay_mesh *alone = NULL;
    for (int64_t g = 0; g < all; g++) {
        bool good = points[g] >= 0 && points[g] < all && !seen[points[g]];
        check(h, good);
        seen[good ? points[g] : 0] = true;
        moved += points[g] != g;
    }
    check(h, seed == 0 ? moved == 0 : all < 20 || moved > all / 2);
    if (check_ok(h, inlay_mesh_generate(MPI_COMM_SELF, s->kind, s->n[0], s->n[1], s->n[2], seed, &alone, h->diag))) {
        for (int64_t g = 0; g < all; g++) {
            check(h, points[g] == natural_of(s, alone->coordinate + g * alone->dimensions, alone->dimensions));
        }
    }
    inlay_mesh_free(alone);
    free(seen);
}

/* ---- Edges ---- */

/* Every rank lists the edges of the whole mesh, which it has alone. */
static void check_edges(harness *h, const inlay_mesh *mesh, const inlay_mesh *whole)
{
    int64_t *ends = NULL, first = -1, before = 0, number = 0;
    int32_t edges = 0;
    const inlay_graph *graph = whole->graph;
    if (!check_ok(h, inlay_mesh_edges(mesh, &ends, &edges, &first, h->diag))) {
        return;
    }
    before = inlay_block_first(graph->arcs / 2, h->ranks, h->rank);
    check(h, first == before);
    check(h, first + edges == inlay_block_first(graph->arcs / 2, h->ranks, h->rank + 1));
    for (int32_t v = 0; v < graph->rows; v++) {
        for (int64_t k = graph->start[v]; k < graph->start[v + 1]; k++) {
            int64_t i = graph->column[k] > v ? number++ - before : -1;
            if (i >= 0 && i < edges) {
                check(h, ends[2 * i] == v && ends[2 * i + 1] == graph->column[k]);
            }
        }
    }
    check(h, number == graph->arcs / 2);
    free(ends);
}

static void generate(harness *h, const sizes *s, uint64_t seed)
{
    inlay_mesh *mesh = NULL, *alone = NULL;
    harness_case(h, "%d x %d x %d, kind %d, seed %d", s->n[0], s->n[1], s->n[2], (int)s->kind, (int)seed);
    if (!check_ok(h, inlay_mesh_generate(h->comm, s->kind, s->n[0], s->n[1], s->n[2], seed, &mesh, h->diag)) ||
        !check_ok(h, inlay_mesh_generate(MPI_COMM_SELF, s->kind, s->n[0], s->n[1], s->n[2], seed, &alone, h->diag))) {
        return;
    }
    int64_t *points = gather_points(h, s, mesh);
    check(h, mesh->graph->vertices == points_of(s) && strcmp(mesh->format, "generated") == 0);
    check_points(h, s, seed, points);
    compare(h, s, mesh, points);
    check_ok(h, inlay_graph_check(mesh->graph, h->diag));
    check_edges(h, mesh, alone);
    free(points);
    inlay_mesh_free(alone);
    inlay_mesh_free(mesh);
}

static void refuse_sizes(harness *h)
{
    inlay_mesh *mesh = NULL;
    inlay_diag *diag = inlay_diag_new();
    harness_case(h, "sizes that cannot be");
    check_fails(h, inlay_mesh_generate(h->comm, INLAY_MESH_TRIANGLES, 0, 3, 1, 0, &mesh, diag), INLAY_BAD_ARGUMENT,
                "0 points in a direction", diag);
    inlay_diag_free(diag);
    diag = inlay_diag_new();
    check_fails(h, inlay_mesh_generate(h->comm, INLAY_MESH_TETRAHEDRA, INT32_MAX, INT32_MAX, 9, 0, &mesh, diag),
                INLAY_OVERFLOW, "too many points", diag);
    check(h, mesh == NULL);
    inlay_diag_free(diag);
}

/* ---- Coordinates ---- */

/* The path of a file of this test; rank 0 writes `text`. */
static void write_file(harness *h, const char *ending, const char *text, char path[256])
{
    long process = getpid();
    const char *folder = getenv("TMPDIR");
    MPI_Bcast(&process, 1, MPI_LONG, 0, h->comm);
    snprintf(path, 256, "%.200s/inlay-%ld%s", folder != NULL ? folder : "/tmp", process, ending);
    if (h->rank == 0) {
        FILE *file = fopen(path, "w");
        if (check(h, file != NULL)) {
            check(h, fputs(text, file) >= 0);
            check(h, fclose(file) == 0);
        }
    }
    MPI_Barrier(h->comm);
}

static void remove_file(harness *h, const char *path)
{
    MPI_Barrier(h->comm);
    if (h->rank == 0) {
        check(h, remove(path) == 0);
    }
}

static const char triangle[] = "3 3\n2 3\n1 3\n1 2\n", labelled[] = "0\n3 4\n0 100\n70 1 90\n90 2 70 80\n80 1 90\n";

static const struct place {
    const char *ending, *graph, *text;
    double expected[6]; /* of the vertices 0, 1, 2; two numbers each */
} places[] = {
    {".graph", triangle, "0.5 1\n2 3\n-4 5e-1\n", {0.5, 1, 2, 3, -4, 0.5}},
    {".graph", triangle, "2\n3\n2 3 3\n3 4 4\n1 2 2\n", {2, 2, 3, 3, 4, 4}},
    {".graph", triangle, "2\n3\n\n1 3 3\n2 4 4\n0 2 2", {2, 2, 3, 3, 4, 4}},
    {".grf", labelled, "2\r\n3\r\n80 8 1\r\n70 7 2\r\n90 9 3\r\n", {7, 2, 9, 3, 8, 1}},
};

static const struct no_place {
    const char *ending, *graph, *text, *message;
} no_places[] = {
    {".graph", triangle, "1 1\n2 2\n", ":2: the file ends behind the coordinates of 2 vertices; expected 3"},
    {".graph", triangle, "1 1\n2 2\n3\n", ":3: a coordinate is missing; expected"},
    {".graph", triangle, "1 1\n2 2 2\n3 3\n", ":2: there is '2'; expected"},
    {".graph", triangle, "1 1\n2 nan\n3 3\n", ":2: a coordinate is 'nan'; expected"},
    {".graph", triangle, "1 1 1 1\n2 2\n3 3\n", ":1: the line has 4 numbers; expected at most 3"},
    {".graph", triangle, "1\n3\n0 1\n1 1\n1 2\n", ":5: the vertex has coordinates already; expected"},
    {".graph", triangle, "1\n3\n0 1\n1 1\n4 2\n",
     ":5: the label of the vertex is 4; expected a whole number from 0 to 2"},
    {".grf", labelled, "1\n3\n70 1\n90 1\n75 1\n", ":5: there is no vertex with the label 75; expected"},
    {".graph", triangle, "", ": is empty; expected"},
};

/* Beside the mesh with the ending .xyz, or with another that is named. */
static void read_places(harness *h, const struct place *p, bool beside)
{
    char mesh_path[256], path[256];
    inlay_mesh *mesh = NULL;
    write_file(h, p->ending, p->graph, mesh_path);
    write_file(h, beside ? ".xyz" : ".places", p->text, path);
    if (check_ok(h, inlay_mesh_read(h->comm, mesh_path, beside ? NULL : path, &mesh, h->diag))) {
        check(h, mesh->dimensions == 2);
        for (int32_t i = 0; i < 2 * mesh->graph->rows; i++) {
            check(h, mesh->coordinate[i] == p->expected[2 * mesh->graph->first + i]);
        }
    }
    inlay_mesh_free(mesh);
    remove_file(h, mesh_path);
    remove_file(h, path);
}

static void coordinates(harness *h)
{
    for (size_t i = 0; i < 2 * (sizeof places / sizeof *places); i++) {
        harness_case(h, "coordinates %d", (int)i);
        read_places(h, &places[i / 2], i % 2 == 0);
    }
    for (size_t i = 0; i < sizeof no_places / sizeof *no_places; i++) {
        char mesh_path[256], path[256];
        inlay_mesh *mesh = NULL;
        inlay_diag *diag = inlay_diag_new();
        harness_case(h, "no coordinates: %s", no_places[i].message);
        write_file(h, no_places[i].ending, no_places[i].graph, mesh_path);
        write_file(h, ".places", no_places[i].text, path);
        check_fails(h, inlay_mesh_read(h->comm, mesh_path, path, &mesh, diag), INLAY_BAD_INPUT, no_places[i].message,
                    diag);
        check(h, mesh == NULL && strstr(inlay_diag_message(diag), ".places:") != NULL);
        inlay_diag_free(diag);
        remove_file(h, mesh_path);
        remove_file(h, path);
    }
}

void suite_generated(harness *h);

void suite_generated(harness *h)
{
    static const sizes all[] = {
        {INLAY_MESH_TRIANGLES, {1, 1, 1}},   {INLAY_MESH_TRIANGLES, {1, 7, 1}},  {INLAY_MESH_TRIANGLES, {5, 4, 1}},
        {INLAY_MESH_TRIANGLES, {17, 13, 1}}, {INLAY_MESH_TETRAHEDRA, {1, 1, 4}}, {INLAY_MESH_TETRAHEDRA, {3, 4, 5}},
        {INLAY_MESH_TETRAHEDRA, {9, 2, 7}},  {INLAY_MESH_TETRAHEDRA, {6, 6, 6}},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        generate(h, &all[i], 0);
        generate(h, &all[i], 1);
        generate(h, &all[i], 12345678901234567U);
    }
    refuse_sizes(h);
    coordinates(h);
}
