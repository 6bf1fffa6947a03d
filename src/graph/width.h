/* The exact width of the precedence order. */
#ifndef GRAPH_WIDTH_H
#define GRAPH_WIDTH_H

#include <inlay/app.h>

/** Largest antichain: the most modules of which none precedes another. -1 where the graph is too large for it. */
int graph_exact_width(const inlay_app *app, inlay_id *width, inlay_diag *diag);

#endif
