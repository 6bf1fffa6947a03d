/* Pairs of vertices that a file lists in any order, and the graph whose edges they are. */
#ifndef IRREGULAR_MESH_PAIRS_H
#define IRREGULAR_MESH_PAIRS_H

#include "irregular/mesh/text.h"
#include <inlay/irregular_graph.h>

typedef struct mesh_pairs {
    int64_t *one, *other; /**< numbers from 0 */
    int64_t count;
    size_t one_room, other_room;
} mesh_pairs;

int mesh_pairs_add(mesh_pairs *pairs, int64_t one, int64_t other, inlay_diag *diag);
void mesh_pairs_clear(mesh_pairs *pairs);

/**
 * The graph of all ranks' pairs, each edge once whatever its number of pairs, without loops. Empties `pairs`. `repeats`
 * becomes the number of pairs, of all ranks, that equal an earlier one, end by end; NULL where that is nothing to tell.
 * INLAY_BAD_INPUT where nearly all vertices would be without an edge: numbers that are no numbers of vertices. Collective.
 */
int mesh_pairs_graph(const mesh_text *text, mesh_pairs *pairs, int64_t vertices, int64_t *repeats, inlay_graph **graph,
                     inlay_diag *diag);

#endif
