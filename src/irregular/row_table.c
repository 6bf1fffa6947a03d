/* A graph's own distribution as a translation table. */
#include "irregular/row_table.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include <stdbool.h>
#include <stdlib.h>

static bool is_block(const inlay_graph *graph)
{
    int rank = collective_rank(graph->comm), ranks = collective_ranks(graph->comm);
    int64_t first = inlay_block_first(graph->vertices, ranks, rank);
    bool mine = graph->global == NULL && graph->first == first &&
                graph->first + graph->rows == inlay_block_first(graph->vertices, ranks, rank + 1);
    return collective_least(graph->comm, mine) == 1;
}

int row_table(const inlay_graph *graph, inlay_table **table, inlay_diag *diag)
{
    if (is_block(graph)) {
        return inlay_table_block(graph->comm, graph->vertices, table, diag);
    }
    int64_t *numbers = memory_array((size_t)graph->rows, sizeof *numbers);
    for (int32_t i = 0; i < graph->rows && numbers != NULL; i++) {
        numbers[i] = graph->global == NULL ? graph->first + i : graph->global[i];
    }
    int status = collective_agree(graph->comm, numbers == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    if (status == INLAY_OK) {
        status = inlay_table_owned(graph->comm, graph->vertices, numbers, graph->rows, table, diag);
    }
    free(numbers);
    return status;
}
