/* Profiling a dataflow program, and the parts of its graph that feed back into themselves. */
#ifndef SIMULATE_DATAFLOW_PROFILE_H
#define SIMULATE_DATAFLOW_PROFILE_H

#include "simulate/dataflow.h"

/** Which of the modules that can go on does. The result is the same: for tests. */
typedef enum profile_order {
    PROFILE_LAST_FIRST, /**< the one that could last; modules begin by number, when nobody can go on */
    PROFILE_FIRST_FIRST /**< the one that could first; all modules begin before, the last first */
} profile_order;

/** inlay_program_profile(), in that order. */
int dataflow_profile(inlay_program *program, const inlay_program_options *options, profile_order order,
                     inlay_profile **profile, inlay_diag *diag);

/** Values that were put into a channel. */
static inline int64_t dataflow_values(const engine *e, size_t channel)
{
    return (int64_t)(e->channel[channel].value.head + e->channel[channel].value.count);
}

/**
 * The strongly connected parts of the modules under the channels that carried something: two modules are in one part where
 * each feeds the other, perhaps through others.
 * @param part  number of its part for every module, filled in
 * @return INLAY_NO_MEMORY without a message
 */
int dataflow_parts(const engine *e, inlay_id *part);

#endif
