/* The result of a simulation, and how it comes about. */
#ifndef SIMULATE_SIMULATION_H
#define SIMULATE_SIMULATION_H

#include "simulate/run.h"

/** Sums over replications for one resource. */
typedef struct resource_sum {
    double utilisation, mean_queue; /**< of every replication */
    double delay;                   /**< of every request */
    int64_t requests, largest;
} resource_sum;

struct inlay_simulation {
    plan plan;
    inlay_simulation_summary summary;
    double *makespan; /**< of every replication, in units */
    inlay_simulated_processor
        *processor; /**< sums over replications, in grains, while they go on; then means in units */
    size_t resources;
    resource_sum *resource; /**< the network's, then the senders */
    run_record record;      /**< in grains until the end */
    inlay_step *step;       /**< the critical path; NULL where nothing was recorded */
    size_t steps;
    double recorded_makespan;
};

/** Add a run that has ended to the sums. */
void simulation_add(inlay_simulation *s, const run *r, int64_t replication);

/** From sums to means, from grains to units. */
int simulation_finish(inlay_simulation *s, inlay_diag *diag);

/** How sure the makespan is, by runs that draw the machine's doubts: fills low and high of the summary, with NaN for none. */
int simulation_find_interval(inlay_simulation *s, inlay_diag *diag);

/** The critical path of the record, which is in grains; fills `step` and `steps`, in grains. */
int simulation_find_path(inlay_simulation *s, inlay_diag *diag);

/** Record of every item, by plan_number(); -1 where there is none. Freed by the caller; NULL when out of memory. */
int64_t *simulation_messages_by_item(const inlay_simulation *s);

/** Warns where a processor holds more than it has. */
void simulation_warn_peaks(const inlay_simulation *s, inlay_diag *diag);

/** What processors hold at most, where data are copied: fills memory_peak of all. */
int simulation_find_peaks(inlay_simulation *s, inlay_diag *diag);

#endif
