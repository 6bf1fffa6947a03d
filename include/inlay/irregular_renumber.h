/*
 * Local numbers after a partition (see irregular.h for the rules): in which order a rank keeps its own elements.
 *
 * A partition leaves a rank's elements in the order of their global numbers, which in most meshes is none: neighbours lie
 * anywhere in memory, and a sweep waits for it. Here they get an order in which neighbours are near each other; owners stay.
 *
 *     inlay_table_renumber()   all of it: the table of the same owners, in such an order, for inlay_remap(), inlay_halo_make()
 *                              and the rest
 *     inlay_renumber()         the order alone, of a graph that lies at its owners
 *     inlay_table_ordered()    the table alone, of any order
 *
 * A loop that runs over more than the elements, such as edges, has to go in their order, too.
 */
#ifndef INLAY_IRREGULAR_RENUMBER_H
#define INLAY_IRREGULAR_RENUMBER_H

#include <inlay/irregular_graph.h>

typedef enum inlay_numbering {
    INLAY_NUMBERING_GROUPS, /**< rows stay in order, but for groups */
    INLAY_NUMBERING_RCM, /**< reverse Cuthill-McKee: breadth first from the edge of the graph, neighbours of few neighbours
                              first, and then backwards: a small bandwidth */
    INLAY_NUMBERING_HILBERT /**< along Hilbert's curve through the coordinates: what is near in space is near in memory */
} inlay_numbering;

typedef struct inlay_renumber_options {
    inlay_numbering how;
    const int32_t
        *group; /**< [rows] >= 0: rows of one group follow each other, groups ascend, edges between groups do not count:
                             parts that share a rank. NULL: all are one */
    int dimensions;           /**< of `coordinate`: 1 to 3; 0: there are none. Of INLAY_NUMBERING_HILBERT alone */
    const double *coordinate; /**< [rows x dimensions] */
} inlay_renumber_options;

/**
 * order[k] is the row of this rank that comes k-th; edges to rows of other ranks do not count. INLAY_BAD_ARGUMENT for options
 * that cannot be, coordinates that are missing or no numbers. Ties go to the lower row. Collective, though ranks send nothing.
 */
INLAY_API int inlay_renumber(const inlay_graph *graph, const inlay_renumber_options *options, int32_t *order,
                             inlay_diag *diag);

/** How far from each other the ends of edges within ranks are, in local numbers; over all ranks. */
typedef struct inlay_numbering_figures {
    int64_t edges;        /**< whose ends are both on one rank */
    int64_t bandwidth;    /**< the greatest distance */
    double mean_distance; /**< 0 where there are none */
} inlay_numbering_figures;

/** @param order  as above; NULL: as the rows are
 *  @param group  edges between groups do not count, as above; may be NULL
 *  INLAY_BAD_ARGUMENT where it is no order of the rows. Collective. */
INLAY_API int inlay_numbering_evaluate(const inlay_graph *graph, const int32_t *order, const int32_t *group,
                                       inlay_numbering_figures *figures, inlay_diag *diag);

/**
 * The owners of `table`, each with its elements in such an order. `graph` lies anywhere, and `group` and `coordinate` are of
 * its rows: they move to the owners with it.
 *
 * @param figures  [2]: as offsets are in `table`, and in the new one; may be NULL
 * INLAY_BAD_ARGUMENT as inlay_renumber(), and where the table is of other elements than the graph. Collective.
 */
INLAY_API int inlay_table_renumber(const inlay_graph *graph, const inlay_table *table,
                                   const inlay_renumber_options *options, inlay_table **ordered,
                                   inlay_numbering_figures *figures, inlay_diag *diag);

/** The same owners, but that the element with offset order[k] gets offset k. INLAY_BAD_ARGUMENT likewise. Collective. */
INLAY_API int inlay_table_ordered(const inlay_table *table, const int32_t *order, inlay_table **ordered,
                                  inlay_diag *diag);

#endif
