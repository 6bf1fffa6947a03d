/*
 * The largest antichain, by Dilworth's theorem: modules minus a maximum matching of the transitive closure's bipartite
 * graph. The closure itself is never made: a flow may pass through a module (its right copy leads to its left copy),
 * so that a unit from i to j stands for any path.
 */
#include "graph/width.h"
#include "base/diag.h"
#include "base/turn.h"
#include "graph/app.h"
#include <igraph.h>

/* Beyond this many modules and links together the answer would take longer than a mapping does. */
enum { LARGEST = 12000 };

/* Vertices: source, sink, then left and right copy of every module. */
static igraph_integer_t left(inlay_id module)
{
    return 2 + 2 * (igraph_integer_t)module;
}

static igraph_integer_t right(inlay_id module)
{
    return left(module) + 1;
}

static igraph_error_t add_arc(igraph_vector_int_t *arcs, igraph_vector_t *capacity, igraph_integer_t from,
                              igraph_integer_t to, double room)
{
    IGRAPH_CHECK(igraph_vector_int_push_back(arcs, from));
    IGRAPH_CHECK(igraph_vector_int_push_back(arcs, to));
    return igraph_vector_push_back(capacity, room);
}

static igraph_error_t fill_network(const inlay_app *app, igraph_vector_int_t *arcs, igraph_vector_t *capacity)
{
    double unlimited = app->modules;
    for (inlay_id i = 0; i < app->modules; i++) {
        IGRAPH_CHECK(add_arc(arcs, capacity, 0, left(i), 1));
        IGRAPH_CHECK(add_arc(arcs, capacity, right(i), 1, 1));
        IGRAPH_CHECK(add_arc(arcs, capacity, right(i), left(i), unlimited));
        for (int64_t l = app->in_begin[i]; l < app->in_begin[i + 1]; l++) {
            IGRAPH_CHECK(add_arc(arcs, capacity, left(app->in_from[l]), right(i), unlimited));
        }
    }
    return IGRAPH_SUCCESS;
}

static igraph_error_t largest_matching(const inlay_app *app, double *matching)
{
    igraph_vector_int_t arcs;
    igraph_vector_t capacity;
    igraph_t network;
    IGRAPH_CHECK(igraph_vector_int_init(&arcs, 0));
    IGRAPH_FINALLY(igraph_vector_int_destroy, &arcs);
    IGRAPH_CHECK(igraph_vector_init(&capacity, 0));
    IGRAPH_FINALLY(igraph_vector_destroy, &capacity);
    IGRAPH_CHECK(fill_network(app, &arcs, &capacity));
    IGRAPH_CHECK(igraph_create(&network, &arcs, 2 + 2 * (igraph_integer_t)app->modules, IGRAPH_DIRECTED));
    IGRAPH_FINALLY(igraph_destroy, &network);
    IGRAPH_CHECK(igraph_maxflow_value(&network, matching, 0, 1, &capacity, NULL));
    igraph_destroy(&network);
    igraph_vector_destroy(&capacity);
    igraph_vector_int_destroy(&arcs);
    IGRAPH_FINALLY_CLEAN(3);
    return IGRAPH_SUCCESS;
}

int graph_exact_width(const inlay_app *app, inlay_id *width, inlay_diag *diag)
{
    if (app->modules + app->precedence_links > LARGEST) {
        *width = -1;
        return INLAY_OK;
    }
    double matching = 0;
    turn_take(); /* igraph keeps its clean-up stack and its error handler in variables of its own */
    igraph_error_handler_t *before = igraph_set_error_handler(igraph_error_handler_ignore);
    igraph_error_t error = largest_matching(app, &matching);
    if (error != IGRAPH_SUCCESS) {
        IGRAPH_FINALLY_FREE();
    }
    igraph_set_error_handler(before);
    turn_give();
    if (error != IGRAPH_SUCCESS) {
        return diag_fail(diag, error == IGRAPH_ENOMEM ? INLAY_NO_MEMORY : INLAY_SYSTEM, "the width: %s",
                         igraph_strerror(error));
    }
    *width = app->modules - (inlay_id)(matching + 0.5);
    return INLAY_OK;
}
