/*
 * The front: elapsed time against processors.
 *
 * For numbers of processors P inlay_pareto() gives the shortest schedule that method "best" finds on at most P of them
 * (docs/clustering.md), or that one method finds. It is what inlay_map() gives for that P.
 *
 * A point is on the front where no point of fewer processors is as short. The knee is the point with the largest ratio
 * of efficiency to elapsed time, which is also that with the least P E^2 (D. L. Eager, J. Zahorjan, E. D. Lazowska,
 * "Speedup versus efficiency in parallel systems", IEEE Transactions on Computers 38(3), 1989): up to there a processor
 * more gains more than it costs. It does not depend on where the range ends, as a distance from a chord would.
 */
#ifndef INLAY_PARETO_H
#define INLAY_PARETO_H

#include <inlay/mapping.h>

typedef struct inlay_pareto_result inlay_pareto_result;

/* ---- Options ---- */

/** Zero-initialised, these are the defaults. */
typedef struct inlay_pareto_options {
    inlay_options mapping; /**< as for inlay_map(). Must have no time frame; its processors are not looked at. `method`
                                NULL: best */
    inlay_id from, to;     /**< numbers of processors; 0: 1 and as many as the machine has. More than there are modules
                                change nothing and get no point, but `from` */
} inlay_pareto_options;

/**
 * `app` and `machine` have to outlive the result.
 * INLAY_NO_ANSWER where no mapping on at most `to` processors is found. INLAY_BAD_ARGUMENT where the options contradict
 * each other.
 */
INLAY_API int inlay_pareto(const inlay_app *app, const inlay_machine *machine, const inlay_pareto_options *options,
                           inlay_pareto_result **result, inlay_diag *diag);
INLAY_API void inlay_pareto_free(inlay_pareto_result *result);

/* ---- Points ---- */

/** The shortest mapping found on at most so many processors. Times are in the application's unit. */
typedef struct inlay_pareto_point {
    inlay_id processors; /**< P: allowed */
    inlay_id clusters;   /**< used */
    bool front;          /**< no point of fewer processors is as short */
    const char *method;  /**< whose schedule it is */

    double elapsed;
    inlay_elapsed_is elapsed_is;
    double lower_bound;         /**< of any elapsed time on P processors */
    double gap;                 /**< elapsed / lower_bound - 1, as in inlay_summary, and so the rest */
    double speedup, efficiency; /**< the latter over the processors used */
    double price, energy;
    int64_t messages, traffic;
    double load; /**< of the network at the time frame in force */
} inlay_pareto_point;

/** Points by rising P: all that method "best" tries, up to 32 every one. */
INLAY_API size_t inlay_pareto_points(const inlay_pareto_result *result);
INLAY_API const inlay_pareto_point *inlay_pareto_point_at(const inlay_pareto_result *result, size_t point);

/** The mapping of a point, made once more; freed by the caller. */
INLAY_API int inlay_pareto_mapping(const inlay_pareto_result *result, size_t point, inlay_mapping **mapping,
                                   inlay_diag *diag);

/* ---- The whole ---- */

typedef struct inlay_pareto_summary {
    inlay_id from, to;   /**< numbers of processors */
    size_t knee;         /**< number of its point */
    size_t front;        /**< points on the front */
    inlay_winner winner; /**< of the last point, and how many schedules were judged, and left out, in all */
    bool traffic_in_bytes;
} inlay_pareto_summary;

INLAY_API const inlay_pareto_summary *inlay_pareto_summary_of(const inlay_pareto_result *result);

INLAY_API const inlay_app *inlay_pareto_app(const inlay_pareto_result *result);
INLAY_API const inlay_machine *inlay_pareto_machine(const inlay_pareto_result *result);

#endif
