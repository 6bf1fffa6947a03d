/*
 * Explaining a mapping: what its elapsed time consists of, and which single change shortens it most.
 *
 * All figures are simulated (simulate.h). The elapsed time is taken apart by what could still be saved, from what no
 * placement can change to what the network adds. With C the application's critical path on unlimited processors with
 * free messages, F the elapsed time with free messages, A that with messages which never wait, S that with free messages
 * where all processors are as fast as the fastest (F where modules have times of their own on types of processors), and
 * `busy` the time for which a processor computes then:
 *
 *   application  C
 *   work         max(C, mean busy) - C                      too much for so few processors, however it is spread
 *   imbalance    max(C, largest busy) - max(C, mean busy)   one processor has more than its share
 *   order        S - max(C, largest busy)                   processors wait for modules of each other
 *   speed        F - S                                      modules run on processors slower than the fastest
 *   transfers    A - F                                      the messages' own time
 *   queues       elapsed - A                                messages wait for each other
 *
 * They add up to the elapsed time. The last four may be negative: a run may happen to be shorter where messages come
 * later.
 *
 * Changes are tried one at a time, each against the mapping as it is. Some keep the placement and change what it runs
 * on; the others map anew. Larger applications are mapped anew by methods best and one alone.
 *
 * Ownership: an explanation keeps nothing of the mapping; what its functions return belongs to it.
 */
#ifndef INLAY_EXPLAIN_H
#define INLAY_EXPLAIN_H

#include <inlay/bounds.h>
#include <inlay/simulate.h>

typedef struct inlay_explanation inlay_explanation;

/**
 * Explain `mapping`.
 * @param options  of every simulation; NULL: the defaults. Scales are what the changes are changes of, `record` is not
 *                 looked at, `threads` holds for the sweep too
 * Statuses are those of inlay_simulate(). A change that has no answer is not among the changes.
 */
INLAY_API int inlay_explain(const inlay_mapping *mapping, const inlay_simulation_options *options,
                            inlay_explanation **explanation, inlay_diag *diag);
INLAY_API void inlay_explanation_free(inlay_explanation *explanation);

/* ---- What limits ---- */

/** The parts of the elapsed time, as above. */
typedef enum inlay_part_kind {
    INLAY_PART_APPLICATION,
    INLAY_PART_WORK,
    INLAY_PART_IMBALANCE,
    INLAY_PART_ORDER,
    INLAY_PART_SPEED,
    INLAY_PART_TRANSFERS,
    INLAY_PART_QUEUES
} inlay_part_kind;

enum { INLAY_PARTS = INLAY_PART_QUEUES + 1 };

/** "application", "work", "imbalance", "order", "speed", "transfers", "queues" */
INLAY_API const char *inlay_part_name(inlay_part_kind kind);

typedef struct inlay_part {
    inlay_part_kind kind;
    double time;  /**< in the application's unit */
    double share; /**< of the elapsed time; 0 where that is 0 */
} inlay_part;

/** The INLAY_PARTS parts, the longest first: what limits the mapping. Of equal ones in the order above. */
INLAY_API const inlay_part *inlay_explanation_parts(const inlay_explanation *explanation);

/** The figures that show it. Times in the application's unit. */
typedef struct inlay_explanation_figures {
    double makespan;       /**< simulated */
    double free_makespan;  /**< F */
    double fast_makespan;  /**< S */
    double alone_makespan; /**< A */
    inlay_bound bound;     /**< the largest that holds for any mapping; `value` is NaN where options scale times */
    inlay_bound placement_bound;   /**< of this placement, likewise */
    inlay_id processors;           /**< used */
    inlay_id busiest;              /**< processor that computes longest, the first of several */
    double busy, mean_busy;        /**< for how long, and the mean over the processors used */
    double fast_busy, fast_mean;   /**< the longest and the mean where all are as fast as the fastest */
    inlay_id fast_busiest;         /**< processor that computes longest then */
    double blocked;                /**< share of the time of all processors used in which they wait for links */
    int64_t messages;              /**< between processors */
    double compute, wait, network; /**< shares of the run's critical path, as in inlay_simulation_summary */
    inlay_id path_processor;       /**< that computes most of the run's critical path; -1 where nothing computes */
    double path_processor_time;    /**< for how long it does */
    inlay_id path_module;          /**< the longest on that path; -1 */
    double path_module_time;       /**< for how long it is on it */
    bool has_resource;             /**< whether messages meet a bus, memory or switch */
    double sender_queue; /**< messages that wait with their processors, all together, on the average over the time */
    inlay_resource resource; /**< the one that is most used, the first of several */
} inlay_explanation_figures;

INLAY_API const inlay_explanation_figures *inlay_explanation_figures_of(const inlay_explanation *explanation);

/* ---- Which change helps ---- */

typedef enum inlay_change_kind {
    INLAY_CHANGE_ALL_PROCESSORS, /**< all twice as fast */
    INLAY_CHANGE_PROCESSOR,      /**< one twice as fast: of those used, the INLAY_EXPLAIN_MOST with most of the run's
                                      critical path */
    INLAY_CHANGE_MODULE,         /**< half the time of the module with most of the run's critical path */
    INLAY_CHANGE_CAPACITY,       /**< twice the capacity, or half the cycle, of the network */
    INLAY_CHANGE_LATENCY,        /**< half of it */
    INLAY_CHANGE_AGGREGATE,      /**< one message a link instead of many; where traffic is counted in bytes */
    INLAY_CHANGE_OVERLAP,        /**< computing while messages are under way: without it, or with it */
    INLAY_CHANGE_TIME_FRAME,     /**< mapped anew under another T */
    INLAY_CHANGE_PROCESSORS,     /**< mapped anew with one processor fewer or more, T as given or chosen */
    INLAY_CHANGE_REDUCTION,      /**< mapped anew with H1 instead of H2, or the reverse */
    INLAY_CHANGE_METHOD,         /**< mapped anew by another method, T left to it; one is the best single processor */
    INLAY_CHANGE_ORDER           /**< the same placement in an order found by inlay_improve() */
} inlay_change_kind;

enum { INLAY_EXPLAIN_MOST = 16 /**< processors that are tried one by one */ };

/** "all processors", "processor", "module", "capacity", "latency", "messages", "overlap", "time frame", "processors",
    "reduction", "method", "order" */
INLAY_API const char *inlay_change_name(inlay_change_kind kind);

/** Which T, of those that inlay_sweep() tells of. */
typedef enum inlay_frame_kind {
    INLAY_FRAME_NONE, /**< of a change that is not one of T */
    INLAY_FRAME_T_MIN,
    INLAY_FRAME_T_FIT,
    INLAY_FRAME_T_PAR,
    INLAY_FRAME_BEST,    /**< the shortest estimate */
    INLAY_FRAME_SHORTER, /**< the clustering before this one */
    INLAY_FRAME_LONGER   /**< the clustering after it */
} inlay_frame_kind;

/** "", "T_MIN", "T_FIT", "T_PAR", "best estimate", "next shorter", "next longer" */
INLAY_API const char *inlay_frame_name(inlay_frame_kind kind);

typedef struct inlay_change {
    inlay_change_kind kind;
    double makespan;     /**< simulated with the change */
    double gain;         /**< (before - after) / before; negative where it takes longer */
    inlay_id processor;  /**< of PROCESSOR; else -1 */
    inlay_id module;     /**< of MODULE; else -1 */
    bool overlap;        /**< whether sends overlap computation with the change */
    const char *machine; /**< another machine as a string; NULL: the mapping's */
    inlay_id processors; /**< used with the change */

    bool maps_anew;         /**< whether inlay_map() with `mapping` below gives the changed mapping */
    inlay_options mapping;  /**< where it does */
    inlay_frame_kind frame; /**< which T */
    char time_frame[48];    /**< the T that is set, exact; "": none, it is chosen */
} inlay_change;

/** The changes that were tried, `*count` of them, the largest gain first. Of equal ones in the order of their kinds. */
INLAY_API const inlay_change *inlay_explanation_changes(const inlay_explanation *explanation, size_t *count);

/* ---- In words ---- */

/** An explanation with what its words need. */
typedef struct inlay_explained {
    const inlay_explanation *explanation;
    const inlay_mapping *mapping;
    const char *file; /**< the mapping's */
    const char *app;  /**< the application's, where it is not the one that the mapping names; else NULL */
    bool no_overlap;  /**< as in the options */
} inlay_explained;

/**
 * What a part of the elapsed time is, with the figures that show it; a change; the command that makes it, "" where there is
 * none. Freed by the caller with free(); NULL when out of memory.
 */
INLAY_API char *inlay_part_words(const inlay_explained *of, inlay_part_kind part);
INLAY_API char *inlay_change_words(const inlay_explained *of, const inlay_change *change);
INLAY_API char *inlay_change_command(const inlay_explained *of, const inlay_change *change);

/** Digits in which these words have a time: six, or all in front of its point. */
INLAY_API int inlay_explain_digits(double time);

#endif
