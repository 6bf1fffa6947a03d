/*
 * How far each vertex of a mesh is from the first one, in edges: all edges are gone over until nothing changes. The ghosts
 * come while the edges are gone over that need none, and what was found for them goes back by MPI_MIN.
 *
 *     mpicc -std=c17 -O2 overlap.c $(pkg-config --cflags --libs inlay-irregular) -o overlap
 *     mpirun -n 4 ./overlap
 */
#include <inlay/irregular.h>
#include <stdio.h>
#include <stdlib.h>

static void must(int status, const inlay_diag *diag)
{
    if (status != INLAY_OK) {
        fprintf(stderr, "%s\n", inlay_diag_message(diag));
        MPI_Abort(MPI_COMM_WORLD, inlay_exit_status(status));
    }
}

/* Edges order[from] .. order[to - 1]: an end is at most one further than the other. */
static void relax(const int32_t *order, int32_t from, int32_t to, const int32_t *end, int32_t *far)
{
    for (int32_t k = from; k < to; k++) {
        int32_t *a = &far[end[2 * (int64_t)order[k]]], *b = &far[end[2 * (int64_t)order[k] + 1]];
        *a = *a > *b + 1 ? *b + 1 : *a;
        *b = *b > *a + 1 ? *a + 1 : *b;
    }
}

static int64_t sum_of(const int32_t *far, int32_t own)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < own; i++) {
        sum += far[i];
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

int main(int count, char **arguments)
{
    MPI_Init(&count, &arguments);
    inlay_diag *diag = inlay_diag_new();
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    /* Vertices lie in blocks of their numbers, and so do the edges. */
    inlay_mesh *mesh;
    inlay_table *table;
    int64_t *nde, first;
    int32_t edges;
    must(inlay_mesh_generate(MPI_COMM_WORLD, INLAY_MESH_TRIANGLES, 60, 60, 1, 0, &mesh, diag), diag);
    must(inlay_mesh_edges(mesh, &nde, &edges, &first, diag), diag);
    must(inlay_table_block(MPI_COMM_WORLD, mesh->graph->vertices, &table, diag), diag);

    inlay_halo *halo;
    int32_t *end = malloc((2 * (size_t)edges + 1) * sizeof *end);
    must(inlay_halo_make(table, nde, 2 * (int64_t)edges, end, &halo, diag), diag);
    inlay_halo_figures figures = inlay_halo_figures_of(halo);
    int32_t *order = malloc(((size_t)edges + 1) * sizeof *order);
    int32_t inner = inlay_halo_inner(halo, end, NULL, 2, edges, order);

    int32_t all = figures.own + figures.ghosts;
    int32_t *far = malloc(((size_t)all + 1) * sizeof *far);
    for (int32_t i = 0; i < all; i++) {
        far[i] = rank == 0 && i == 0 ? 0 : 1000000;
    }
    inlay_field field = {.value = far, .type = MPI_INT32_T, .width = 1};
    int64_t sum = sum_of(far, figures.own), before;
    do {
        must(inlay_halo_gather_begin(halo, &field, 1, diag), diag);
        relax(order, 0, inner, end, far); /* own elements may change: they are on their way already */
        must(inlay_halo_gather_end(halo, diag), diag);
        relax(order, inner, edges, end, far);
        must(inlay_halo_scatter_begin(halo, &field, 1, MPI_MIN, diag), diag);
        relax(order, 0, inner, end, far);
        must(inlay_halo_scatter_end(halo, diag), diag);
        before = sum;
        sum = sum_of(far, figures.own);
    } while (sum < before);
    if (rank == 0) {
        printf("ranks %d: the distances from the first vertex add up to %lld\n", ranks, (long long)sum);
    }

    free(far);
    free(order);
    free(end);
    free(nde);
    inlay_halo_free(halo);
    inlay_table_free(table);
    inlay_mesh_free(mesh);
    inlay_diag_free(diag);
    MPI_Finalize();
    return 0;
}
