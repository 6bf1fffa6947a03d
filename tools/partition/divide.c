/* The partition itself: of a graph as it is, of one with other weights, and of one that is divided already. */
#include "partition.h"
#include <stdlib.h>

/* The old part of each vertex of this rank. The caller frees it. */
static int read_parts(const partitioned *of, int64_t **value, inlay_diag *diag)
{
    const partition_values *values = of->call->values;
    const char *copy = values->copy[COPY_FROM];
    *value = malloc((size_t)of->rows * sizeof **value + 1);
    int status = partition_worst(*value != NULL ? INLAY_OK : INLAY_NO_MEMORY);
    return status != INLAY_OK ? status
                              : inlay_mesh_read_numbers(MPI_COMM_WORLD, copy != NULL ? copy : values->from,
                                                        partition_name(values->from), of->result.vertices, "a part", 0,
                                                        of->result.parts - 1, *value, diag);
}

int partition_take_weights(const partitioned *of, inlay_graph *graph, inlay_diag *diag)
{
    const partition_values *values = of->call->values;
    const char *copy = values->copy[COPY_WEIGHTS];
    return values->weights == NULL ? INLAY_OK
                                   : inlay_mesh_read_weights(copy != NULL ? copy : values->weights,
                                                             partition_name(values->weights), graph, diag);
}

static int divide_again(partitioned *of, const inlay_graph *graph, const inlay_partition_options *options,
                        inlay_diag *diag)
{
    int64_t *old = NULL;
    int32_t *from = malloc((size_t)of->rows * sizeof *from + 1);
    int status = partition_worst(from != NULL ? INLAY_OK : INLAY_NO_MEMORY);
    status = status == INLAY_OK ? read_parts(of, &old, diag) : status;
    for (int32_t i = 0; i < of->rows && status == INLAY_OK && from != NULL; i++) {
        from[i] = (int32_t)old[i];
    }
    if (status == INLAY_OK) {
        const inlay_repartition_options change = {from, partition_migration_cost(of->call->values), NULL};
        status = inlay_repartition(graph, options, &change, of->part, &of->result.change, diag);
    }
    free(old);
    free(from);
    return status;
}

int partition_divide(partitioned *of, const inlay_graph *graph, inlay_diag *diag)
{
    const partition_values *values = of->call->values;
    const inlay_partition_options options = {
        .method = values->method,
        .parts = of->result.parts,
        .imbalance = partition_imbalance(values),
        .target = of->result.target,
        .empty = values->empty,
        .seed = values->common.seed,
        .effort = values->effort.evaluations,
        .seconds = values->effort.seconds,
        .dimensions = of->dimensions,
        .coordinate = of->coordinate,
    };
    return values->from != NULL ? divide_again(of, graph, &options, diag)
                                : inlay_partition(graph, &options, of->part, diag);
}
