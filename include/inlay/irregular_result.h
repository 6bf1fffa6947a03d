/*
 * What `inlay partition` tells: figures of a partition and of the loop over the edges, as JSON (see irregular.h for the rules).
 */
#ifndef INLAY_IRREGULAR_RESULT_H
#define INLAY_IRREGULAR_RESULT_H

#include <inlay/irregular_partition.h>
#include <inlay/irregular_renumber.h>
#include <inlay/irregular_repartition.h>
#include <inlay/result.h>
#include <inlay/shares.h>

/** Of one figure the least, the mean and the most, over ranks or parts. */
typedef struct inlay_extent {
    int64_t least, most;
    double mean;
} inlay_extent;

/** What a gather moves to each rank or part. */
typedef struct inlay_gathering {
    inlay_extent ghosts, messages; /**< that it receives; bytes are ghosts times the item */
} inlay_gathering;

/** Of all neighbours of a part's vertices, by part. */
INLAY_API inlay_gathering inlay_quotient_gathering(const inlay_quotient *quotient);
INLAY_API int64_t inlay_quotient_ghosts(const inlay_quotient *quotient, int32_t part); /**< of these neighbours */

/** Loads of the parts; the imbalance is by the targets, where there are some. */
typedef struct inlay_part_loads {
    int64_t smallest, largest;
    double imbalance;
} inlay_part_loads;

/** Of one weight, from 0 on, and that with the greatest imbalance. `target` may be NULL: parts are alike. */
INLAY_API inlay_part_loads inlay_quotient_loads(const inlay_quotient *quotient, const double *target, int32_t weight);
INLAY_API int32_t inlay_quotient_worst_weight(const inlay_quotient *quotient, const double *target);

/** Steps of a program with an irregular loop, in the order in which they come. */
typedef enum inlay_partition_phase {
    INLAY_PHASE_READ,       /**< the mesh: from its file, or made */
    INLAY_PHASE_GRAPH,      /**< the runtime data graph, from the edges */
    INLAY_PHASE_PARTITION,  /**< of the vertices */
    INLAY_PHASE_TABLE,      /**< the translation table of their new owners */
    INLAY_PHASE_ITERATIONS, /**< the edges to the ranks that compute them */
    INLAY_PHASE_REMAP,      /**< the data to their new owners: the schedule, and one array moved */
    INLAY_PHASE_LOCALIZE,   /**< ghosts and schedules of the loop */
    INLAY_PHASES
} inlay_partition_phase;

/** Everything is borrowed. */
typedef struct inlay_partition_result {
    const char *mesh, *format; /**< its path, or how it was made, and its format */
    const char *method, *rule; /**< of the partition, and of the iterations */
    int64_t vertices, edges, item;
    int ranks;
    int32_t parts;
    double imbalance_allowed;
    inlay_partition_figures figures;
    inlay_quotient *quotient;
    double *target;           /**< [parts] shares; NULL: parts are alike */
    const char *machine;      /**< its name; NULL: there is none */
    inlay_id processors;      /**< of the machine */
    inlay_id *processor;      /**< [parts] of the machine, ascending */
    inlay_part_places places; /**< but where parts have been on the machine before */
    const char *from;         /**< the old parts' file; NULL: there is none, nor */
    double migration_cost;
    inlay_repartition_figures change;
    const char *renumbered;               /**< "rcm" or "hilbert"; NULL: not, nor */
    inlay_numbering_figures numbering[2]; /**< before and after */
    inlay_extent iterations;              /**< edges that a rank computes */
    int64_t local, elements;              /**< of them: ends on the rank itself, and all ends */
    inlay_gathering vertices_of;          /**< of all neighbours of a part's vertices, by part */
    inlay_gathering loop;                 /**< of the loop over the edges, by rank: told where each part is one */
    double seconds[INLAY_PHASES];         /**< of the slowest rank */
} inlay_partition_result;

INLAY_API int inlay_partition_write_json(const inlay_partition_result *result, const inlay_result_context *context,
                                         const char *path, inlay_diag *diag);

#endif
