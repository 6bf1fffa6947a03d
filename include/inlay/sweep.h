/*
 * The sweep: what every time frame T makes of an application on a machine.
 *
 * The clustering that inlay_map() finds under T is a step function of T. inlay_sweep() lists all its steps, from the
 * least T that admits every module alone to the one above which nothing changes, and tells for each what
 * inlay_map() would tell: clusters, traffic, delay, estimate. It never reduces the parallelism, so that a clustering
 * may have more clusters than there are processors.
 *
 * Three time frames stand out (C. E. Houstis, E. N. Houstis, J. R. Rice, CSD-TR-86-576, section 4):
 *
 *   T_MIN   the least with a clustering that leaves the network below saturation, on however many processors
 *   T_FIT   the least at which all fits, messages included: work + tau x sent <= T on every processor
 *   T_PAR   the least at which moreover all processors used can be active at once: some level has a module of each
 *
 * T_FIT and T_PAR ask for no more clusters than processors. The set of T at which all fits has gaps, since a longer T
 * may put more work on one processor: inlay_sweep_fits() lists its intervals.
 *
 * The list is exact: the next step is at the least sum of work that was rejected for time, so no T is tried in vain
 * and none is passed over. Where there are very many (3,000 on a chain of 3,000 modules, 20 on one of 100,000), a sample takes the place of those that are left, unless `all` are asked for; `points` asks for a sample of all.
 */
#ifndef INLAY_SWEEP_H
#define INLAY_SWEEP_H

#include <inlay/bounds.h>

typedef struct inlay_sweep_result inlay_sweep_result;

/* ---- Options ---- */

/** One row's clustering, handed out while the sweep runs; the arrays are valid during the call. */
typedef struct inlay_sweep_step {
    inlay_time time_frame; /**< grains: the least T of the row */
    inlay_id clusters;
    const inlay_id *cluster_of; /**< of every module; clusters numbered by their smallest module */
    const inlay_id *home;       /**< cluster of every data block */
} inlay_sweep_step;

/** Events that the simulation of one row may take, unless the options say otherwise. */
enum { INLAY_SWEEP_MAX_EVENTS = 1000000 };

/** Zero-initialised, these are the defaults. */
typedef struct inlay_sweep_options {
    inlay_options mapping; /**< rules and P as for inlay_map(); with a time frame, what holds there is told besides.
                                What concerns reduction is not looked at. `max_events` is of one row; 0:
                                INLAY_SWEEP_MAX_EVENTS */
    bool has_from, has_to;
    inlay_duration from, to; /**< only T in from..to, both included */
    inlay_id points;         /**< above 0: a sample of so many T instead of all steps, in equal ratios from `from` to
                                  `to`, or to a T above which nothing changes */
    bool all;                /**< every step, however many there are */
    inlay_id threads;        /**< 0: one a processor of this computer; the result never depends on it */
    /** Called once a row, by rising T, in the thread of the caller; what it returns other than 0 ends the sweep and is
        returned. NULL: not called */
    int (*each)(void *context, const inlay_sweep_step *step);
    void *context;
} inlay_sweep_options;

/**
 * Sweep over T. `app` and `machine` have to outlive the result.
 * INLAY_NO_ANSWER where no T in from..to admits a clustering, or not the time frame in the options: the diagnostic names
 * the module and the T that it needs. INLAY_BAD_ARGUMENT where the options contradict each other.
 */
INLAY_API int inlay_sweep(const inlay_app *app, const inlay_machine *machine, const inlay_sweep_options *options,
                          inlay_sweep_result **sweep, inlay_diag *diag);
INLAY_API void inlay_sweep_free(inlay_sweep_result *sweep);

/* ---- Rows ---- */

/** The network under a clustering at one T, times in the application's unit. Where it is saturated, NaN but for u. */
typedef struct inlay_sweep_cost {
    bool saturated; /**< u is not below its limit */
    double u, load; /**< load = u / u_limit */
    double delay, tau;
    double communication;                                         /**< tau x weighted traffic: what all messages take */
    double utilisation_least, utilisation_mean, utilisation_most; /**< of the processors, messages included */
    double estimate;                                              /**< the paper's formula at this T */
} inlay_sweep_cost;

/**
 * One clustering, and for which T it holds: time_frame <= T < until. T stands as the work that the fastest processor does
 * in it, which is exact; inlay_sweep_time() tells the time.
 */
typedef struct inlay_sweep_row {
    inlay_time time_frame; /**< grains of work: the least T at which it appears; of a sample, the T that was tried */
    bool bounded;          /**< whether there is an `until`: else it holds for all T from time_frame on */
    inlay_time
        until; /**< grains of work: the next row's time_frame; of a sample or at `to`, how far it is known to hold */

    inlay_id clusters;
    inlay_id parallelism;        /**< most clusters with a module on one level (or at one instant, with overlap) */
    int64_t messages;            /**< between processors */
    int64_t traffic;             /**< the same in the unit of capacity */
    int64_t weighted_traffic;    /**< each traffic times the distance that it goes: makes u */
    inlay_sweep_cost cost;       /**< at time_frame */
    double estimate_fixed_point; /**< the T that equals its own estimate; NaN where there is none. Not looked for
                                      in time_frame..until alone */
    double elapsed;              /**< of this clustering, whatever the T; NaN where it has more clusters than the
                                      machine has processors */
    inlay_elapsed_is elapsed_is;
    bool fits;        /**< whether at some T of the row all fits, messages included */
    double fits_from; /**< the least such T; from there on all fits up to `until` */
} inlay_sweep_row;

/** T of so many grains, in the application's unit; with the fastest processor at speed 1 no more than the grains. */
INLAY_API double inlay_sweep_time(const inlay_sweep_result *sweep, inlay_time grains);
/** The same as decimal digits, as inlay_map() takes them; written to `text`, which is returned. */
INLAY_API char *inlay_sweep_time_text(const inlay_sweep_result *sweep, inlay_time grains, char text[INLAY_TIME_TEXT]);

INLAY_API size_t inlay_sweep_rows(const inlay_sweep_result *sweep);
INLAY_API const inlay_sweep_row *inlay_sweep_row_at(const inlay_sweep_result *sweep, size_t row);

/* ---- The time frames that stand out ---- */

/** A T and what holds there. */
typedef struct inlay_sweep_point {
    bool exists;                /**< else nothing that follows is set */
    double time_frame;          /**< in the application's unit */
    char text[INLAY_TIME_TEXT]; /**< the same as decimal digits, as inlay_map() takes them */
    size_t row;                 /**< whose clustering it is */
    inlay_sweep_cost cost;      /**< at this T */
} inlay_sweep_point;

/** T from `from` on, as long as it is less than `to`. */
typedef struct inlay_sweep_interval {
    double from, to; /**< `to` is INFINITY where there is no end */
} inlay_sweep_interval;

typedef struct inlay_sweep_summary {
    inlay_id processors; /**< P */
    bool complete;       /**< all T were looked at; else the sample or the range is all that the rest speaks of */
    bool sample;         /**< `points` were asked for, or there were too many steps */
    bool streamed, work_has_blocking, blocking_derived; /**< as in inlay_summary */
    bool traffic_in_bytes, free_network;
    double u_limit;
    inlay_id largest_module;  /**< whose work, or that of the modules pinned to its processor, no T goes below */
    inlay_time largest_work;  /**< grains of work, as time_frame of a row */
    double speed;             /**< of the fastest processor */
    inlay_id fewest_clusters; /**< of all rows */
    inlay_bound lower_bound;  /**< the largest that holds for any mapping on at most P processors */

    inlay_sweep_point t_min, t_fit, t_par;
    inlay_sweep_point t_processors; /**< the least T that leaves at most P clusters and no saturation */
    inlay_sweep_point best;         /**< the row with the shortest elapsed time on at most P processors */
    inlay_sweep_point given;        /**< the time frame in the options; its row's clusters are the least P for it */
} inlay_sweep_summary;

INLAY_API const inlay_sweep_summary *inlay_sweep_summary_of(const inlay_sweep_result *sweep);

/** The intervals of T at which all fits on at most P processors, rising and apart. They belong to the sweep. */
INLAY_API const inlay_sweep_interval *inlay_sweep_fits(const inlay_sweep_result *sweep, size_t *count);

INLAY_API const inlay_app *inlay_sweep_app(const inlay_sweep_result *sweep);
INLAY_API const inlay_machine *inlay_sweep_machine(const inlay_sweep_result *sweep);

#endif
