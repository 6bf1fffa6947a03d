/*
 * Meshes made on the spot: points of a grid, joined to the neighbours that a division into triangles or tetrahedra gives.
 * Each rank finds the neighbours of its own vertices by arithmetic.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include "irregular/mesh/permutation.h"
#include "irregular/mesh/rows.h"
#include <inlay/irregular_mesh.h>

/* Steps to neighbours; the opposite of each is one as well. Triangles: right, down, diagonal. Tetrahedra: each cell is cut
 * into the six that share its diagonal (H. Freudenthal 1942), whose edges are all steps of 0 and 1. */
typedef struct shape {
    int64_t size[3];
    int dimensions, steps;
    const int (*step)[3];
} shape;

static const int triangle_steps[][3] = {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
static const int tetrahedron_steps[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};

enum { MOST_NEIGHBOURS = 14 };

static int make_shape(inlay_mesh_kind kind, int32_t nx, int32_t ny, int32_t nz, shape *made, inlay_diag *diag)
{
    bool flat = kind == INLAY_MESH_TRIANGLES;
    if (kind != INLAY_MESH_TRIANGLES && kind != INLAY_MESH_TETRAHEDRA) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "there is no mesh of kind %d; expected triangles or tetrahedra",
                         (int)kind);
    }
    *made = (shape){{nx, ny, flat ? 1 : nz}, flat ? 2 : 3, flat ? 3 : 7, flat ? triangle_steps : tetrahedron_steps};
    for (int d = 0; d < made->dimensions; d++) {
        if (made->size[d] < 1) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "%lld points in a direction; expected at least 1",
                             (long long)made->size[d]);
        }
    }
    if ((int64_t)nx * ny > PERMUTATION_MOST / made->size[2]) {
        return diag_fail(diag, INLAY_OVERFLOW, "the mesh has too many points; expected fewer than 2^48");
    }
    return INLAY_OK;
}

/* ---- Neighbours ---- */

static void place_of(const shape *s, int64_t natural, int64_t place[3])
{
    place[0] = natural % s->size[0];
    place[1] = natural / s->size[0] % s->size[1];
    place[2] = natural / s->size[0] / s->size[1];
}

/* The natural number of the point a step away; -1 outside. */
static int64_t step_from(const shape *s, const int64_t place[3], const int step[3], int sign)
{
    int64_t to[3];
    for (int d = 0; d < 3; d++) {
        to[d] = place[d] + (int64_t)sign * step[d];
        if (to[d] < 0 || to[d] >= s->size[d]) {
            return -1;
        }
    }
    return (to[2] * s->size[1] + to[1]) * s->size[0] + to[0];
}

static void insert(int64_t *sorted, int count, int64_t value)
{
    int at = count;
    for (; at > 0 && sorted[at - 1] > value; at--) {
        sorted[at] = sorted[at - 1];
    }
    sorted[at] = value;
}

/* The numbers of the neighbours of vertex g, ascending; their count. */
static int neighbours(const shape *s, const permutation *numbers, int64_t g, int64_t neighbour[MOST_NEIGHBOURS])
{
    int64_t place[3];
    int count = 0;
    place_of(s, permutation_inverse(numbers, g), place);
    for (int i = 0; i < s->steps; i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            int64_t natural = step_from(s, place, s->step[i], sign);
            if (natural >= 0) {
                insert(neighbour, count++, permutation_of(numbers, natural));
            }
        }
    }
    return count;
}

static int fill_graph(const shape *s, const permutation *numbers, inlay_graph *graph, inlay_diag *diag)
{
    int64_t neighbour[MOST_NEIGHBOURS];
    size_t room = 0;
    int64_t arcs = 0;
    if (!memory_grow((void **)&graph->column, &room, (size_t)graph->rows * 2 * (size_t)s->steps,
                     sizeof *graph->column)) {
        return diag_no_memory(diag);
    }
    for (int32_t i = 0; i < graph->rows; i++) {
        int count = neighbours(s, numbers, graph->first + i, neighbour);
        for (int k = 0; k < count; k++) {
            graph->column[arcs++] = neighbour[k];
        }
        graph->start[i + 1] = arcs;
    }
    return INLAY_OK;
}

/* ---- Coordinates ---- */

/* Each point moves within 0.2 of the distance to its neighbours in each direction, whatever the numbering. */
static void fill_coordinates(const shape *s, const permutation *numbers, const inlay_graph *graph, double *coordinate)
{
    int64_t longest = 1, place[3];
    for (int d = 0; d < s->dimensions; d++) {
        longest = s->size[d] > longest ? s->size[d] : longest;
    }
    for (int32_t i = 0; i < graph->rows; i++) {
        int64_t natural = permutation_inverse(numbers, graph->first + i);
        place_of(s, natural, place);
        for (int d = 0; d < s->dimensions; d++) {
            uint64_t draw = permutation_mix((uint64_t)natural * 3 + (uint64_t)d) >> 11;
            double moved = 0.4 * ((double)draw / 0x1p53) - 0.2;
            coordinate[(int64_t)i * s->dimensions + d] = ((double)place[d] + 0.5 + moved) / (double)longest;
        }
    }
}

/* ---- The mesh ---- */

static int fill_mesh(MPI_Comm comm, const shape *s, uint64_t seed, inlay_mesh *mesh, inlay_diag *diag)
{
    permutation numbers = permutation_make(s->size[0] * s->size[1] * s->size[2], seed);
    int status = mesh_graph_new(comm, numbers.count, &mesh->graph, diag);
    if (status != INLAY_OK) {
        return status;
    }
    mesh->coordinate = memory_array((size_t)mesh->graph->rows * (size_t)s->dimensions, sizeof *mesh->coordinate);
    if (mesh->coordinate == NULL) {
        return diag_no_memory(diag);
    }
    mesh->dimensions = s->dimensions;
    mesh->format = "generated";
    fill_coordinates(s, &numbers, mesh->graph, mesh->coordinate);
    return fill_graph(s, &numbers, mesh->graph, diag);
}

int inlay_mesh_generate(MPI_Comm comm, inlay_mesh_kind kind, int32_t nx, int32_t ny, int32_t nz, uint64_t seed,
                        inlay_mesh **mesh, inlay_diag *diag)
{
    DIAG_CALL(diag);
    shape s = {.size = {1, 1, 1}};
    inlay_mesh *made = memory_zeroed(1, sizeof *made);
    int status = made == NULL ? diag_no_memory(diag) : make_shape(kind, nx, ny, nz, &s, diag);
    status = status == INLAY_OK ? fill_mesh(comm, &s, seed, made, diag) : status;
    status = collective_agree(comm, status, diag);
    if (status != INLAY_OK) {
        inlay_mesh_free(made);
        return status;
    }
    made->graph->arcs = collective_sum(comm, made->graph->start[made->graph->rows]);
    made->graph->checked = true;
    *mesh = made;
    return INLAY_OK;
}
