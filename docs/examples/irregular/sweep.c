/*
 * A sweep over the edges of a mesh, Figure 2 of the paper, whose data and iterations are distributed at run time:
 *
 *     do i = 1, nedges
 *       n1 = nde(i,1);  n2 = nde(i,2)
 *       y(n1) = y(n1) + x(n1) + x(n2)
 *       y(n2) = y(n2) - x(n1) + x(n2)
 *     enddo
 *
 *     mpicc -std=c17 -O2 sweep.c $(pkg-config --cflags --libs inlay-irregular) -o sweep
 *     mpirun -n 4 ./sweep
 */
#include <inlay/irregular.h>
#include <stdio.h>
#include <stdlib.h>

/* A collective call that fails does so on all ranks, with one message. */
static void must(int status, const inlay_diag *diag)
{
    if (status != INLAY_OK) {
        fprintf(stderr, "%s\n", inlay_diag_message(diag));
        MPI_Abort(MPI_COMM_WORLD, inlay_exit_status(status));
    }
}

/* Who shall own which element: the partition of the loop's runtime data graph. */
static inlay_table *map_data(const inlay_table *block, const int64_t *nde, int32_t edges, int ranks, inlay_diag *diag)
{
    inlay_rdg *rdg;
    inlay_graph *graph;
    inlay_table *table;
    must(inlay_rdg_new(inlay_table_elements(block), edges, &rdg, diag), diag); /* init_rdg_hash_table */
    for (int64_t i = 0; i < edges; i++) {
        must(inlay_rdg_add(rdg, nde[2 * i], &nde[2 * i + 1], 1, diag), diag); /* eliminate_dup_edges */
    }
    must(inlay_rdg_generate(rdg, block, &graph, diag), diag); /* generate_rdg */
    inlay_rdg_free(rdg);

    int32_t *part = malloc(((size_t)graph->rows + 1) * sizeof *part);
    inlay_partition_options options = {.method = "ptscotch", .parts = ranks};
    must(inlay_partition(graph, &options, part, diag), diag); /* RDG_partitioner */
    must(inlay_table_of_parts(block, part, &table, diag), diag);
    free(part);
    inlay_graph_free(graph);
    return table;
}

/* Which iterations this rank computes: those of whose elements it owns most. */
static inlay_iterations *map_iterations(const inlay_table *table, const int64_t *nde, int32_t edges, int64_t first,
                                        inlay_diag *diag)
{
    inlay_rig rig = {.iterations = edges, .first = first, .touched = 2, .element = nde};
    inlay_ripa *ripa;
    inlay_iterations *mine;
    must(inlay_ripa_make(table, &rig, &ripa, diag), diag); /* deref_rig */
    must(inlay_iterations_make(table, &rig, ripa, INLAY_ITERATION_MAX_OWNER, 0, &mine, diag),
         diag); /* iteration_partitioner */
    inlay_ripa_free(ripa);
    return mine;
}

/* The loop, on local numbers. */
static void sweep(inlay_halo *halo, int32_t edges, const int32_t *end, double *x, double *y, inlay_diag *diag)
{
    must(inlay_halo_gather(halo, x, 1, diag), diag); /* gather */
    for (int64_t i = 0; i < edges; i++) {
        int32_t n1 = end[2 * i], n2 = end[2 * i + 1];
        y[n1] += x[n1] + x[n2];
        y[n2] += -x[n1] + x[n2];
    }
    must(inlay_halo_scatter_add(halo, y, 1, diag), diag); /* scatter-add */
}

/* y of the elements that are this rank's own; behind them are its ghosts. */
static void print_sum(int rank, int ranks, inlay_halo_figures figures, const double *y)
{
    double sum[2] = {0, figures.ghosts};
    for (int32_t i = 0; i < figures.own; i++) {
        sum[0] += y[i];
    }
    MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("ranks %d: the sum of y is %.0f; a gather moves %.0f elements\n", ranks, sum[0], sum[1]);
    }
}

int main(int count, char **arguments)
{
    MPI_Init(&count, &arguments);
    inlay_diag *diag = inlay_diag_new();
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    /* What the program has: this rank's share of the edges and a block of x, both in the order of their numbers. */
    inlay_mesh *mesh;
    int64_t *nde, first;
    int32_t edges;
    must(inlay_mesh_generate(MPI_COMM_WORLD, INLAY_MESH_TRIANGLES, 60, 60, 1, 1, &mesh, diag), diag);
    must(inlay_mesh_edges(mesh, &nde, &edges, &first, diag), diag);
    double *old = malloc(((size_t)mesh->graph->rows + 1) * sizeof *old);
    for (int32_t i = 0; i < mesh->graph->rows; i++) {
        old[i] = (double)(mesh->graph->first + i);
    }

    /* The mapping. */
    inlay_table *block;
    must(inlay_table_block(MPI_COMM_WORLD, mesh->graph->vertices, &block, diag), diag);
    inlay_table *table = map_data(block, nde, edges, ranks, diag);
    inlay_iterations *mine = map_iterations(table, nde, edges, first, diag);

    /* Global numbers become local ones; then the arrays, with room for ghosts, come to their new owners. */
    int32_t *end = malloc((2 * (size_t)mine->count + 1) * sizeof *end);
    inlay_halo *halo;
    must(inlay_halo_make(table, mine->element, 2 * (int64_t)mine->count, end, &halo, diag), diag); /* localize */
    inlay_halo_figures figures = inlay_halo_figures_of(halo);
    size_t all = (size_t)figures.own + (size_t)figures.ghosts;
    double *x = malloc((all + 1) * sizeof *x), *y = calloc(all + 1, sizeof *y);
    inlay_schedule *schedule;
    must(inlay_remap(block, table, &schedule, diag), diag); /* remap */
    must(inlay_schedule_move(schedule, old, x, sizeof *x, diag), diag);

    sweep(halo, mine->count, end, x, y, diag);
    print_sum(rank, ranks, figures, y);

    free(x);
    free(y);
    free(old);
    free(end);
    free(nde);
    inlay_schedule_free(schedule);
    inlay_halo_free(halo);
    inlay_iterations_free(mine);
    inlay_table_free(table);
    inlay_table_free(block);
    inlay_mesh_free(mesh);
    inlay_diag_free(diag);
    MPI_Finalize();
    return 0;
}
