/* Predecessors and a topological order of an application under construction. */
#ifndef GRAPH_PRECEDENCE_H
#define GRAPH_PRECEDENCE_H

#include "graph/builder.h"

/** Fill in the incoming links and the order from the outgoing ones; a cycle is INLAY_BAD_INPUT with the modules on it. */
int precedence_make(const inlay_app_builder *builder, inlay_app *app, inlay_diag *diag);

#endif
