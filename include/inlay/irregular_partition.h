/*
 * Partitioners of a distributed graph (see irregular.h for the rules), all with the same calling sequence, and
 * what a partition costs.
 *
 * What a partitioner returns is verified before it is handed out: each part in range, none empty, none heavier than the
 * bound. Empty parts are filled and heavy ones relieved first, by moving vertices; a warning says how many. Nothing is
 * gathered: a rank holds numbers of its own vertices and their neighbours, and one for each part.
 *
 * Where vertices have several loads (inlay_graph.weights), each of them is to be divided evenly: bounds and targets are of
 * each. `best` and `metis` look at all; the other methods divide the sum of each load over its total, and heavy parts are
 * relieved then. Whether there is a partition that keeps all bounds is a hard question of its own: what is found that is
 * least above them is handed out, and inlay_partition_evaluate() tells how far that is.
 */
#ifndef INLAY_IRREGULAR_PARTITION_H
#define INLAY_IRREGULAR_PARTITION_H

#include <inlay/irregular_graph.h>
#include <stdbool.h>

/** Equal on all ranks, but for the coordinates. */
typedef struct inlay_partition_options {
    const char *method; /**< a name of the table below; NULL: "best" */
    int32_t parts;      /**< >= 1; need not be the number of ranks */
    double imbalance;   /**< the heaviest part weighs at most 1 + imbalance times the average; 0: 0.05. What is
                                   finer than the heaviest vertex is rounded up: average + heaviest (1 - 1 / parts) */
    const double
        *target;    /**< [parts] shares of the load that the parts shall have, above 0, of any sum: speeds of unlike
                                   processors. `imbalance` is then of each part's own share, and any part may have one
                                   vertex. NULL: equal shares */
    bool empty;     /**< parts may be empty where there are more of them than vertices: no error */
    uint64_t seed;  /**< of methods that draw numbers: best, ptscotch, rsb, metis */
    int64_t effort; /**< of `best`: how many partitions are made of others, by all ranks together; 0: by the size of
                         the graph, below 0: none. It makes none of graphs with more than 32 million arcs */
    double
        seconds; /**< above 0: as long as that in all, in place of `effort`; what comes out then depends on the computer */
    int dimensions;           /**< of `coordinate`: 1 to 3; 0: there are none */
    const double *coordinate; /**< [rows x dimensions], of this rank's vertices */
} inlay_partition_options;

/** A partitioner: its name, and what it does in a line. */
typedef struct inlay_partitioner {
    const char *name; /**< best, ptscotch, rsb, rcb, inertial, block, metis */
    const char *summary;
    bool coordinates; /**< needs them */
    bool one_rank;    /**< runs on one rank only (METIS) */
} inlay_partitioner;

/** The i-th, NULL behind the last. "best" comes first: the default. */
INLAY_API const inlay_partitioner *inlay_partitioner_at(size_t i);

/**
 * part[i] is the part of this rank's i-th vertex, 0 .. parts - 1. A graph that is not marked as checked is
 * checked first: INLAY_BAD_INPUT. It may fall into components, and need not be distributed in blocks. INLAY_BAD_ARGUMENT for options
 * that cannot be (an unknown method, coordinates that are missing, more parts than vertices); INLAY_NO_ANSWER where the bound
 * on the imbalance cannot be kept (one vertex weighs more than 1 + imbalance times the average); INLAY_OVERFLOW for a graph
 * that is too large for PT-Scotch's integers. Collective.
 */
INLAY_API int inlay_partition(const inlay_graph *graph, const inlay_partition_options *options, int32_t *part,
                              inlay_diag *diag);

/** What a partition costs, of the whole graph. */
typedef struct inlay_partition_figures {
    int64_t edge_cut; /**< weights of edges between parts */
    int64_t volume;   /**< sum over vertices of their size times the number of other parts among their neighbours: the
                           ghosts of all parts */
    int64_t largest_volume;  /**< of one part: the ghosts it has */
    int32_t most_neighbours; /**< parts that a part shares edges with, at most */
    double mean_neighbours;
    int64_t largest, smallest; /**< loads of parts */
    double imbalance;          /**< largest / average - 1; of several weights of the one that is worst off */
    int32_t empty;             /**< parts without vertices */
    int32_t weights;           /**< loads of a vertex, from 1 on; `largest` and `smallest` are of the first */
    double imbalance_of[INLAY_MOST_WEIGHTS]; /**< of each */
} inlay_partition_figures;

/** Of any partition, also of one with empty parts. INLAY_BAD_ARGUMENT where part[i] is not in 0 .. parts - 1. Collective. */
INLAY_API int inlay_partition_evaluate(const inlay_graph *graph, const int32_t *part, int32_t parts,
                                       inlay_partition_figures *figures, inlay_diag *diag);

/** How much the part that is heaviest, measured by its target, weighs above that: 0.1 for a tenth. Without targets (NULL)
 *  what `imbalance` above is. 0 where nothing weighs anything. Local. */
INLAY_API double inlay_partition_imbalance(const int64_t *load, const double *target, int32_t parts);

/** The graph of the parts: a vertex a part, an edge where vertices of two are neighbours. */
typedef struct inlay_quotient {
    int32_t parts;
    int64_t *load;   /**< [parts x weights] */
    int32_t *start;  /**< [parts + 1] */
    int32_t *part;   /**< neighbouring parts, ascending */
    int64_t *weight; /**< of the edges cut between the two */
    int64_t *ghosts; /**< vertices of this part that the neighbour needs: what a gather sends there */
    int32_t weights; /**< loads of a vertex, from 1 on */
} inlay_quotient;

/** inlay_partition_imbalance() of one weight of the parts, from 0 on. Local. */
INLAY_API double inlay_quotient_imbalance(const inlay_quotient *quotient, const double *target, int32_t weight);

/** On rank 0; NULL elsewhere. It has parts^2 entries at most, not the size of the graph. INLAY_BAD_ARGUMENT where part[i] is
 *  no part. Collective. */
INLAY_API int inlay_quotient_make(const inlay_graph *graph, const int32_t *part, int32_t parts,
                                  inlay_quotient **quotient, inlay_diag *diag);
INLAY_API void inlay_quotient_free(inlay_quotient *quotient);

#endif
