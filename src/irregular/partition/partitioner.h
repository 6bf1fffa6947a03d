/* The calling sequence of partitioners inside this room: what inlay_partition() hands to each of them, and expects. */
#ifndef IRREGULAR_PARTITION_PARTITIONER_H
#define IRREGULAR_PARTITION_PARTITIONER_H

#include <inlay/irregular_partition.h>
#include <math.h>
#include <stddef.h>

/** The question, after its options were checked and agreed upon by all ranks. */
typedef struct partition_job {
    const char *method; /**< its name */
    int32_t parts;      /**< 2 .. number of vertices (of the whole graph) */
    double imbalance;   /**< > 0, in shares of the average load of a part */
    int64_t total;      /**< load of all vertices; below 2^62 */
    int64_t heaviest;   /**< load of the heaviest vertex; at most `target` */

    /** The heaviest part that is asked for: (1 + imbalance) times the average, rounded down, but at least the average,
     *  rounded up. */
    int64_t target;

    /** The heaviest part that is accepted: the average and (1 - 1 / parts) of the heaviest vertex, where that is more than
     *  `target`. Where all loads are 1, it never is. */
    int64_t limit;

    uint64_t seed;            /**< of methods that draw numbers */
    int64_t effort;           /**< of `best`: as in the options */
    double seconds;           /**< likewise */
    int dimensions;           /**< of `coordinate`: 1 to 3; 0: there are none, and the method does not need any */
    const double *coordinate; /**< [rows x dimensions], finite numbers */

    /** [parts + 1] the share of the load that all parts below p shall have together; NULL: parts are alike. Where they are
     *  not, `target` and `limit` are the largest of those that partition_target() and partition_limit() tell. */
    double *below;
    int64_t *bounds; /**< [2 x parts] target and limit of each part; NULL likewise */

    /** Where vertices have several loads: what is said above is of the first; of each other one there is a job of its own,
     *  of that load alone. What is accepted then is a wish, not a bound: see irregular_partition.h. */
    int32_t weights;               /**< from 1 on */
    struct partition_job *further; /**< [weights - 1]; NULL: there is none */
    double scale;                  /**< of loads of this weight, so that they can be compared with others */
} partition_job;

/** The job of one of the weights, from 0 on. */
static inline const partition_job *partition_weight(const partition_job *job, int32_t weight)
{
    return weight == 0 ? job : &job->further[weight - 1];
}

/** An amount of load of that weight, where there are several in units that are the same for all. */
static inline int64_t partition_scaled(const partition_job *job, int32_t weight, int64_t amount)
{
    return job->weights == 1 ? amount : (int64_t)ceil((double)amount * partition_weight(job, weight)->scale);
}

/** What the options ask for, the same on all ranks; the graph is checked, too. partition_targets_clear() frees it, also after a
 *  failure. Collective; agreed upon. */
int partition_job_make(const inlay_graph *graph, const inlay_partition_options *options, partition_job *job,
                       inlay_diag *diag);

/* ---- Parts that shall not weigh the same: targets.c. Where they shall, what follows from `target` and `limit` ---- */

/** Fills `below` from the shares that are asked for, which must be the same on all ranks. Collective; agreed upon. */
int partition_targets_make(MPI_Comm comm, const double *share, partition_job *job, inlay_diag *diag);
void partition_targets_clear(partition_job *job);

/** Fills `bounds`, `target` and `limit`, of a job whose loads were weighed and that has `below`. */
void partition_targets_bound(partition_job *job);

/** Fills `target` and `limit` of a job whose loads were weighed, and `bounds` where parts are not alike. */
void partition_job_bound(partition_job *job);

/** The heaviest that is asked for, and that is accepted, of part p. */
static inline int64_t partition_target(const partition_job *job, int32_t p)
{
    return job->bounds == NULL ? job->target : job->bounds[p];
}

static inline int64_t partition_limit(const partition_job *job, int32_t p)
{
    return job->bounds == NULL ? job->limit : job->bounds[job->parts + p];
}

/** The share of part p in the whole load: whole numbers, which sum up to all of it where parts are not alike. */
int64_t partition_goal(const partition_job *job, int32_t p);

/** What of `weight`, that parts first .. first + all - 1 shall have together, the first `some` of them shall: rounded down. */
int64_t partition_share(const partition_job *job, int64_t weight, int32_t first, int32_t some, int32_t all);

/**
 * Writes part[i], 0 .. parts - 1, of each row i of this rank. Collective over graph->comm: all ranks return the same status,
 * by collective_agree(). The graph is as inlay_graph_check() wants it; ranks may have no rows; the graph may fall into
 * several components, and have vertices without edges or of load 0.
 *
 * A method aims at no part above `target`. What it misses, and parts that it leaves empty, are then repaired by
 * partition_repair() and verified by the caller, so that no method needs a repair of its own.
 */
typedef int partition_run(const inlay_graph *graph, const partition_job *job, int32_t *part, inlay_diag *diag);

partition_run partition_best;
partition_run partition_ptscotch;
partition_run partition_rsb; /**< spectral.c */
partition_run partition_rcb;
partition_run partition_inertial;
partition_run partition_block;
partition_run partition_metis;

/** Runs a method that knows one load a vertex: of several, it divides the sum of each over its total. Collective; agreed upon. */
int partition_run_combined(partition_run *run, const inlay_graph *graph, const partition_job *job, int32_t *part,
                           inlay_diag *diag);

/** Runs a method; then what it made is repaired and verified. Collective; agreed upon. */
int partition_run_checked(partition_run *run, const inlay_graph *graph, const partition_job *job, int32_t *part,
                          inlay_diag *diag);

/** Loads of a vertex, from 1 on. */
static inline int32_t graph_weights(const inlay_graph *graph)
{
    return graph->weights > 1 ? graph->weights : 1;
}

/** One of the loads of row i of this rank. */
static inline int64_t row_weight(const inlay_graph *graph, int32_t i, int32_t weight)
{
    return graph->load == NULL ? 1 : graph->load[(ptrdiff_t)i * graph_weights(graph) + weight];
}

/** Load of row i of this rank, for methods that know of one. */
static inline int64_t row_load(const inlay_graph *graph, int32_t i)
{
    return graph->load == NULL ? 1 : graph->load[i];
}

/** Global number of row i of this rank. */
static inline int64_t row_global(const inlay_graph *graph, int32_t i)
{
    return graph->global == NULL ? graph->first + i : graph->global[i];
}

/** Is part[i] in 0 .. parts - 1 for every row? INLAY_BAD_ARGUMENT with the first vertex where it is not, and where there are
 *  no parts at all. Collective; agreed upon. */
int partition_in_range(const inlay_graph *graph, const int32_t *part, int32_t parts, inlay_diag *diag);

/** load[parts x weights] of each part, and how many vertices it has, on all ranks. Parts must be in range. Collective. */
void partition_weigh(const inlay_graph *graph, const int32_t *part, int32_t parts, int64_t *load, int64_t *vertices);

/** Is every part in range, none empty, and with one load a vertex none above the limit? INLAY_NO_ANSWER where one is empty or
 *  too heavy. Collective. */
int partition_verify(const inlay_graph *graph, const partition_job *job, const int32_t *part, inlay_diag *diag);

/**
 * Fills empty parts and brings those above the limit below it, by moving vertices; a warning tells how many. Parts must be
 * in range. Always succeeds, memory permitting; of several weights it does what it can. Collective.
 */
int partition_repair(const inlay_graph *graph, const partition_job *job, int32_t *part, inlay_diag *diag);

#endif
