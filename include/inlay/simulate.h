/*
 * Simulation: the mapped application runs, event by event, and every unit of time is accounted for.
 *
 * What is simulated. Each processor runs its modules in the mapping's order (inlay_mapping_cluster()), one at a time,
 * each for its m without a break: the time that the application gives for its processor's type, or else in general,
 * divided by its processor's speed. A module starts when its processor is free and all its precedence links are
 * satisfied:
 *
 *   finish   a link is due when its producer ends
 *   stream   a link i -> j is due min(m_i, max(0, b_j - b_i)) after i starts
 *
 * A link inside one processor, or without messages, is satisfied when it is due. One between processors is satisfied
 * when its last message has arrived.
 *
 * Data (docs/rules.md, "Data"): a datum goes once to each processor that runs consumers and not its producer, over links to
 * each host, as a message that is due with the first of its links there. A consumer starts when the copy has arrived and
 * its own link is due. Networks whose messages take two transfers or more, as common memories do, write a datum once: its
 * further copies take one transfer less.
 *
 * Messages. A processor has one message under way at a time: the one outstanding request that the delay models assume.
 * Its other messages wait with it, in the order of the time at which they are due, then of the links. The messages of a
 * link follow each other, each with its share of the link's traffic; each is `transfers` requests to the network in a
 * row, each queued anew (as tau = transfers x D counts them). The latency of the machine occupies nobody: a link
 * arrives messages x latency after its last transfer ended, and the processor's next link goes meanwhile. Traffic-only
 * links are sent when their producer ends, and nobody waits for them. A module whose data block lives with another
 * processor reads it: its processor sends that message when the module starts, and nobody waits for it either.
 *
 * With overlap (the default) a processor computes while its messages are under way. Without it, all messages of a module
 * and its reads are due when it ends, and the processor is blocked from then until the last of them has arrived.
 *
 * Over links (inlay_machine_has_links()) the messages of a processor do not wait for each other but at links: those of
 * one link of the application, or of one read, are a train. The next message of a train sets out when the one before has
 * passed the first link; different trains are under way at once.
 *
 * Shared cores. Where all processors share C cores (inlay_simulation_options.cores), as the ranks of a program do that was
 * started with more ranks than the computer has cores, n of them that compute at once each do so at min(1, C / n) of their
 * speed: egalitarian processor sharing, as a fair operating system's scheduler does without its slices. A module ends,
 * and what it streams is due, when it has done that much of its work; it is busy from its start to its end, however fast.
 * Messages, latencies and networks are as before, and a processor that waits uses no core. With C of at least the processors
 * that are used nothing changes, to the last bit.
 *
 * Networks:
 *
 *   bus        one queue, first come first served; a request of c units of traffic holds the bus for c / C
 *   multibus   a request holds one of b buses, the lowest that is free, and its memory. It is that of the data block, or
 *              any with equal probability. A bus that becomes free takes the earliest request whose memory is free
 *   omega      the head of a message goes through every stage in `transit`; the output of a switch is taken for
 *              packets x cycle, requests queue in front of it. The message is there packets - 1 cycles after its head.
 *              Memories as above; block memories as the mapping placed them
 *   omega-pe   the same from processor to processor, with transit = cycle; processors of one first-stage switch reach
 *              each other through it alone (d = 1), others through all stages
 *   links      a message goes over the links of its route, one after the other. A link serves one message at a time,
 *              who asks first first, for transfers x c / C; a parallel link serves all at once. Store-and-forward: a
 *              message asks for the next link when its service on this one has ended, and the link's latency passed.
 *              Cut-through: when it has begun, and the latency passed; it holds a link until its service is over, and
 *              all of it has come off the link before. So alone it takes all latencies, and all services or the longest
 *              one. Between cores of one host there are no links: nothing but the machine's latency
 *
 * Order. Events happen by time; of one time the starts, dues and ends of modules come first, by processor, then the
 * network's, by bus or sending processor, and at links by message: they are numbered when their train is due, or when
 * the one before them asks for its first link. Requests of one time queue in that order. Nothing depends on addresses,
 * heap order or threads.
 *
 * Numbers. Times are doubles in the application's unit. Inside they are grains, which are exact where m, b, c / C and
 * the latency are whole grains and the makespan is below 2^53 of them.
 *
 * Ownership: a simulation keeps pointers to its mapping, which must outlive it; what its functions return belongs to it.
 */
#ifndef INLAY_SIMULATE_H
#define INLAY_SIMULATE_H

#include <inlay/delay.h>
#include <inlay/mapping.h>

typedef struct inlay_simulation inlay_simulation;

/* ---- Options ---- */

/** The form of a random time; all have the constant's mean. */
typedef enum inlay_spread_kind {
    INLAY_SPREAD_CONSTANT,
    INLAY_SPREAD_EXPONENTIAL, /**< coefficient of variation 1 */
    INLAY_SPREAD_UNIFORM,     /**< cv at most 1/sqrt(3), where the least is 0 */
    INLAY_SPREAD_NORMAL,      /**< drawn again outside 0 .. 2 means: the mean stays, and a cv above 0.4 comes out
                                   lower than it was given; at most 1 */
    INLAY_SPREAD_KIND /**< of module times alone: that of a module of the same kind, each as likely; modules without a
                                   kind keep their own */
} inlay_spread_kind;

/** A distribution: its form, and its coefficient of variation, standard deviation over mean, where it takes one. */
typedef struct inlay_spread {
    inlay_spread_kind kind;
    double cv;
} inlay_spread;

/** "constant", "exponential", "uniform", "normal", "kind" */
INLAY_API const char *inlay_spread_name(inlay_spread_kind kind);

enum { INLAY_INTERVAL_RUNS = 200 };

/** Share of those runs that an interval holds, where nothing else is asked for. */
#define INLAY_CONFIDENCE 0.9

/** Zero-initialised, these are the defaults: one run with constant times, nothing recorded. */
typedef struct inlay_simulation_options {
    inlay_contention contention; /**< or the machine's own, where that leaves more out */
    bool no_overlap;             /**< sends do not overlap computation */

    inlay_spread module_time;   /**< factor of each module's m. Drawn by module number: runs that differ in the network
                                     alone have the same m */
    inlay_spread transfer_time; /**< factor of each request's time in the network */
    uint64_t seed;              /**< of these, and of the memories that messages go to */
    int64_t replications;       /**< 0: 1 */
    int threads;                /**< that share the replications; 0: one a core. Never changes a result */

    double compute_scale;          /**< factor of all module times and lags; 0: 1 */
    double network_scale;          /**< factor of all transfer times and latencies; 0: 1 */
    const double *processor_scale; /**< further factor of module times by processor, inlay_machine_processors() of them;
                                        NULL: 1. Read during the call alone */

    /** Cores that all processors of the machine share, as the ranks of a program do that was started with more ranks than
     *  the computer has cores; 0: a core each. */
    inlay_id cores;

    int64_t max_events; /**< a run that would take more has no answer; 0: no limit */

    /** Find how sure the makespan is: further runs, INLAY_INTERVAL_RUNS of them, draw what the machine says of its own figures
     *  (inlay_machine_doubts()); where it says nothing there are none. */
    bool interval;
    double
        confidence; /**< share of those runs in the interval, half of the others on either side; 0: INLAY_CONFIDENCE */

    bool record; /**< keep modules, messages and the critical path of the first replication */
} inlay_simulation_options;

/* ---- Running it ---- */

/**
 * Simulate `mapping`. INLAY_BAD_ARGUMENT where an option is out of range; INLAY_NO_ANSWER where the orders of two
 * processors wait for each other, or a run takes more events than it may; INLAY_OVERFLOW where times pass the range of numbers.
 */
INLAY_API int inlay_simulate(const inlay_mapping *mapping, const inlay_simulation_options *options,
                             inlay_simulation **simulation, inlay_diag *diag);

INLAY_API void inlay_simulation_free(inlay_simulation *simulation);

/**
 * Between what times nine of ten runs of a mapping lie, by what its machine says of its own figures: NaN where it says nothing,
 * where two hundred runs would take long, and where the elapsed time is none that was simulated.
 */
INLAY_API void inlay_mapping_interval(const inlay_mapping *mapping, double *low, double *high);

/* ---- The whole ---- */

INLAY_API const inlay_mapping *inlay_simulation_mapping(const inlay_simulation *simulation);
INLAY_API const inlay_simulation_options *inlay_simulation_chosen(const inlay_simulation *simulation);

/** With several replications, all figures are means over them unless said otherwise. */
typedef struct inlay_simulation_summary {
    double makespan;    /**< elapsed time: the end of the last module or, where that is later, message */
    double last_module; /**< end of the last module */
    int64_t events;     /**< that were taken from the calendar, all replications together */
    int64_t modules;    /**< run in one replication */
    int64_t messages;   /**< between processors, in one replication: sent and received */
    int64_t replications;
    bool random;          /**< whether anything was drawn: two seeds may differ */
    double half_width;    /**< of the 95 % confidence interval of the mean makespan, by Student's t; NaN for one run */
    double p05, p50, p95; /**< quantiles of the makespans, interpolated between the two nearest */
    double least, most;   /**< makespan */
    double low, high;     /**< the makespan's interval; NaN where none was asked for, or the machine doubts nothing */
    double compute, wait, network; /**< shares of the critical path, which add up to 1; NaN without record */
} inlay_simulation_summary;

INLAY_API const inlay_simulation_summary *inlay_simulation_result(const inlay_simulation *simulation);

/** Whether processors share cores: there are fewer than are used. */
INLAY_API bool inlay_simulation_shares_cores(const inlay_simulation *simulation);

/** The error of the mapping's estimate: (estimate - makespan) / makespan. NaN where cores are shared, of which the estimate
 *  knows nothing, and where nothing takes time. */
INLAY_API double inlay_simulation_estimate_error(const inlay_simulation *simulation);

/** Makespan of every replication, `*count` of them in their order. */
INLAY_API const double *inlay_simulation_makespans(const inlay_simulation *simulation, int64_t *count);

/* ---- Processors ---- */

/** One processor that is used: busy + communicating + blocked + idle = makespan. Others are idle all the time. */
typedef struct inlay_simulated_processor {
    inlay_id processor, cluster;
    double busy;            /**< computing: from the start of each module to its end */
    double communicating;   /**< not computing, while a message of its is under way or waits with it */
    double blocked;         /**< else: waiting for the links of its next module */
    double idle;            /**< else: all its modules have ended */
    int64_t sent, received; /**< messages, in one replication; reads of data blocks are sent by the reader */

    /** Bytes that its processor, over links its host, holds at most, with the data that wait there: of the recorded run,
        where data are copied; else -1. What is more than it has is warned of. */
    int64_t memory_peak;
} inlay_simulated_processor;

/** @param cluster  0 .. clusters-1, as in inlay_mapping_cluster() */
INLAY_API inlay_simulated_processor inlay_simulation_processor(const inlay_simulation *simulation, inlay_id cluster);

/* ---- Resources of the network ---- */

typedef enum inlay_resource_kind {
    INLAY_RESOURCE_BUS,
    INLAY_RESOURCE_MEMORY, /**< common memories: of a bus with memory=common, of a multiple bus */
    INLAY_RESOURCE_SWITCH, /**< of an omega network: all outputs of one switch together */
    INLAY_RESOURCE_SENDER, /**< the outgoing messages of one processor; none where messages go over links */
    INLAY_RESOURCE_LINK    /**< in one direction, or of both where they share it */
} inlay_resource_kind;

/** "bus", "memory", "switch", "sender", "link" */
INLAY_API const char *inlay_resource_kind_name(inlay_resource_kind kind);

enum { INLAY_RESOURCE_NAME = INLAY_MACHINE_NAME };

/**
 * One resource. Requests are transfers to bus, memory and switch, and messages to a sender or a link. A request of a
 * multiple bus queues for its memory, whether that or a bus is what it lacks; its buses have no queue of their own (0,
 * and a delay that is the transfer alone). A link is taken while it is held, without its latency; the utilisation of a
 * parallel one is how many messages are on it, on the average, and may pass 1.
 */
typedef struct inlay_resource {
    inlay_resource_kind kind;
    int stage;                      /**< of a switch, from 0; else -1 */
    inlay_id index;                 /**< number of bus, memory, switch in its stage, processor, or link, from 0 */
    char name[INLAY_RESOURCE_NAME]; /**< "bus", "bus 2", "memory 3", "switch 0.5" (stage.number), "sender 7", "p0-s1" */
    double utilisation;             /**< share of the makespan that it is taken; of a switch the mean of its outputs */
    double mean_queue;              /**< requests that wait, on the average over the makespan */
    int64_t largest_queue;          /**< the most that ever waited, in any replication */
    double mean_delay;              /**< of a request: its waiting and its time here; 0 where there was none */
    int64_t transfers;              /**< requests in one replication, on the average, to the nearest whole one */
} inlay_resource;

/**
 * Buses, memories and switches, then senders; or those links that carried something, by number. None at all where
 * messages meet no queue.
 */
INLAY_API size_t inlay_simulation_resources(const inlay_simulation *simulation);
INLAY_API inlay_resource inlay_simulation_resource(const inlay_simulation *simulation, size_t i);

/** The link of the largest utilisation, the first of equal ones; parallel ones apart. False where there is none. */
INLAY_API bool inlay_simulation_busiest_link(const inlay_simulation *simulation, inlay_resource *resource);

/* ---- The recorded run: the first replication. All of it is there only with options->record ---- */

INLAY_API bool inlay_simulation_recorded(const inlay_simulation *simulation);

/** Elapsed time of the recorded run; NaN where nothing was recorded, as the next two. */
INLAY_API double inlay_simulation_recorded_makespan(const inlay_simulation *simulation);
INLAY_API double inlay_simulation_start(const inlay_simulation *simulation, inlay_id module);
/** The simulated starts beside those that the mapping's author planned; false where none were, or none recorded. */
INLAY_API bool inlay_simulation_plan_distance(const inlay_simulation *simulation, inlay_plan_distance *result);
INLAY_API double inlay_simulation_end(const inlay_simulation *simulation, inlay_id module);

/** All messages of one link, one copy of a datum or one use of a data block, between two processors. Times in the application's unit. */
typedef struct inlay_simulated_message {
    int64_t link;   /**< number among all links, as inlay_app_out() lists them from module 0 on; of a use, the number of
                       links plus its number, as inlay_app_uses() lists them from block 0 on */
    inlay_id datum; /**< of a copy, which has the number of the first link that awaits it; else -1 */
    inlay_id from;  /**< module that sends; -1 of a use */
    inlay_id to;    /**< module that receives; of a copy, the first */
    inlay_id block; /**< data block of a use, else -1 */
    inlay_id sender, receiver; /**< clusters: whose message it is, and where it goes; a use is the reader's message, and
                                    its receiver the block's home */
    inlay_id memory;           /**< common memory of its last message; -1 where none takes part */
    bool awaited;              /**< a module waits for it: not traffic alone, no use */
    int64_t messages;
    double due;     /**< to be sent from now on */
    double request; /**< the first of them asks the network: those of its processor before it are through */
    double begin;   /**< its first service begins: request <= begin */
    double sent;    /**< its last transfer ends; the latencies of links are part of them */
    double arrival; /**< sent plus latency */
    double service; /**< of sent - request, what the network takes without any waiting */
} inlay_simulated_message;

/** `*count` of them in the order of their requests; none where contention is INLAY_CONTENTION_FREE. */
INLAY_API const inlay_simulated_message *inlay_simulation_messages(const inlay_simulation *simulation, size_t *count);

/** What a piece of the critical path does. */
typedef enum inlay_step_kind {
    INLAY_STEP_COMPUTE, /**< a module runs */
    INLAY_STEP_WAIT, /**< a message is due, and those of its processor before it are under way, or nobody receives it */
    INLAY_STEP_QUEUE,    /**< a message waits in the network */
    INLAY_STEP_TRANSFER, /**< a message is transferred; its latency */
    INLAY_STEP_OVERHEAD  /**< a module's processor receives before it, or sends behind it */
} inlay_step_kind;

/** "compute", "wait", "queue", "transfer", "overhead" */
INLAY_API const char *inlay_step_name(inlay_step_kind kind);

/**
 * One piece of the critical path of the run: why the last module, or message, did not end earlier. The pieces follow each
 * other without a gap from 0 to the makespan. A message that waits in several places has one QUEUE piece of the sum, in
 * front of its TRANSFER.
 */
typedef struct inlay_step {
    inlay_step_kind kind;
    inlay_id module; /**< of COMPUTE and OVERHEAD; else -1 */
    int64_t message; /**< of the others: index in inlay_simulation_messages(); else -1 */
    double from, to;
} inlay_step;

/** `*count` steps in the order of time; NULL and 0 where nothing was recorded. */
INLAY_API const inlay_step *inlay_simulation_path(const inlay_simulation *simulation, size_t *count);

/* ---- Beside another engine: `inlay simulate --engine` ---- */

typedef struct inlay_engine_processor {
    double busy; /**< time that the engine spent on its modules */
    int64_t sent, received;
} inlay_engine_processor;

/** What a mapping took on another engine and on Inlay's own. Times in the application's unit. */
typedef struct inlay_engine_run {
    const inlay_mapping *mapping;
    const char *engine, *version;            /**< "simgrid", "3.32" */
    const inlay_engine_processor *processor; /**< by cluster */
    double makespan, last_module;            /**< the other engine's */
    int64_t messages;                        /**< between processors */
    double inlay;                            /**< elapsed time by Inlay's engine */
    double engine_seconds, inlay_seconds;    /**< processor time of both runs on this computer */
} inlay_engine_run;

/** Inlay's elapsed time against the other engine's: 0.01 where it is 1 % longer; NaN where nothing takes time. */
INLAY_API double inlay_engine_difference(const inlay_engine_run *run);

/** Modules that an engine ran in a second of this computer. @param seconds  that it took */
INLAY_API double inlay_engine_speed(const inlay_engine_run *run, double seconds);

/* ---- A closed workload: what the delay models describe ---- */

enum { INLAY_CLOSED_MOST = 64 /**< messages of one processor under way in an open workload */ };

/**
 * All k processors of a machine think, ask the network for one transfer to a memory or processor drawn at random, wait
 * until it is over, and think again. Times in the machine's own unit, as in inlay_delay. Up to 1024 processors where
 * messages go over links.
 */
typedef struct inlay_closed_options {
    double think;               /**< mean time from the end of a request to the next; at least 0 */
    double traffic;             /**< of one request: messages, or bytes where the capacity is in bytes; 0: 1 */
    inlay_spread think_time;    /**< the models: any; constant by default */
    inlay_spread transfer_time; /**< the models of buses: exponential; those of omega networks: constant */
    int64_t requests;           /**< of all processors together that are counted in one replication; 0: 100,000 */
    int64_t warm_up;            /**< that go before and are not counted; 0: a tenth of `requests` */
    int64_t replications;       /**< 0: 10; at least 2 */
    int threads;                /**< 0: one a core */
    uint64_t seed;
    bool open; /**< omega networks: a processor thinks again as soon as its message has left it, packets x cycle after
                    it asked, whether that has arrived or not. At most INLAY_CLOSED_MOST are under way. Links: as soon as
                    it has asked */
} inlay_closed_options;

/** A mean over replications, and half the width of its 95 % confidence interval (Student's t). */
typedef struct inlay_interval {
    double mean, half_width;
} inlay_interval;

/** Counted as the machine's delay model counts: <inlay/network.h>. */
typedef struct inlay_closed_result {
    inlay_interval u;     /**< from the requests that ended in a time; of the link that works most on the average */
    inlay_interval delay; /**< D; of that link */
    inlay_interval tau;   /**< time of one unit of traffic: from request to the end of the last transfer */
    inlay_interval rate;  /**< requests that one processor makes in a unit of time */
    int64_t events;
} inlay_closed_result;

/** INLAY_BAD_ARGUMENT where an option is out of range; INLAY_OVERFLOW where the times do not move, or leave the range. */
INLAY_API int inlay_simulate_closed(const inlay_machine *machine, const inlay_closed_options *options,
                                    inlay_closed_result *result, inlay_diag *diag);

#endif
