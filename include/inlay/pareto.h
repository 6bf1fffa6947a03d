/*
 * The front: elapsed time against processors.
 *
 * For every number of processors P inlay_pareto() gives the shortest mapping that it finds on at most P of them, among
 * the clusterings of the sweep as they are (<inlay/sweep.h>), these clusterings reduced to P by H1, by H2 and by H2 that
 * takes the pair with most traffic first, the same before clustering, the modules reduced without being clustered, and
 * every module on a processor of its own.
 * What inlay_map() makes of P by default is one of them: no point is longer than that.
 *
 * A point is on the front where no point of fewer processors is as short. The knee is the point with the largest ratio
 * of efficiency to elapsed time, which is also that with the least P E^2 (D. L. Eager, J. Zahorjan, E. D. Lazowska,
 * "Speedup versus efficiency in parallel systems", IEEE Transactions on Computers 38(3), 1989): up to there a processor
 * more gains more than it costs. It does not depend on where the range ends, as a distance from a chord would.
 *
 * All numbers of processors are looked at, and many time frames, as far as the budget of candidates goes; the summary
 * tells what was. The result depends neither on threads nor on time.
 */
#ifndef INLAY_PARETO_H
#define INLAY_PARETO_H

#include <inlay/mapping.h>

typedef struct inlay_pareto_result inlay_pareto_result;

/* ---- Options ---- */

/** What makes a mapping shorter than another: E at its T; or E with T = E, where a long T makes no message cheaper. */
typedef enum inlay_pareto_rank { INLAY_PARETO_ESTIMATE, INLAY_PARETO_FIXED_POINT } inlay_pareto_rank;

/** Zero-initialised, these are the defaults. */
typedef struct inlay_pareto_options {
    inlay_options mapping; /**< rules as for inlay_map(). Must have no time frame; its processors and what concerns
                                reduction are not looked at */
    inlay_id from, to;     /**< numbers of processors; 0: 1 and as many as the machine has. More than there are modules
                                change nothing and get no point, but `from`. Nothing is reduced to fewer than `from` */
    inlay_pareto_rank rank;
    int64_t candidates; /**< most reduced mappings to look at, INLAY_PARETO_LEAST at least; 0: by the graph's size */
    inlay_id points;    /**< as in inlay_sweep_options; 0: all, or by the graph's size a sample */
    int64_t simulate; /**< simulate every point whose messages between processors, times the machine's transfers, are at
                             most so many; 0: none. It ranks nothing */
    uint64_t seed;    /**< of the memories that simulated messages go to */
    inlay_id threads; /**< 0: one a processor of this computer; the result never depends on it */
} inlay_pareto_options;

/** One number of processors takes so many candidates at one time frame. */
enum { INLAY_PARETO_LEAST = 16 };

/**
 * `app` and `machine` have to outlive the result.
 * INLAY_NO_ANSWER where no mapping on at most `to` processors is found; its remedy is a number of processors that would
 * do, where one was found. INLAY_BAD_ARGUMENT where the options contradict each other.
 */
INLAY_API int inlay_pareto(const inlay_app *app, const inlay_machine *machine, const inlay_pareto_options *options,
                           inlay_pareto_result **result, inlay_diag *diag);
INLAY_API void inlay_pareto_free(inlay_pareto_result *result);

/* ---- Points ---- */

/** How a mapping came about. */
typedef enum inlay_pareto_method {
    INLAY_PARETO_CLUSTERED, /**< clustered under T and left as it is */
    INLAY_PARETO_AFTER,     /**< clustered, then reduced */
    INLAY_PARETO_BEFORE,    /**< reduced, then clustered */
    INLAY_PARETO_REDUCED,   /**< reduced and not clustered */
    INLAY_PARETO_APART      /**< a processor a module; those pinned together share one */
} inlay_pareto_method;

/** "clustered", "clustered, reduced", "reduced, clustered", "reduced", "apart" */
INLAY_API const char *inlay_pareto_method_name(inlay_pareto_method method);

/** The best mapping found on at most so many processors. Times are in the application's unit unless said otherwise. */
typedef struct inlay_pareto_point {
    inlay_id processors; /**< P: allowed */
    inlay_id clusters;   /**< used */
    bool front;          /**< no point of fewer processors is as short */

    inlay_pareto_method method;
    inlay_reduce reduce;      /**< of those that are reduced; else INLAY_REDUCE_NONE */
    bool reduce_by_traffic;   /**< H2 by traffic */
    inlay_id reduced_from;    /**< clusters before reduction, -1 where nothing was reduced */
    inlay_id reduced_to;      /**< P that it was reduced to: clustering afterwards may leave fewer. -1 likewise */
    double clustered_at;      /**< T under which it was clustered; NAN where it was not */
    char clustered_text[48];  /**< the same as decimal digits; "" */
    double time_frame;        /**< T in force, at least total work / processors used */
    char time_frame_text[48]; /**< the same as decimal digits, as inlay_evaluate() takes them */

    double elapsed;              /**< what it was ranked by: one of the two that follow */
    double estimate;             /**< at T */
    double estimate_fixed_point; /**< with T = E; NAN where there is none */
    double simulated;           /**< elapsed time of inlay_simulate(), whatever the T. NAN where it was not asked for */
    double lower_bound;         /**< of any elapsed time on P processors */
    double gap;                 /**< elapsed / lower_bound - 1, as in inlay_summary */
    double speedup, efficiency; /**< sum of m over `elapsed`; that over the processors used; NAN where it is 0 */

    int64_t messages, traffic, weighted_traffic; /**< as in inlay_summary, and so the rest */
    double u, load, delay, tau;

    double elapsed_all; /**< of the best mapping found that uses all P, `elapsed` where that is it; NAN where none is */
} inlay_pareto_point;

/** How a mapping came about, in short: "clustered", "H2 after", "H1 before", "H2 by traffic alone", "apart". */
INLAY_API const char *inlay_pareto_method_words(const inlay_pareto_point *point);

/** Points by rising P. Where processors were sampled, those of the sample, and all on the front. */
INLAY_API size_t inlay_pareto_points(const inlay_pareto_result *result);
INLAY_API const inlay_pareto_point *inlay_pareto_point_at(const inlay_pareto_result *result, size_t point);

/** The mapping of a point, made once more; freed by the caller. */
INLAY_API int inlay_pareto_mapping(const inlay_pareto_result *result, size_t point, inlay_mapping **mapping,
                                   inlay_diag *diag);

/* ---- The whole ---- */

typedef struct inlay_pareto_summary {
    inlay_id from, to; /**< numbers of processors */
    inlay_pareto_rank rank;
    size_t knee;  /**< number of its point */
    size_t front; /**< points on the front */

    size_t clusterings;      /**< rows of the sweep */
    bool sweep_complete;     /**< these are all that there are; else a sample of time frames */
    size_t time_frames;      /**< clusterings of these that were reduced too */
    inlay_id processors;     /**< numbers of processors that were reduced to */
    bool processors_sampled; /**< these are not all from..to */
    int64_t candidates;      /**< reduced mappings that were looked at */
    bool complete;           /**< every clustering that there is, reduced to every number of processors */

    bool traffic_in_bytes;
    double u_limit;
} inlay_pareto_summary;

INLAY_API const inlay_pareto_summary *inlay_pareto_summary_of(const inlay_pareto_result *result);

INLAY_API const inlay_app *inlay_pareto_app(const inlay_pareto_result *result);
INLAY_API const inlay_machine *inlay_pareto_machine(const inlay_pareto_result *result);

#endif
