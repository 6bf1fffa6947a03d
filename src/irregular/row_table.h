/* Which rank has which row of a distributed graph. */
#ifndef IRREGULAR_ROW_TABLE_H
#define IRREGULAR_ROW_TABLE_H

#include <inlay/irregular_graph.h>

/** The translation table of a graph: owner and offset of element g are the rank and the row of vertex g. Collective. */
int row_table(const inlay_graph *graph, inlay_table **table, inlay_diag *diag);

#endif
