/* Formats of mesh files: one reader each. */
#ifndef IRREGULAR_MESH_FORMATS_H
#define IRREGULAR_MESH_FORMATS_H

#include "irregular/mesh/text.h"
#include <inlay/irregular_mesh.h>

/** What a reader finds. */
typedef struct mesh_found {
    inlay_graph *graph;
    int64_t *label; /**< of the rows of the graph, where the file gives its vertices other names; NULL: none */
    int64_t base;   /**< the number of the file's first vertex, where it has no labels */
} mesh_found;

/** Reads what is left of a file. Nothing is left in `found` on failure. Collective. */
typedef int mesh_reader(mesh_text *text, mesh_found *found, inlay_diag *diag);

mesh_reader mesh_read_metis;
mesh_reader mesh_read_scotch;
mesh_reader mesh_read_matrix_market;
mesh_reader mesh_read_elements;
mesh_reader mesh_read_edge_list;

/** The coordinates of the vertices of `graph` in a file (`name` as for mesh_text_read()), into coordinate[rows x dimensions], which the caller frees. Collective. */
int mesh_read_coordinates(const char *path, const char *name, const mesh_found *found, int *dimensions,
                          double **coordinate, inlay_diag *diag);

#endif
