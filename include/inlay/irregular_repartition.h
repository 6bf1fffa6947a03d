/*
 * Repartition (see irregular.h for the rules): a graph whose weights or edges changed is divided anew, and what that moves
 * counts as much as what is cut.
 *
 * Edges that are cut are paid for in each sweep, data that move once. Two ways are tried: the old partition, of which heavy
 * parts are relieved; and a fresh one, whose parts get the numbers of the old ones that they have most in common with. Both
 * are improved vertex by vertex, as long as edge cut + migration cost x size moved falls, and the better one is taken.
 *
 * The data move by inlay_remap() from the table of the old parts to that of the new ones.
 */
#ifndef INLAY_IRREGULAR_REPARTITION_H
#define INLAY_IRREGULAR_REPARTITION_H

#include <inlay/irregular_partition.h>

/** Besides inlay_partition_options, whose `method` makes the fresh partition. */
typedef struct inlay_repartition_options {
    const int32_t *from;   /**< [rows] the old part of each vertex, 0 .. parts - 1 */
    double migration_cost; /**< >= 0: of moving one unit of size, in units of edge cut; the same on all ranks */
    const int64_t *size;   /**< [rows] of what moves with a vertex, >= 0; NULL: the graph's */
} inlay_repartition_options;

typedef struct inlay_repartition_figures {
    int64_t edge_cut_before, edge_cut; /**< of the old parts under the weights of today, and of the new ones */
    int64_t moved, moved_size;         /**< vertices whose part is another, and the sum of their sizes */
    int64_t size;                      /**< of all vertices */
    double cost;                       /**< edge_cut + migration_cost x moved_size */
    double cost_kept, cost_fresh;      /**< of the two ways, before they were improved: `cost` is never more than the
                                            lesser, unless with several weights only the other way keeps the limits */
    bool fresh;                        /**< the fresh partition was better */
} inlay_repartition_figures;

/**
 * As inlay_partition(), with the same bounds and the same errors; INLAY_BAD_ARGUMENT also where from[i] is no part, for costs
 * below 0 or that are no numbers, sizes below 0, INLAY_OVERFLOW where their sum exceeds 2^61. Collective.
 */
INLAY_API int inlay_repartition(const inlay_graph *graph, const inlay_partition_options *options,
                                const inlay_repartition_options *change, int32_t *part,
                                inlay_repartition_figures *figures, inlay_diag *diag);

#endif
