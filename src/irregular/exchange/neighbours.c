/* Numbers of neighbours, by a halo over the columns of a graph. */
#include "irregular/exchange/neighbours.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include "irregular/row_table.h"
#include <stdlib.h>
#include <string.h>

static int localize(const inlay_graph *graph, const inlay_table *table, neighbours *n, inlay_diag *diag)
{
    int64_t arcs = graph->start[graph->rows];
    n->place = memory_array((size_t)arcs, sizeof *n->place);
    int status = collective_agree(graph->comm, n->place == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    status = status == INLAY_OK ? inlay_halo_make(table, graph->column, arcs, n->place, &n->halo, diag) : status;
    if (status != INLAY_OK) {
        return status;
    }
    inlay_halo_figures figures = inlay_halo_figures_of(n->halo);
    n->value = memory_zeroed((size_t)figures.own + (size_t)figures.ghosts, sizeof *n->value);
    return collective_agree(graph->comm, n->value == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
}

int neighbours_make(const inlay_graph *graph, neighbours *n, inlay_diag *diag)
{
    *n = (neighbours){.place = NULL};
    inlay_table *table = NULL;
    int status = row_table(graph, &table, diag);
    if (status == INLAY_OK) {
        status = localize(graph, table, n, diag);
        inlay_table_free(table);
    }
    return status;
}

void neighbours_clear(neighbours *n)
{
    free(n->place);
    free(n->value);
    inlay_halo_free(n->halo);
}

int neighbours_fetch(const inlay_graph *graph, neighbours *n, const int32_t *number, inlay_diag *diag)
{
    if (graph->rows > 0) {
        memcpy(n->value, number, (size_t)graph->rows * sizeof *number);
    }
    inlay_field value = {n->value, MPI_INT32_T, 1};
    int status = inlay_halo_gather_begin(n->halo, &value, 1, diag);
    return status == INLAY_OK ? inlay_halo_gather_end(n->halo, diag) : status;
}
