/* Elapsed time against cores, under a run-time scheduler. */
#ifndef INLAY_SPEEDUP_H
#define INLAY_SPEEDUP_H

#include <inlay/scheduler.h>

/** Zero-initialised, these are the defaults. */
typedef struct inlay_speedup_options {
    inlay_scheduled_options run; /**< its processors are not looked at */
    inlay_id from, to;           /**< cores; 0: 1, and as many as modules that can run at once, or as the machine has */
} inlay_speedup_options;

typedef struct inlay_speedup_point {
    inlay_id processors;
    double elapsed;     /**< mean over replications, in the application's unit, and so the next two */
    double p05, p95;    /**< quantiles of the replications; equal to `elapsed` where nothing was drawn */
    double lower_bound; /**< critical path, or work over processors: where overhead and messages are nothing, and
                                     times constant */
    double speedup,
        efficiency;     /**< sum of all general times over `elapsed`; that over processors. NaN where that is 0 */
    bool has_memories;  /**< the machine has a main memory, and the rest holds, of the first replication */
    const char *winner; /**< scheduler that ended first, of `best`; else that of the run */
    int64_t moved, least_moved; /**< bytes between memories; that no choice of what to take out could have saved */
    int64_t evictions, write_backs;
    double waiting; /**< share of all processors' time that they wait for data */
    double rate;    /**< operations of modules over `elapsed`, a second; NaN where either is not known */
} inlay_speedup_point;

typedef struct inlay_speedup_result inlay_speedup_result;

/**
 * @param machine  whose first processors take part; NULL: cores of one host, all alike, without messages
 * INLAY_BAD_ARGUMENT and INLAY_NO_ANSWER as inlay_simulate_scheduled(). `app` has to outlive the result.
 */
INLAY_API int inlay_speedup(const inlay_app *app, const inlay_machine *machine, const inlay_speedup_options *options,
                            inlay_speedup_result **result, inlay_diag *diag);
INLAY_API void inlay_speedup_free(inlay_speedup_result *result);

INLAY_API const inlay_app *inlay_speedup_app(const inlay_speedup_result *result);
INLAY_API const char *inlay_speedup_machine(const inlay_speedup_result *result); /**< in words */
INLAY_API const char *inlay_speedup_scheduler(const inlay_speedup_result *result);

INLAY_API double
inlay_speedup_work(const inlay_speedup_result *result); /**< sum of all general times, over all cores */
INLAY_API double inlay_speedup_path(
    const inlay_speedup_result *result); /**< the span: longest chain of the least times on these cores */
INLAY_API int64_t inlay_speedup_replications(const inlay_speedup_result *result);

/** By rising number of cores: all up to 32, then 48, 64, 96 and so on, and the last. */
INLAY_API size_t inlay_speedup_points(const inlay_speedup_result *result);
INLAY_API inlay_speedup_point inlay_speedup_point_at(const inlay_speedup_result *result, size_t point);

#endif
