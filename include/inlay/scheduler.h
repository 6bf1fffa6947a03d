/*
 * Run-time schedulers: an application without a placement, whose modules go to the cores as these come free, as the tasks
 * of OpenMP and StarPU programs do.
 *
 * A module is ready when all its predecessors have ended. Which core takes it, and when, the scheduler decides:
 *
 *   fifo      one queue, by the time at which modules became ready, then by number
 *   lifo      one stack; of those that become ready together the highest number comes off first
 *   priority  one queue by bottom level (the longest way to the end, messages free), the longest first, then by number
 *   stealing  a queue a core: a core that ends a module puts what becomes ready at the end of its own, by number, and takes
 *             the last; one whose queue is empty takes the oldest of another's, drawn at random. Modules without
 *             predecessors are core 0's. Stealing costs nothing
 *   dmda      when ready, a module goes to the end of the queue of the core that is expected to end it first: behind what
 *             that core runs and has queued, with its overhead, its time on that core's type, and what its missing inputs
 *             take on an idle network; ties to the smaller number
 *
 * Idle cores take by number, when all that happens at a time has happened. A module of n cores waits for n free cores of
 * one host (the lowest) and holds back whatever is behind it; stealing and dmda run modules of one core alone.
 *
 * A core that takes a module is busy with the scheduler first, for task_overhead; then it fetches the inputs that are not
 * on its host, one message after another in the order of the links, from where they were made, and waits; then it computes. A
 * datum is fetched once a host. Messages meet the queues of the network as in inlay/simulate.h, one of a core at a time;
 * over links each goes its whole way before the next sets out. Cores of one host share memory: nothing is fetched.
 *
 * Modules that may not run on some type of processor go by dmda alone, which does not count those. Pins are refused. Blocking times (a module is over when it ends), traffic without precedence, data blocks and memory
 * are not looked at, which is warned of. Times are as in inlay/simulate.h.
 *
 * A machine whose host is the main memory (inlay_machine_main()) is a node with accelerators, and its hosts are memories of
 * some capacity. Data blocks lie in main memory at first; a module that reads a datum, or a block, and sends a datum of the
 * same name writes over it. A worker takes what its type and its memory can hold; fetches what the module reads and is not
 * there; makes room by taking out what was used least recently, and writes it to main memory first where it is the only
 * copy; waits; computes. Inputs of the first modules of its own queue are fetched ahead. All of the above schedulers run
 * there, with types, and
 *
 *   dmdas     dmda, whose queues go by the longest way to the end, then by what lacks least
 *   planned   queues like that, of the workers to which a list schedule (HEFT) gives the modules
 *   best      whichever ends first
 *
 * docs/accelerators.md has all rules.
 *
 * On P like cores with free messages and without overhead every one but dmda ends within 2 - 1/P times the larger of
 * critical path and work / P (R. L. Graham, "Bounds on multiprocessing timing anomalies", 1969).
 */
#ifndef INLAY_SCHEDULER_H
#define INLAY_SCHEDULER_H

#include <inlay/simulate.h>

/** A row of the table of schedulers. */
typedef struct inlay_scheduler {
    const char *name;
    const char *about; /**< in a line */
    bool holds_cores;  /**< modules of several cores, too */
    bool keeps_types;  /**< and such as may not run on some types of processors */
    bool for_nodes; /**< of machines with a main memory alone, where all of them keep to types and none holds cores */
} inlay_scheduler;

/** The rows one by one, from 0; NULL behind the last. */
INLAY_API const inlay_scheduler *inlay_scheduler_at(size_t i);

/** Zero-initialised, these are the defaults. */
typedef struct inlay_scheduled_options {
    const char *scheduler;        /**< name; NULL: "stealing" */
    inlay_id processors;          /**< the first so many of the machine; 0: all */
    bool has_task_overhead;       /**< else it is the machine's */
    inlay_duration task_overhead; /**< before each module; without a unit, in the application's */
    double
        tick_seconds; /**< length of a tick, where the application counts in ticks and the machine does not; 0 unknown */
    inlay_contention contention; /**< as in inlay_simulation_options */
    inlay_spread module_time;    /**< factor of each module's time, drawn by its number */
    uint64_t seed;
    int64_t replications; /**< 0: 1 */
    int threads;          /**< that share them; 0: one a core. Never changes a result */
    inlay_id prefetch;    /**< with a main memory: so many modules of a queue; 0: 2, below 0: none */
} inlay_scheduled_options;

typedef struct inlay_scheduled inlay_scheduled;

/**
 * Run `app` on `machine` under a scheduler. INLAY_BAD_ARGUMENT where an option is out of range or the scheduler unknown,
 * INLAY_NO_ANSWER where it cannot hold the application: pins, modules of more cores than a host has, or of several cores.
 * @param result  the caller's to free; keeps pointers to `app` and `machine`
 */
INLAY_API int inlay_simulate_scheduled(const inlay_app *app, const inlay_machine *machine,
                                       const inlay_scheduled_options *options, inlay_scheduled **result,
                                       inlay_diag *diag);

INLAY_API void inlay_scheduled_free(inlay_scheduled *result);

INLAY_API const inlay_app *inlay_scheduled_app(const inlay_scheduled *result);
INLAY_API const inlay_machine *inlay_scheduled_machine(const inlay_scheduled *result);

/** With several replications, means over them unless said otherwise; in the application's unit. */
typedef struct inlay_scheduled_summary {
    const char *scheduler;
    inlay_id processors;
    double makespan;
    double half_width;    /**< of the 95 % confidence interval of its mean, by Student's t; NaN for one run */
    double p05, p50, p95; /**< quantiles of the makespans */
    double least, most;   /**< makespan */
    double work;          /**< sum of the times of modules as they ran, over all cores */
    double critical_path; /**< longest chain of general times, messages free */
    int64_t messages;     /**< fetched */
    int64_t replications;
    bool random; /**< whether anything was drawn */

    /* The rest where the machine has a main memory, of the first replication. */
    bool has_memories;
    const char *winner;                    /**< scheduler that ended first, of `best`; else `scheduler` */
    inlay_id prefetch;                     /**< modules */
    int64_t transfers, moved, least_moved; /**< between memories; bytes; bytes that no eviction could have saved */
    int64_t evictions, write_backs;        /**< copies taken out; of these such as went to main memory first */
    int64_t inputs, hits; /**< data that modules read; that were there, or on their way, when they were taken */
    double path_bound, area_bound; /**< no run is shorter: longest chain of least times; work by types of processors */
    double operations;             /**< arithmetic and function evaluations of all modules; 0 unknown */
} inlay_scheduled_summary;

INLAY_API const inlay_scheduled_summary *inlay_scheduled_result(const inlay_scheduled *result);

/** A core: busy + overhead + fetching + idle = makespan. */
typedef struct inlay_scheduled_core {
    inlay_id processor;
    double busy, overhead, fetching, idle;
    int64_t modules, messages; /**< that it ran and fetched, on the average, to the nearest whole ones */
} inlay_scheduled_core;

/** @param core  0 .. processors-1 */
INLAY_API inlay_scheduled_core inlay_scheduled_core_at(const inlay_scheduled *result, inlay_id core);

/** What became of a module in the first replication: ready <= taken <= start <= end. */
typedef struct inlay_scheduled_module {
    inlay_id processor; /**< the lowest that it held */
    double ready, taken, start, end;
} inlay_scheduled_module;

INLAY_API inlay_scheduled_module inlay_scheduled_module_at(const inlay_scheduled *result, inlay_id module);

/** What became of a memory in the first replication, where the machine has a main one. */
typedef struct inlay_scheduled_memory {
    inlay_id host;
    int64_t capacity, peak; /**< bytes; capacity -1: it has room for everything */
    int64_t loaded, least;  /**< bytes that came, and that had to come in the order in which modules started here */
    int64_t evictions, write_backs;
} inlay_scheduled_memory;

/** @param memory  0 .. hosts of the machine - 1 */
INLAY_API inlay_scheduled_memory inlay_scheduled_memory_at(const inlay_scheduled *result, inlay_id memory);

/** Bytes that a link of the machine carried in the first replication, where the machine has a main memory. */
INLAY_API int64_t inlay_scheduled_carried(const inlay_scheduled *result, inlay_id link);

#endif
