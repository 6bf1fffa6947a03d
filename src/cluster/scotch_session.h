/*
 * Scotch (version 7.0) with nothing of the process changed: one thread and fixed random numbers, in a context of its own. Only where
 * INLAY_SCOTCH is defined.
 */
#ifndef CLUSTER_SCOTCH_SESSION_H
#define CLUSTER_SCOTCH_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
/* which needs the two above */
#include <scotch/scotch.h>

/** A graph as Scotch takes it, in the library's own integers. */
typedef struct scotch_arcs {
    SCOTCH_Num vertices;
    SCOTCH_Num *begin; /**< vertices + 1 */
    SCOTCH_Num *neighbour, *load;
    SCOTCH_Num *weight; /**< of vertices; NULL: 1 everywhere */
} scotch_arcs;

/** All arrays but weights, uninitialised; false when out of memory. Cleared by the caller in any case. */
bool scotch_arcs_make(scotch_arcs *a, size_t vertices, size_t entries);
void scotch_arcs_clear(scotch_arcs *a);

typedef struct scotch_session {
    SCOTCH_Context context;
    SCOTCH_Graph graph, bound; /**< bound: with the context */
} scotch_session;

/** False where Scotch fails. */
bool scotch_open(scotch_session *s);
void scotch_close(scotch_session *s);

/** Make s->bound of a graph, which has to outlive it; it is to be unbound in any case. False where Scotch fails. */
bool scotch_bind(scotch_session *s, const scotch_arcs *a);
void scotch_unbind(scotch_session *s);

#endif
