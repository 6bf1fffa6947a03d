/* What a stochastic graph becomes, on the way to an application: modules, and flows between them. */
#ifndef GRAPH_STOCHASTIC_REDUCE_H
#define GRAPH_STOCHASTIC_REDUCE_H

#include "graph/stochastic.h"

/** Expected traffic of all executions, from a module or block to a module of G(A). */
typedef struct sg_flow {
    inlay_id from, to;
    unsigned flags;         /**< inlay_link_flags */
    double messages, bytes; /**< of the sum while flows are added, whole numbers afterwards */
    size_t place;           /**< in which they came: what they are sorted by last */
} sg_flow;

typedef struct sg_flows {
    sg_flow *flow;
    size_t count, capacity;
} sg_flows;

/**
 * Sort and add the flows of one pair and flag, and make whole numbers of them: messages rounded up, bytes to the
 * nearest.
 */
void sg_join_flows(sg_flows *flows);

/** Number in G(A) of each module, as options->cycles has it. */
typedef struct sg_numbers {
    const inlay_id *of; /**< by module; NULL: its own */
    inlay_id count;
} sg_numbers;

static inline inlay_id sg_number(const sg_numbers *numbers, inlay_id module)
{
    return numbers->of == NULL ? module : numbers->of[module];
}

/**
 * Flows of links with both ends in different modules of G(A).
 * @param back  by link of control: whether it loses its precedence; NULL: none does
 */
bool sg_collect_flows(const inlay_stochastic *graph, const sg_numbers *numbers, double executions, const bool *back,
                      sg_flows *links, sg_flows *uses);

/**
 * Links of control that lead back, in a depth-first search from the modules with entries by rising number, along the
 * links in their order: their target is on the way from the first module to their origin. Without them there is no
 * cycle. NULL: out of memory; freed by the caller.
 */
bool *sg_find_back_links(const inlay_stochastic *graph);

#endif
