/*
 * One run under a run-time scheduler: its state and its loop. Times are grains.
 *
 * Everything that happens at one time happens first; then what has become ready is given to the scheduler, by number, and
 * the idle cores take.
 */
#ifndef RUNTIME_RUN_H
#define RUNTIME_RUN_H

#include "runtime/plan.h"
#include "simulate/bandwidth.h"
#include "simulate/random.h"

typedef enum core_phase {
    CORE_IDLE,
    CORE_PREPARES, /**< the scheduler's overhead */
    CORE_FETCHES,  /**< a message is under way: in the network, or by itself */
    CORE_COMES,    /**< the last message is on its way, and nobody can hold it up */
    CORE_RUNS,
    CORE_HELD /**< by a module of several cores that runs on a lower one */
} core_phase;

/** Modules that wait, in an order; they are chained through runtime_run.behind and .before. */
typedef struct task_queue {
    inlay_id first, last; /**< -1 none */
    inlay_id count;
} task_queue;

typedef struct runtime_core {
    core_phase phase;
    inlay_id module;
    double since;     /**< when the phase began */
    double there;     /**< latest arrival of what was fetched */
    double until;     /**< end of what it runs, by its clock where memory has a bandwidth */
    int64_t input;    /**< that is being fetched */
    int64_t messages; /**< of it to go, the one under way counted */
    int64_t visits;   /**< transfers of that one to go */
    task_queue queue; /**< of its own */
    double expected;  /**< dmda: when what it runs should end ... */
    double queued;    /**< ... and how long what it has queued should take */
    double busy, overhead, fetching;
    int64_t modules, fetched;
} runtime_core;

/** What became of every module. */
typedef struct runtime_record {
    double *ready, *taken, *start, *end;
} runtime_record;

typedef struct runtime_run {
    const runtime_plan *plan;
    const struct scheduler *scheduler;
    struct node_run *nodes; /**< where the machine has a main memory, else NULL */
    runtime_core *core;
    calendar calendar; /**< a slot a core */
    fabric fabric;
    bandwidth *memory; /**< owned; NULL: nobody is slowed down */
    random_streams random;
    inlay_id idle;     /**< cores */
    inlay_id *pending; /**< predecessors of every module that have not ended */
    inlay_id *place;   /**< core of every module: where it ran, or that ended the last of its predecessors so far */
    inlay_id *behind, *before; /**< of every module in a queue */
    inlay_id *fresh;           /**< have become ready, and are not given to the scheduler */
    inlay_id freshes;
    task_queue queue;      /**< fifo, lifo */
    inlay_id *heap;        /**< priority */
    size_t waiting;        /**< in whatever queue */
    double *expected;      /**< dmda: how long every module should take where it was queued */
    uint8_t *had;          /**< by datum and host: it is there; NULL where there are no data to fetch */
    double *factor;        /**< of every module's time; NULL: 1 */
    double *until;         /**< scratch: of every link of a route */
    runtime_record record; /**< of this run; each NULL where none is kept ... */
    runtime_record kept;   /**< ... and that of replication 0; the caller's */
    memory_pool pool;
    inlay_id ended;
    bool no_memory;
    double last; /**< end of the last module so far */
} runtime_run;

/** A run to be done any number of times; `p` has to outlive it. */
int runtime_run_make(const runtime_plan *p, runtime_run *r, inlay_diag *diag);
void runtime_run_clear(runtime_run *r);

/** INLAY_OVERFLOW where times leave the range, INLAY_NO_MEMORY. */
int runtime_replication(runtime_run *r, int64_t replication, const runtime_record *record);

/** How long a core should take to have a module's inputs, where nobody else is in the network. */
double runtime_expected_fetch(runtime_run *r, inlay_id module, inlay_id core);

#endif
