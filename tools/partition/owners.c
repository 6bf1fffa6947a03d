/* Who owns what: the ranks of the parts, and in which order each keeps its vertices. */
#include "partition.h"
#include <stdlib.h>

/* The rank of each vertex: its part, where there are enough ranks, else that of a group of parts that follow each other. */
static int owners_of_parts(const partitioned *of, const inlay_table *blocks, inlay_table **owners, inlay_diag *diag)
{
    int32_t *rank = malloc((size_t)of->rows * sizeof *rank + 1);
    int status = partition_worst(rank != NULL ? INLAY_OK : INLAY_NO_MEMORY);
    for (int32_t i = 0; i < of->rows && status == INLAY_OK && rank != NULL; i++) {
        rank[i] = of->result.parts > of->result.ranks
                      ? (int32_t)((int64_t)of->part[i] * of->result.ranks / of->result.parts)
                      : of->part[i];
    }
    status = status == INLAY_OK ? inlay_table_of_parts(blocks, rank, owners, diag) : status;
    free(rank);
    return status;
}

/* Parts that share a rank stay apart. */
static int renumber(partitioned *of, const inlay_graph *graph, inlay_table **owners, inlay_diag *diag)
{
    const partition_values *values = of->call->values;
    static const inlay_numbering ways[] = {INLAY_NUMBERING_GROUPS, INLAY_NUMBERING_RCM, INLAY_NUMBERING_HILBERT};
    const inlay_renumber_options options = {
        .how = ways[values->renumber], .group = of->part, .dimensions = of->dimensions, .coordinate = of->coordinate};
    inlay_table *ordered = NULL;
    int status = inlay_table_renumber(graph, *owners, &options, &ordered, of->result.numbering, diag);
    if (status == INLAY_OK) {
        inlay_table_free(*owners);
        *owners = ordered;
    }
    return status;
}

/* The number of a vertex: those of lower ranks come first. */
static int number_vertices(partitioned *of, const inlay_table *blocks, const inlay_table *owners, inlay_diag *diag)
{
    int64_t own = inlay_table_local(owners), before = 0;
    int64_t *base = malloc((size_t)of->result.ranks * sizeof *base);
    int32_t *owner = malloc((size_t)of->rows * sizeof *owner + 1),
            *offset = malloc((size_t)of->rows * sizeof *offset + 1);
    of->number = malloc((size_t)of->rows * sizeof *of->number + 1);
    bool room = base != NULL && owner != NULL && offset != NULL && of->number != NULL;
    int status = partition_worst(room ? INLAY_OK : INLAY_NO_MEMORY);
    if (status == INLAY_OK && room) {
        MPI_Exscan(&own, &before, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        before = of->rank == 0 ? 0 : before;
        MPI_Allgather(&before, 1, MPI_INT64_T, base, 1, MPI_INT64_T, MPI_COMM_WORLD);
        inlay_table_globals(blocks, of->number);
        status = inlay_table_dereference(owners, of->number, of->rows, owner, offset, diag);
    }
    for (int32_t i = 0; i < of->rows && status == INLAY_OK && room; i++) {
        of->number[i] = base[owner[i]] + offset[i];
    }
    free(base);
    free(owner);
    free(offset);
    return status;
}

int partition_make_owners(partitioned *of, const inlay_graph *graph, const inlay_table *blocks, inlay_table **owners,
                          inlay_diag *diag)
{
    const partition_values *values = of->call->values;
    int status = owners_of_parts(of, blocks, owners, diag);
    bool mixed = values->numbers != NULL && of->result.parts > of->result.ranks; /* numbers go part by part */
    if (status == INLAY_OK && (values->renumber != RENUMBER_NO || mixed)) {
        status = renumber(of, graph, owners, diag);
    }
    return status == INLAY_OK && values->numbers != NULL ? number_vertices(of, blocks, *owners, diag) : status;
}
