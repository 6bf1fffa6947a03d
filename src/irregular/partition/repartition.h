/* What the files of repartition share. */
#ifndef IRREGULAR_PARTITION_REPARTITION_H
#define IRREGULAR_PARTITION_REPARTITION_H

#include "irregular/partition/partitioner.h"
#include <inlay/irregular_repartition.h>

/** What a partition costs, on all ranks alike. */
typedef struct repartition_worth {
    int64_t cut, moved, moved_size;
    double cost;
} repartition_worth;

/** Moves vertices, one at a time, to parts of their neighbours or back to the old one, as long as the cost falls; no part comes
 *  above its limit, none becomes empty. Collective; agreed upon. */
int repartition_improve(const inlay_graph *graph, const partition_job *job, const inlay_repartition_options *change,
                        int32_t *part, repartition_worth *worth, inlay_diag *diag);

/** What a partition in range is worth. Collective; agreed upon. */
int repartition_weigh(const inlay_graph *graph, const inlay_repartition_options *change, const int32_t *part,
                      repartition_worth *worth, inlay_diag *diag);

/**
 * Names for the parts of a fresh partition, of which common[p x parts + q] has been in part q: name[p] is another q each, such
 * that the sum of what stays is the greatest (of more than REPARTITION_EXACT parts: great). A part takes a name only where its
 * loads are within the limits of that part. Local. load[parts x weights].
 */
enum { REPARTITION_EXACT = 512 };
int repartition_match(const partition_job *job, const int64_t *load, const int64_t *common, int32_t *name,
                      inlay_diag *diag);

#endif
