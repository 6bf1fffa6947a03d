/* Replications on several threads, with results that do not depend on how many there are. */
#ifndef SIMULATE_REPLICATE_H
#define SIMULATE_REPLICATE_H

#include <inlay/simulate.h>

typedef struct replication_job {
    /** One replication with what one thread has for itself. */
    int (*run)(void *own, int64_t replication);
    /** Adds it to the whole: called for replication 0, 1, ... in turn, never by two threads at once. */
    void (*merge)(void *whole, const void *own, int64_t replication);
    /** Called once, for the first replication that failed, in place of merge. */
    void (*refuse)(void *whole, const void *own);
    void *whole;
} replication_job;

/**
 * @param own  one entry a thread; fewer threads run where the system gives no more
 * @return the first status in the order of replications that is not INLAY_OK
 */
int replicate(const replication_job *job, void *const *own, int threads, int64_t replications);

/** What the makespans of replications come to; quantiles are interpolated between the two nearest. */
typedef struct run_times {
    inlay_interval mean;
    double p05, p50, p95, least, most;
} run_times;

/** INLAY_NO_MEMORY without a message. */
int run_times_of(const double *makespan, int64_t count, run_times *result);

/** Mean and 95 % confidence interval by Student's t; a half width of NaN for one number. */
inlay_interval interval_of(const double *number, int64_t count);

#endif
