/* Elements at their owners in a new order: the graph, groups and coordinates go there first. */
#include "irregular/renumber.h"
#include "base/diag.h"
#include "irregular/exchange/collective.h"
#include "irregular/row_table.h"
#include <inlay/irregular_exchange.h>
#include <stdlib.h>

/* What is at the owners. */
typedef struct moved {
    inlay_csr *csr;
    inlay_graph graph; /* of what the others have */
    inlay_renumber_options options;
    int64_t *global;
    int32_t *group, *order;
    double *coordinate;
} moved;

static void moved_clear(moved *m)
{
    inlay_csr_free(m->csr);
    free(m->global);
    free(m->group);
    free(m->order);
    free(m->coordinate);
}

static int make_room(const inlay_table *table, moved *m, inlay_diag *diag)
{
    size_t rows = (size_t)inlay_table_local(table), dimensions = (size_t)m->options.dimensions;
    m->global = memory_array(rows, sizeof *m->global);
    m->order = memory_array(rows, sizeof *m->order);
    m->group = memory_array(rows, sizeof *m->group);
    m->coordinate = memory_array(rows * (dimensions > 0 ? dimensions : 1), sizeof *m->coordinate);
    bool room = m->global != NULL && m->order != NULL && m->group != NULL && m->coordinate != NULL;
    int status = collective_agree(m->graph.comm, room ? INLAY_OK : diag_no_memory(diag), diag);
    if (status == INLAY_OK) {
        inlay_table_globals(table, m->global);
        m->graph.rows = (int32_t)rows;
        m->graph.global = m->global;
    }
    return status;
}

/* Ranks without rows may have no arrays: what one has, all move. */
static int move_arrays(const inlay_renumber_options *o, moved *m, inlay_diag *diag)
{
    int status = INLAY_OK;
    if (collective_most(m->graph.comm, o->group != NULL) > 0) {
        status = inlay_schedule_move(m->csr->conformal, o->group, m->group, sizeof *m->group, diag);
        m->options.group = m->group;
    }
    if (status == INLAY_OK && o->how == INLAY_NUMBERING_HILBERT) {
        size_t bytes = (size_t)o->dimensions * sizeof *m->coordinate;
        status = inlay_schedule_move(m->csr->conformal, o->coordinate, m->coordinate, bytes, diag);
        m->options.coordinate = m->coordinate;
    }
    return status;
}

static int find_order(const inlay_table *table, moved *m, inlay_table **ordered, inlay_numbering_figures *figures,
                      inlay_diag *diag)
{
    inlay_numbering_figures found[2];
    int status = inlay_renumber(&m->graph, &m->options, m->order, diag);
    if (figures != NULL && status == INLAY_OK) {
        status = inlay_numbering_evaluate(&m->graph, NULL, m->options.group, &found[0], diag);
        status = status == INLAY_OK ? inlay_numbering_evaluate(&m->graph, m->order, m->options.group, &found[1], diag)
                                    : status;
    }
    status = status == INLAY_OK ? inlay_table_ordered(table, m->order, ordered, diag) : status;
    if (figures != NULL && status == INLAY_OK) {
        figures[0] = found[0];
        figures[1] = found[1];
    }
    return status;
}

/* Before anything moves: inlay_renumber() checks the numbers. */
static int check(const inlay_graph *graph, const inlay_table *table, const inlay_renumber_options *o, inlay_diag *diag)
{
    if (inlay_table_elements(table) != graph->vertices) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "the table has %lld elements; expected %lld, as many as vertices",
                         (long long)inlay_table_elements(table), (long long)graph->vertices);
    }
    bool places = o->dimensions >= 1 && o->dimensions <= 3 && (graph->rows == 0 || o->coordinate != NULL);
    if (o->how == INLAY_NUMBERING_HILBERT && !places) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "Hilbert's curve needs 1 to 3 coordinates of each vertex");
    }
    return INLAY_OK;
}

int inlay_table_renumber(const inlay_graph *graph, const inlay_table *table, const inlay_renumber_options *options,
                         inlay_table **ordered, inlay_numbering_figures *figures, inlay_diag *diag)
{
    DIAG_CALL(diag);
    bool places = options->how == INLAY_NUMBERING_HILBERT;
    moved m = {.options = {.how = options->how, .dimensions = places ? options->dimensions : 0}};
    inlay_table *from = NULL;
    m.graph = (inlay_graph){.comm = graph->comm, .vertices = graph->vertices, .arcs = graph->arcs};
    int status = collective_agree(graph->comm, check(graph, table, options, diag), diag);
    status = status == INLAY_OK ? row_table(graph, &from, diag) : status;
    status = status == INLAY_OK ? inlay_csr_remap(from, table, graph->start, graph->column, &m.csr, diag) : status;
    status = status == INLAY_OK ? make_room(table, &m, diag) : status;
    if (status == INLAY_OK) {
        m.graph.start = m.csr->start;
        m.graph.column = m.csr->column;
        status = move_arrays(options, &m, diag);
    }
    status = status == INLAY_OK ? find_order(table, &m, ordered, figures, diag) : status;
    inlay_table_free(from);
    moved_clear(&m);
    return status;
}
