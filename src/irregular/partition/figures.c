/* What a partition costs. */
#include "irregular/partition/partitioner.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include "irregular/partition/part_edges.h"
#include <stdlib.h>

/* One weight, from the sums of all parts; returns its imbalance. */
static double look_at_loads(const int64_t *load, int32_t weights, int32_t parts, int64_t *largest, int64_t *smallest)
{
    double total = 0;
    *largest = *smallest = load[0];
    for (int32_t p = 0; p < parts; p++) {
        int64_t own = load[(ptrdiff_t)p * weights];
        *largest = own > *largest ? own : *largest;
        *smallest = own < *smallest ? own : *smallest;
        total += (double)own;
    }
    return total > 0 ? (double)*largest * parts / total - 1 : 0;
}

static void look_at_parts(const int64_t *load, const int64_t *vertices, int32_t parts, inlay_partition_figures *f)
{
    for (int32_t w = 0; w < f->weights; w++) {
        int64_t largest, smallest;
        f->imbalance_of[w] = look_at_loads(load + w, f->weights, parts, &largest, &smallest);
        f->largest = w == 0 ? largest : f->largest;
        f->smallest = w == 0 ? smallest : f->smallest;
        f->imbalance = w == 0 || f->imbalance_of[w] > f->imbalance ? f->imbalance_of[w] : f->imbalance;
    }
    for (int32_t p = 0; p < parts; p++) {
        f->empty += vertices[p] == 0;
    }
}

/* Sums over the edges that this rank counts: ghosts[p] is the size of those that part p has. */
static void look_at_edges(const part_edge *edge, int64_t count, int64_t *ghosts, inlay_partition_figures *f)
{
    int32_t neighbours = 0;
    for (int64_t i = 0; i < count; i++) {
        neighbours = i > 0 && edge[i - 1].part == edge[i].part ? neighbours + 1 : 1;
        f->most_neighbours = neighbours > f->most_neighbours ? neighbours : f->most_neighbours;
        f->edge_cut += edge[i].weight;
        f->volume += edge[i].size;
        ghosts[edge[i].other] += edge[i].size;
    }
}

/* Both ends of an edge have counted it. */
static void sum_up(const inlay_graph *graph, int64_t edges, int64_t *ghosts, int32_t parts, inlay_partition_figures *f)
{
    MPI_Comm comm = graph->comm;
    MPI_Allreduce(MPI_IN_PLACE, ghosts, parts, MPI_INT64_T, MPI_SUM, comm);
    for (int32_t p = 0; p < parts; p++) {
        f->largest_volume = ghosts[p] > f->largest_volume ? ghosts[p] : f->largest_volume;
    }
    f->edge_cut = collective_sum(comm, f->edge_cut) / 2;
    f->volume = collective_sum(comm, f->volume);
    f->most_neighbours = (int32_t)collective_most(comm, f->most_neighbours);
    f->mean_neighbours = (double)collective_sum(comm, edges) / parts;
}

int inlay_partition_evaluate(const inlay_graph *graph, const int32_t *part, int32_t parts,
                             inlay_partition_figures *figures, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = partition_in_range(graph, part, parts, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_partition_figures f = {.weights = graph_weights(graph)};
    int64_t *sums = memory_zeroed(((size_t)f.weights + 1) * (size_t)parts, sizeof *sums), count = 0;
    part_edge *edges = NULL;
    status = collective_agree(graph->comm, sums == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    status = status == INLAY_OK ? part_edges_make(graph, part, parts, &edges, &count, diag) : status;
    if (status == INLAY_OK) {
        look_at_edges(edges, count, sums, &f);
        sum_up(graph, count, sums, parts, &f);
        partition_weigh(graph, part, parts, sums + parts, sums);
        look_at_parts(sums + parts, sums, parts, &f);
        *figures = f;
    }
    free(sums);
    free(edges);
    return status;
}
