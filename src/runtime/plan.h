/* What all replications under a run-time scheduler share: times, cores, network, and what each module has to fetch. In grains. */
#ifndef RUNTIME_PLAN_H
#define RUNTIME_PLAN_H

#include "base/memory.h"
#include "graph/app.h"
#include "graph/timing.h"
#include "problem/kinds.h"
#include "simulate/fabric.h"
#include "simulate/module_times.h"
#include <inlay/scheduler.h>

/** A processor that takes part. */
typedef struct runtime_processor {
    inlay_id host;  /**< between whose processors nothing is fetched */
    inlay_id board; /**< whose processors one module may hold: the host, or all of a common memory's machine */
    const processor_kind *kind;
} runtime_processor;

/** What a module needs of another, where that ran on another host. */
typedef struct runtime_input {
    inlay_id from;  /**< module */
    inlay_id datum; /**< -1: none that others need, too */
    int64_t messages;
    double share;   /**< traffic of each */
    double latency; /**< of all of them, behind the last */
} runtime_input;

struct scheduler;

typedef struct runtime_plan {
    const inlay_app *app;
    const inlay_machine *machine;
    inlay_scheduled_options options; /**< with defaults filled in */
    const struct scheduler *scheduler;
    double grain;                     /**< grains in a unit of time */
    double overhead;                  /**< grains */
    double bandwidth, core_bandwidth; /**< of memory, bytes a grain: of a board, and of a core; 0: unlimited */
    timing timing;                    /**< bottom levels */
    inlay_id cores;                   /**< processors that take part */
    inlay_id hosts;                   /**< the highest number of one, and 1 */
    kinds kinds;
    runtime_processor *processor;
    fabric_plan fabric;   /**< FABRIC_NONE where messages meet no queue */
    fabric_plan alone;    /**< what a message takes by itself */
    links_plan *links;    /**< owned; NULL where messages go over none */
    int64_t *input_begin; /**< modules + 1 */
    runtime_input *input;
    module_times times;
    struct node_plan *nodes; /**< where the machine has a main memory, else NULL; then no fabric and no inputs */
    memory_pool pool;        /**< all arrays above */
} runtime_plan;

int runtime_plan_make(const inlay_app *app, const inlay_machine *machine, const inlay_scheduled_options *options,
                      runtime_plan *result, inlay_diag *diag);
void runtime_plan_clear(runtime_plan *p);

/** What a link, or a datum, is as messages; false where it is none. */
bool runtime_input_make(const runtime_plan *p, const interconnect *network, runtime_input *input, int64_t messages,
                        int64_t bytes);

/** Whether anything is drawn. */
bool runtime_plan_draws(const runtime_plan *p);

/** A module's time on a core, before any factor; INFINITY where it may not run there. */
static inline double runtime_time(const runtime_plan *p, inlay_id module, inlay_id core)
{
    const processor_kind *k = p->processor[core].kind;
    return kind_runs(k, module) ? (double)kind_time(p->app, k, module) / k->speed : INFINITY;
}

#endif
