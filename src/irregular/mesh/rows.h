/*
 * The rows of a mesh file that lists the neighbours of each vertex, as they stand in this rank's piece of the file, and
 * their way to the owners of a block distribution.
 */
#ifndef IRREGULAR_MESH_ROWS_H
#define IRREGULAR_MESH_ROWS_H

#include "irregular/mesh/text.h"
#include <inlay/irregular_graph.h>

typedef struct mesh_rows {
    int64_t first;    /**< the number of row 0, from 0 */
    int64_t count;    /**< rows of this rank */
    int64_t vertices; /**< rows of all ranks */
    int64_t *start;   /**< [count + 1] */
    int64_t *column;  /**< numbers from 0; with labels the labels, until they are resolved */
    int64_t *weight;  /**< of arcs; NULL: 1 each */
    int64_t *load;    /**< [count x loads]; NULL: 1 each */
    int32_t loads;    /**< of a row */
    int64_t *size;    /**< [count]; NULL: 1 each */
    int64_t *label;   /**< [count]; NULL: none */
    size_t column_room, weight_room;
} mesh_rows;

/** Room for `count` rows, to be added one after the other; `loads` of each, or 0. */
int mesh_rows_new(int64_t count, int32_t loads, bool labels, mesh_rows *rows, inlay_diag *diag);
void mesh_rows_clear(mesh_rows *rows);

/** Appends an arc to row `row`, the last one that was begun. */
int mesh_rows_add(mesh_rows *rows, int64_t row, int64_t column, bool weighted, int64_t weight, inlay_diag *diag);

/**
 * Sorts a row by column and refuses a loop and a column that comes twice. `base` is the number of the file's first vertex,
 * for messages; with labels the row's own label stands for it.
 */
int mesh_rows_finish(const mesh_text *text, mesh_rows *rows, int64_t row, int64_t base, int64_t line, inlay_diag *diag);

void mesh_rows_sort(mesh_rows *rows, int64_t row); /**< by column */

/** Replaces the labels in column[] by numbers. Collective. */
int mesh_labels_resolve(const mesh_text *text, mesh_rows *rows, inlay_diag *diag);

/** label[i] of the i-th row of this rank in the block distribution, which the caller frees. Collective. */
int mesh_labels_deliver(MPI_Comm comm, mesh_rows *rows, int64_t **label, inlay_diag *diag);

/**
 * number[i] becomes the number of the vertex with the label sought[i], -1 where there is none. This rank tells of `count`
 * vertices from number `first` on. Collective.
 */
int mesh_labels_find(MPI_Comm comm, const int64_t *label, int64_t count, int64_t first, const int64_t *sought,
                     int64_t questions, int64_t *number, inlay_diag *diag);

/**
 * Makes the graph: moves the rows to the block distribution and finds each arc's opposite there. Takes the arcs out of
 * `rows`.
 * INLAY_BAD_INPUT with the first line that lists a neighbour which does not list it, or with another weight. Collective.
 */
int mesh_rows_deliver(const mesh_text *text, mesh_rows *rows, int64_t base, inlay_graph **graph, inlay_diag *diag);

/** An empty graph in block distribution: `start` is zero, the other arrays are not there. Local. */
int mesh_graph_new(MPI_Comm comm, int64_t vertices, inlay_graph **graph, inlay_diag *diag);

/* ---- Opposites ---- */

/** An arc without an opposite of equal weight; `row` is INT64_MAX where all have one. */
typedef struct mesh_arc {
    int64_t row, column;
    int64_t weight, opposite; /**< 0: there is no opposite */
} mesh_arc;

/** The first such arc of all ranks, of a graph in block distribution. Collective. */
int mesh_find_unmatched(const inlay_graph *graph, mesh_arc *found, inlay_diag *diag);

#endif
