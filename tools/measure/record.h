/* A whole measurement, from the first barrier to the JSON. */
#ifndef TOOLS_MEASURE_RECORD_H
#define TOOLS_MEASURE_RECORD_H

#include "cluster.h"
#include "measure_values.h"

/**
 * Measure everything, on all ranks.
 * @param json  a new reference on rank 0, else unchanged
 * @return INLAY_NO_MEMORY, on all ranks
 */
int record(const measure_values *values, json_t **json);

#endif
