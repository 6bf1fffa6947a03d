/* A whole measurement, from the first barrier to the JSON. */
#ifndef TOOLS_MEASURE_RECORD_H
#define TOOLS_MEASURE_RECORD_H

#include "cluster.h"
#include "measure_values.h"
#include "messages.h"

/**
 * Measure everything, on all ranks.
 * @param json  a new reference on rank 0, else unchanged
 * @return INLAY_NO_MEMORY, on all ranks
 */
int record(const measure_values *values, json_t **json);

/** Its text, a line for each element: what --raw writes. The caller's to free; NULL when out of memory. */
char *record_text(const json_t *json, size_t *size);

/* ---- What it is made of ---- */

/** Numbers as an array. A new reference, or NULL. */
json_t *record_numbers(const double *value, int count);

/** Put the sizes of messages there. */
void record_sizes(const messages *m, json_t *to);

/** m->seconds, or others like them, as an array for each size. A new reference. */
json_t *record_by_size(const cluster *all, const messages *m, const double *seconds);

/**
 * Where --topology is given, measure what it asks for, on all ranks.
 * @param to  what was recorded of the processors; gets `topology`, `clusters` and `cycles`
 * @return INLAY_NO_MEMORY, on all ranks
 */
int record_topology(const cluster *all, const measure_values *values, const messages *m, json_t *to);

/**
 * With --hosts, measure what `inlay decompose` needs, on all ranks.
 * @param to  gets `operations`, `compute`, `sizes`, `pairs` and `ring`
 * @return INLAY_NO_MEMORY, on all ranks
 */
int record_advisor(const cluster *all, const measure_values *values, json_t *to);

#endif
