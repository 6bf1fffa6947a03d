/*
 * The mapping: who runs what, where, in which order, at what cost.
 *
 * inlay_map() is the main job: cluster the modules under a time frame T, reduce the parallelism to the processors there
 * are, lay the clusters out, evaluate. inlay_evaluate() takes a placement as given and costs it by the same rules.
 *
 * A mapping keeps pointers to its application and machine: both must outlive it.
 */
#ifndef INLAY_MAPPING_H
#define INLAY_MAPPING_H

#include <inlay/app.h>
#include <inlay/machine.h>

typedef struct inlay_mapping inlay_mapping;

/* ---- Options ---- */

typedef enum inlay_reduce { INLAY_REDUCE_H2, INLAY_REDUCE_H1, INLAY_REDUCE_NONE } inlay_reduce;
typedef enum inlay_reduce_when { INLAY_REDUCE_AFTER, INLAY_REDUCE_BEFORE } inlay_reduce_when;

/** When two modules are parallel: on one level, or neither precedes the other and [b, b+m) overlap. */
typedef enum inlay_parallel { INLAY_PARALLEL_LEVEL, INLAY_PARALLEL_OVERLAP } inlay_parallel;

/** Whether work (what counts against T) is m + b: where the file gives b; always (b derived where not given); never. */
typedef enum inlay_blocking { INLAY_BLOCKING_AUTO, INLAY_BLOCKING_YES, INLAY_BLOCKING_NO } inlay_blocking;

/** When a link is satisfied: streamed where the file gives blocking times, else at the producer's end; or by name. */
typedef enum inlay_start { INLAY_START_AUTO, INLAY_START_STREAM, INLAY_START_FINISH } inlay_start;

/**
 * Which processor a cluster goes to, where the machine has distance: by nearest placement and exchanges; by number; or by
 * Scotch's static mapping, on machines with links (INLAY_BAD_ARGUMENT where Inlay was built without it).
 */
typedef enum inlay_layout { INLAY_LAYOUT_NEAREST, INLAY_LAYOUT_ORDER, INLAY_LAYOUT_SCOTCH } inlay_layout;

/* ---- Methods ---- */

/** A way to find clusters, and what it keeps to and takes account of. */
typedef struct inlay_method {
    const char *name;
    const char *description; /**< one line */
    bool time_frame;         /**< the work of each cluster stays within T, and the clusters follow T */
    bool apart;              /**< parallel modules are in different clusters, where nothing is reduced */
    bool memory, pins; /**< no cluster needs more memory than there is; pinned modules are where they are pinned */
    bool unlike;       /**< processors may differ in speed, type and memory */
    bool types;        /**< modules may be kept off types of processors (inlay_app_forbid_type()) */
    bool distance;     /**< processors may be at different distances */
    bool cores;        /**< modules may hold several cores of a host at once */
    bool places;       /**< it says itself which processor a module runs on: no reduction, and no layout */
    bool by_name;      /**< it is asked for by name alone: method best leaves it out */
} inlay_method;

INLAY_API size_t inlay_methods(void);                               /**< how many there are */
INLAY_API const inlay_method *inlay_method_at(size_t i);            /**< NULL behind the last; the first is houstis */
INLAY_API const inlay_method *inlay_method_named(const char *name); /**< NULL for other names */

/**
 * In which order a processor runs its modules: as the method or the caller of inlay_evaluate_schedule() says, and where
 * nobody does by the paper's rule; always by the paper's (the least blocking time b, then the longest way to an exit); or
 * by that way alone.
 */
typedef enum inlay_order { INLAY_ORDER_GIVEN, INLAY_ORDER_PAPER, INLAY_ORDER_BOTTOM_LEVEL } inlay_order;

/**
 * What consumers of one datum on one processor (over links: on one host) get: the datum once, which stays there; or each
 * a message of its own, as if no data had names.
 */
typedef enum inlay_copies { INLAY_COPIES_ONCE, INLAY_COPIES_EACH } inlay_copies;

/** What an elapsed time is. */
typedef enum inlay_elapsed_is {
    INLAY_ELAPSED_SIMULATED, /**< of the event engine */
    INLAY_ELAPSED_SCREEN     /**< of one pass over the links, where the engine would take more events than it may */
} inlay_elapsed_is;

/** "simulated", "screen" */
INLAY_API const char *inlay_elapsed_is_name(inlay_elapsed_is is);

/** Events that a simulation may take, unless the options say otherwise. */
enum { INLAY_MAX_EVENTS = 50000000 };

/** How long schedules are improved by local search. */
typedef struct inlay_effort {
    int64_t evaluations; /**< of schedules, for each count of processors; 0: by the size of the graph; below 0: none */
    double seconds;      /**< above 0: so long in all, in place of that; the result need not repeat then */
} inlay_effort;

/**
 * What method "best" judges by in the end: the elapsed time of exact times; or that of times that are spread, the mean of
 * runs or their 0.9 quantile, since the shortest schedule of exact times may be the one that bears others worst. Module and
 * transfer times have normal factors with each of the spreads (coefficients of variation) in so many runs.
 */
typedef enum inlay_risk { INLAY_RISK_NONE, INLAY_RISK_MEAN, INLAY_RISK_Q90 } inlay_risk;

#define INLAY_RISK_SPREADS 0.1, 0.3
enum { INLAY_RISK_REPLICATIONS = 20 };

/** "none", "mean", "q90" */
INLAY_API const char *inlay_risk_name(inlay_risk risk);

/** What method "best" makes short: the elapsed time of one run; or the least period of runs that overlap, and then that time. */
typedef enum inlay_objective { INLAY_OBJECTIVE_MAKESPAN, INLAY_OBJECTIVE_PERIOD } inlay_objective;

/** "makespan", "period" */
INLAY_API const char *inlay_objective_name(inlay_objective objective);

/** Zero-initialised, these are the defaults. */
/** Who is told how far a long call is. */
typedef struct inlay_progress {
    /** The share of the work that is done, 0 .. 1, by an estimate: a later call may tell less. By the calling thread alone. */
    void (*tell)(void *context, double share);
    void *context;
} inlay_progress;

typedef struct inlay_options {
    const inlay_method
        *method; /**< one of inlay_method_at(); NULL: of inlay_map() and inlay_compare() "best", or where a
                                     time frame is given or what concerns reduction or parallelism, "houstis";
                                     elsewhere "houstis" */
    bool has_time_frame;
    inlay_duration time_frame; /**< T; default max(largest work, total work / processors) */
    inlay_id processors;       /**< P; 0: as many as the machine has */
    inlay_reduce reduce;
    inlay_reduce_when reduce_when;
    bool reduce_by_traffic; /**< H2 merges the pair with the largest traffic first, not the smallest work */
    inlay_parallel parallel;
    bool keep_unrelated; /**< leave pairs without traffic apart while clustering */
    inlay_blocking blocking;
    inlay_start start;
    inlay_layout layout;
    inlay_order order;
    inlay_copies copies;
    bool ignore_cores;   /**< every module holds one processor, whatever it asks for */
    double tick_seconds; /**< length of one tick; 0: ticks and seconds do not mix */
    uint64_t seed;       /**< of the methods "random" and "best", and of the memories that simulated messages go to */
    int64_t
        max_events; /**< of the simulation that gives the elapsed time; 0: INLAY_MAX_EVENTS; below 0: it is a screen */
    inlay_effort effort;       /**< of method "best" */
    inlay_risk risk;           /**< likewise */
    inlay_objective objective; /**< likewise: INLAY_BAD_ARGUMENT with a risk, or where another method is asked */
    inlay_id threads;          /**< 0: one a core; never changes a result, unless effort is a time */
    const inlay_progress
        *progress; /**< NULL: nobody; else to be there as long as the mapping, which keeps its options */
} inlay_options;

/* ---- The main job ---- */

/**
 * Lay `app` into `machine`. INLAY_BAD_ARGUMENT where they have something that the method takes no account of.
 * INLAY_NO_ANSWER where no mapping satisfies the constraints: the diagnostic says which one fails and by how much, and
 * its remedy is an option that would work.
 */
INLAY_API int inlay_map(const inlay_app *app, const inlay_machine *machine, const inlay_options *options,
                        inlay_mapping **mapping, inlay_diag *diag);

/**
 * Cost and estimate of a placement that the caller brings. Data blocks live where they are used most.
 * @param processor_of  processor of every module, 0 .. machine processors-1
 */
INLAY_API int inlay_evaluate(const inlay_app *app, const inlay_machine *machine, const inlay_id *processor_of,
                             const inlay_options *options, inlay_mapping **mapping, inlay_diag *diag);

/** A placement, and in which order each processor runs its modules. */
typedef struct inlay_task_schedule {
    int64_t entries;     /**< one a module, and n of one that holds n cores of a host at once */
    inlay_id *module;    /**< of every entry */
    inlay_id *processor; /**< of every entry, 0 .. machine processors-1 */
    bool ordered;        /**< each processor runs its modules as they stand here; else by the rule */
    double *start;       /**< when its author plans every module to start, in the application's unit; NULL: unsaid */
} inlay_task_schedule;

/**
 * The same of a placement with an order. INLAY_BAD_ARGUMENT where the order can never be run, since modules wait for each
 * other: the diagnostic names them.
 */
INLAY_API int inlay_evaluate_schedule(const inlay_app *app, const inlay_machine *machine,
                                      const inlay_task_schedule *schedule, const inlay_options *options,
                                      inlay_mapping **mapping, inlay_diag *diag);

/** What of a mapping stays while it is improved. */
typedef enum inlay_kept {
    INLAY_KEEP_NOTHING,
    INLAY_KEEP_PLACES, /**< every module stays on its processor */
    INLAY_KEEP_ORDER   /**< processors run their modules in one common order, that of the mapping */
} inlay_kept;

/**
 * A mapping improved by local search on its elapsed time, as method "best" improves its own: never longer. The result is
 * what inlay_evaluate_schedule() makes of it under the mapping's options.
 * @param effort  NULL: by the size of the graph
 * INLAY_BAD_ARGUMENT where there is no search for what the application or the machine has: data blocks, modules of several
 * cores, broadcasts in trees, an order by a rule, places on more than 256 processors.
 */
INLAY_API int inlay_improve(const inlay_mapping *mapping, inlay_kept kept, const inlay_effort *effort,
                            inlay_mapping **result, inlay_diag *diag);

/** Frees the arrays, not the structure. */
INLAY_API void inlay_task_schedule_clear(inlay_task_schedule *schedule);

INLAY_API void inlay_mapping_free(inlay_mapping *mapping);

/* ---- Parts of the main job, by themselves ---- */

/** A clustering: cluster of every module, clusters numbered by their smallest module. */
typedef struct inlay_clustering {
    inlay_id clusters;
    inlay_id *cluster_of;     /**< one entry a module */
    bool next_known;          /**< whether some pair was rejected for time */
    inlay_time next_frame;    /**< the least sum rejected that would have been taken in its step: below it, a larger
                                T changes nothing. Grains */
    int64_t queue_operations; /**< pairs that the greedy rule put into its queue and took out: what the run cost */
} inlay_clustering;

INLAY_API void inlay_clustering_clear(inlay_clustering *clustering);

/**
 * The greedy rule under T (options->time_frame, which must be set), on singletons; parallelism and memory as
 * constraints. The network's saturation is not looked at. INLAY_NO_ANSWER where a module alone does not fit.
 */
INLAY_API int inlay_cluster(const inlay_app *app, const inlay_machine *machine, const inlay_options *options,
                            inlay_clustering *clustering, inlay_diag *diag);

/** H1 or H2 (options->reduce), from `start` down to options->processors clusters. T binds only where it is given. */
INLAY_API int inlay_reduce_clusters(const inlay_app *app, const inlay_machine *machine, const inlay_options *options,
                                    const inlay_clustering *start, inlay_clustering *clustering, inlay_diag *diag);

/* ---- What a mapping says ---- */

INLAY_API const inlay_app *inlay_mapping_app(const inlay_mapping *mapping);
INLAY_API const inlay_machine *inlay_mapping_machine(const inlay_mapping *mapping);

/** What method "best" chose among, and what it chose. */
typedef struct inlay_winner {
    const char *method;  /**< whose schedule is the shortest; NULL where another method was asked for */
    inlay_id processors; /**< that it was allowed */
    double elapsed;      /**< its simulated time, in the application's unit */
    double unimproved;   /**< what its method's schedule took before it was improved by local search */
    int64_t evaluations; /**< of schedules by local search, on all counts of processors; 0 where there was none */
    double houstis;      /**< that of method houstis on all that are allowed; NaN where it has no answer */
    inlay_id judged;     /**< schedules that were simulated */
    inlay_id left_out;   /**< that would have taken too long to find, by the number of modules and links */
    double least; /**< no schedule on as many processors is shorter, by branch and bound; 0 where nothing is known */

    double period;            /**< where that is the objective, its least period; else 0 */
    double period_unimproved; /**< likewise, of its method's schedule */

    /* Where it was judged by risk, else NaN: what it takes with spread times; and the shortest schedule of exact times. */
    double risk;
    double exact, exact_risk; /**< what that takes with exact and with spread times */
} inlay_winner;

/** The figures of the whole. Times are doubles in the application's unit unless said otherwise. */
typedef struct inlay_summary {
    const char *method;  /**< of the method (inlay_method), or "placement" for a user's own */
    inlay_winner winner; /**< of method "best" */
    inlay_options options;
    inlay_id processors; /**< P: what the mapping was allowed */

    double time_frame;           /**< T in force */
    const char *time_frame_text; /**< the same, exact */
    bool time_frame_given;       /**< by the caller; else chosen by default or raised */

    inlay_id clusters;
    inlay_id reduced_from; /**< clusters before reduction, or -1 where nothing was reduced */
    int64_t messages;      /**< messages between processors */
    int64_t traffic;       /**< the same in the unit of capacity: messages or bytes */
    bool traffic_in_bytes;

    int64_t weighted_traffic; /**< sum of c_ij d_kl: each traffic times its distance. Makes u; traffic where d is 1 */
    int64_t weighted_in_order,
        weighted_nearest; /**< the same with clusters on processors in order, and after the nearest
                                                      placement, before the exchanges; -1 where d is 1 everywhere or the
                                                      layout is the user's own */

    bool free_network;       /**< no capacity known: messages cost nothing */
    double u, u_limit, load; /**< load = u / u_limit */
    double rho;              /**< rate of one active processor that gives this u */
    double rho_processor;    /**< rho_p of the model; NaN where no finite rate gives this u */
    double delay;            /**< D */
    double tau;              /**< time of one unit of traffic */
    double latency;          /**< added once a message */

    bool order_given;       /**< the order is the method's or the caller's, not a rule's */
    bool streamed;          /**< start rule in force */
    bool work_has_blocking; /**< work = m + b */
    bool blocking_derived;  /**< that b is the earliest start, not the file's */

    double
        elapsed; /**< what the mapping is judged by; NaN where it was read for another application than it was made of */
    inlay_elapsed_is elapsed_is;

    double estimate;             /**< the paper's formula, at T */
    double estimate_fixed_point; /**< with T = E; NaN where there is none */
    double estimate_unreduced; /**< at T, of the clustering before it was reduced, had the machine a processor for each
                                    of its clusters; NaN where nothing was reduced after the clustering, where d is
                                    not 1 everywhere, or where its traffic would saturate the network */
    double lower_bound;        /**< the largest that holds for any mapping (inlay/bounds.h) */
    double bound_critical_path, bound_work, bound_longest;
    double gap;                 /**< elapsed / lower_bound - 1; 0 where both are 0, NaN where only the bound is */
    double speedup, efficiency; /**< sum of m over `elapsed`; that over the processors used; NaN where it is 0 */
    bool fits_with_delay;       /**< every utilisation at most 1 */

    double seconds; /**< `elapsed` in seconds; NaN where it is in ticks of unknown length */
    double price;   /**< of one run, in the machine's currency: every processor used is paid for from begin to end */
    double
        energy; /**< of one run, joules, counted likewise. Both are NaN where the machine or `seconds` does not tell */

    inlay_id parallelism;   /**< most clusters with a module on one level (or at one instant, with overlap) */
    inlay_id level_width;   /**< most modules on one level */
    inlay_id exact_width;   /**< largest antichain of the application, -1 where not computed */
    inlay_id common_blocks; /**< data blocks in common memories */
    int64_t common_memory;  /**< bytes of them */
} inlay_summary;

INLAY_API const inlay_summary *inlay_mapping_summary(const inlay_mapping *mapping);

/** One processor that is used. */
typedef struct inlay_cluster_info {
    inlay_id processor;
    inlay_id modules;
    const inlay_id *module; /**< in execution order; one of several cores stands in as many clusters */
    inlay_id blocks;
    const inlay_id *block; /**< data blocks that live with it, by number */
    double work;           /**< what counts against T, on this processor, in the application's unit */
    double busy;           /**< sum of m, the same */
    int64_t memory;        /**< bytes */
    int64_t messages_out;
    int64_t traffic_out;          /**< the same in the unit of capacity */
    int64_t weighted_traffic_out; /**< each times the distance that it goes */
    double utilisation;           /**< (work + tau x weighted_traffic_out) / T; above 1 it does not fit */
} inlay_cluster_info;

/** @param cluster  0 .. clusters-1, by smallest module number */
INLAY_API inlay_cluster_info inlay_mapping_cluster(const inlay_mapping *mapping, inlay_id cluster);
/** When a module was planned to start, in the application's unit; NaN where the placement did not say. */
INLAY_API double inlay_mapping_planned_start(const inlay_mapping *mapping, inlay_id module);

/** What a plan of starts said, and how far estimated or simulated ones are from it. */
typedef struct inlay_plan_distance {
    double elapsed;  /**< end of the last module as planned */
    double earliest; /**< least start less its planned one: below 0 where a module starts before its plan */
    double latest;   /**< largest start less its planned one */
    inlay_id module; /**< the first whose start is that late */
} inlay_plan_distance;

/** The starts behind `elapsed`, where it is simulated, else those of the estimate, beside the plan; false where there is none. */
INLAY_API bool inlay_mapping_plan_distance(const inlay_mapping *mapping, inlay_plan_distance *result);

/** Of a module of several cores: the one on the lowest of its processors. */
INLAY_API inlay_id inlay_mapping_cluster_of(const inlay_mapping *mapping, inlay_id module);

/** The further clusters in whose lists a module of several cores stands; `*count` is 0 of one that holds one processor. */
INLAY_API const inlay_id *inlay_mapping_guest_of(const inlay_mapping *mapping, inlay_id module, int64_t *count);
INLAY_API inlay_id inlay_mapping_home(const inlay_mapping *mapping, inlay_id block); /**< cluster of a data block */

/** Common memory in which a data block stands, 0 .. inlay_machine_memories()-1; -1 where memory is distributed. */
INLAY_API inlay_id inlay_mapping_memory_of(const inlay_mapping *mapping, inlay_id block);

/**
 * The same clusters with processors in order (pinned ones where they are pinned), within the same time frame: what the
 * layout started from. INLAY_NO_ANSWER where that saturates the network.
 */
INLAY_API int inlay_mapping_in_order(const inlay_mapping *mapping, inlay_mapping **result, inlay_diag *diag);

/** Start of a module in the estimate, in the application's unit. */
INLAY_API double inlay_mapping_start(const inlay_mapping *mapping, inlay_id module);

/* ---- The screen ---- */

/**
 * The elapsed time by one pass over modules and links, in the application's unit: where a simulation (inlay/simulate.h) would
 * take too many events. All messages of a link are one, as long as they are together, which the same queues serve: one sender's
 * behind each other, one bus's, one memory's and one output's of a switch. Over links it is given its first link when it is due,
 * and the others of its route when its turn there has come, each behind what was given that before. Order, cores, data,
 * transfers, latencies and start rule are those of the mapping; messages to common memories that nothing names go to drawn
 * ones. So it equals the simulated time where no two messages meet, is never less than the time that any processor, sender,
 * bus, memory or link works, and is no bound else: inlay_screen_band() says how far from the simulated time it was.
 * @param contention  what messages meet, or the machine's own, where that leaves more out
 * @return INLAY_OVERFLOW where times pass the range of numbers, INLAY_NO_ANSWER where orders wait for each other
 */
INLAY_API int inlay_mapping_screen(const inlay_mapping *mapping, inlay_contention contention, double *screen,
                                   inlay_diag *diag);

/**
 * How far figures were from simulated times t in docs/studies/estimate.md, as (figure - t) / t, above 0 where they were too long:
 * 39 graphs on machines of one delay model, in one of three bands of loads.
 */
typedef struct inlay_error_band {
    double mean;      /**< of the absolute errors */
    double low, high; /**< the least and the largest error */
} inlay_error_band;

/**
 * The band of estimates on that machine, and of screens.
 * @param load  u / u_limit: inlay_summary.load
 * @return false, and nothing is written, where there is none: for a load that is NaN, and of estimates where messages do not queue
 *         (contention) or links are M/M/1 queues. Screens are exact without queues.
 */
INLAY_API bool inlay_estimate_band(const inlay_machine *machine, double load, inlay_error_band *band);
INLAY_API bool inlay_screen_band(const inlay_machine *machine, double load, inlay_error_band *band);

enum { INLAY_BAND_TEXT = 48 /**< room for its words */ };

/**
 * A band as it stands beside every estimate and screen that is printed: "studied -3 % to +80 %", "exact" where nothing is
 * off, and of NULL, where there is none, "unstudied". Returns `text`.
 */
INLAY_API char *inlay_error_band_text(const inlay_error_band *band, char text[INLAY_BAND_TEXT]);
/** The same of estimates and of screens on that machine. */
INLAY_API char *inlay_estimate_band_text(const inlay_machine *machine, double load, char text[INLAY_BAND_TEXT]);
INLAY_API char *inlay_screen_band_text(const inlay_machine *machine, double load, char text[INLAY_BAND_TEXT]);

/* ---- What keeps the elapsed time from being shorter ---- */

typedef enum inlay_limit { INLAY_LIMIT_CRITICAL_PATH, INLAY_LIMIT_COMPUTE, INLAY_LIMIT_NETWORK } inlay_limit;

/** The elapsed time taken apart, in the application's unit: the first three times add up to it. */
typedef struct inlay_bottleneck {
    inlay_limit
        limit; /**< critical path where the elapsed time is at most 5 % above it; else the larger of the others */
    double critical_path; /**< on unlimited processors with free messages */
    double compute;       /**< what sharing processors adds: the same placement with free messages, less the path */
    double network;     /**< what messages add: the elapsed time, less that of the same placement with free messages */
    inlay_id processor; /**< the busiest, the first of several */
    double busy;        /**< its sum of m */
} inlay_bottleneck;

/** "critical path", "compute", "network" */
INLAY_API const char *inlay_limit_name(inlay_limit limit);

/** Works the placement out once more, with free messages. */
INLAY_API int inlay_mapping_bottleneck(const inlay_mapping *mapping, inlay_bottleneck *result, inlay_diag *diag);

/** Traffic from one cluster to another. */
typedef struct inlay_flow {
    inlay_id from, to;                /**< clusters */
    int64_t messages, bytes, traffic; /**< distance not counted */
} inlay_flow;

/** All flows between clusters, ordered by (from, to); freed by the caller with free(). */
INLAY_API int inlay_mapping_flows(const inlay_mapping *mapping, inlay_flow **flows, size_t *count, inlay_diag *diag);

/** What one link of a machine carries within the time frame in force (inlay/machine.h has the link itself). */
typedef struct inlay_link_load {
    inlay_id link;
    inlay_id flows;  /**< from cluster to cluster, that go over it */
    int64_t traffic; /**< of these together, in the unit of capacity */
    double
        utilisation; /**< u: share of T in which it works; of a parallel link the sum over its messages, also above 1 */
    double delay;    /**< D(u), in mean transfers; 1 on a parallel link */
    bool parallel;   /**< messages do not meet on it */
} inlay_link_load;

/**
 * The links that messages go over: those on which they queue by falling utilisation, then the parallel ones likewise, the
 * larger traffic first where it is equal. Freed by the caller with free(). None on a machine without links.
 */
INLAY_API int inlay_mapping_links(const inlay_mapping *mapping, inlay_link_load **loads, size_t *count,
                                  inlay_diag *diag);

#endif
