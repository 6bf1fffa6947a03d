/*
 * The runtime data graph, RDG (paper, section 3.1): one vertex for each element, one edge between two elements where an
 * iteration writes one and reads the other, weighted with how often (see irregular.h for the rules).
 *
 *     inlay_rdg_new()            init_rdg_hash_table    an empty local graph
 *     inlay_rdg_add()            eliminate_dup_edges    one statement of one iteration: what it writes and reads
 *     inlay_rdg_generate()       generate_rdg           local graphs merged, each row at the owner of its element
 */
#ifndef INLAY_IRREGULAR_GRAPH_H
#define INLAY_IRREGULAR_GRAPH_H

#include <inlay/irregular_table.h>
#include <stdbool.h>

/**
 * A distributed graph in CSR form: the rows of the elements that this rank owns, in the order of their offsets. Both arcs
 * of an edge are stored, with equal weights; columns ascend; no loops, no duplicates.
 */
typedef struct inlay_graph {
    MPI_Comm comm;
    int64_t vertices; /**< of all ranks */
    int64_t arcs;     /**< of all ranks: twice the edges */
    int32_t rows;     /**< of this rank */
    int64_t *global;  /**< [rows]: global number of each row; NULL: they follow each other from `first` */
    int64_t first;    /**< global number of row 0 where `global` is NULL: the block distribution */
    int64_t *start;   /**< [rows + 1]: row i is column[start[i] .. start[i + 1]) */
    int64_t *column;  /**< global numbers */
    int64_t *weight;  /**< of arcs, >= 1; NULL: 1 each */
    int64_t *load;    /**< [rows x weights] of vertices, >= 0; NULL: 1 each */
    bool checked;     /**< by inlay_graph_check(), or as good as that by how the library made it */
    int32_t weights;  /**< loads of each vertex, as of several phases of a program, or time and memory: up to
                           INLAY_MOST_WEIGHTS, those of a vertex one after the other; 0: one. The same on all ranks */
    int64_t *size;    /**< [rows] >= 0 of what is sent, or moved, with a vertex; NULL: 1 each */
} inlay_graph;

enum { INLAY_MOST_WEIGHTS = 32 };

INLAY_API void inlay_graph_free(inlay_graph *graph); /**< of graphs that the library made */

/**
 * Is it what it must be: columns in range, ascending, no loop, weights in range, and each arc met by its opposite of equal
 * weight? INLAY_BAD_INPUT with the first arc that is not: `arc 3 -> 7 has no opposite`. Collective.
 */
INLAY_API int inlay_graph_check(const inlay_graph *graph, inlay_diag *diag);

typedef struct inlay_rdg inlay_rdg;

/**
 * An empty local graph over n elements.
 *
 * @param expected  about how many different edges will come: room to begin with, no limit. The memory grows with the
 *                  different edges, not with the statements
 */
INLAY_API int inlay_rdg_new(int64_t n, int64_t expected, inlay_rdg **rdg, inlay_diag *diag);
INLAY_API void inlay_rdg_free(inlay_rdg *rdg);

/**
 * A statement that writes element `written` and reads the `count` elements read[]: counts 1 for the edge to each that is
 * not `written` itself. INLAY_BAD_ARGUMENT where an element is not in 0 .. n - 1: nothing is counted then. After
 * INLAY_NO_MEMORY the graph can only be freed. Local.
 */
INLAY_API int inlay_rdg_add(inlay_rdg *rdg, int64_t written, const int64_t *read, int32_t count, inlay_diag *diag);

/** `count` statements at once, each writing written[i] and reading read[i]: the edges of a mesh. Fails as
 *  inlay_rdg_add() does. Local. */
INLAY_API int inlay_rdg_add_pairs(inlay_rdg *rdg, const int64_t *written, const int64_t *read, int64_t count,
                                  inlay_diag *diag);

/**
 * The graph of all ranks' statements: each local row is sent to the rank that owns its element in `rows` (which need not
 * be block-wise), where equal arcs are summed. Where all weights are 1, `weight` is NULL. The local graph is emptied, and
 * may be used again. Collective over the communicator of `rows`.
 */
INLAY_API int inlay_rdg_generate(inlay_rdg *rdg, const inlay_table *rows, inlay_graph **graph, inlay_diag *diag);

#endif
