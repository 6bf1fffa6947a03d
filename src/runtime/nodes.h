/*
 * Nodes with accelerators: memories that hold copies of data, and what a run under a scheduler does with them.
 *
 * A memory node is a host of the machine; one of them is the main memory, which holds all. A datum is on several nodes at
 * once, or on one alone. Transfers are booked when they are asked for: so the time at which a copy will be there is known
 * from then on, and nothing of a transfer is an event. Times are grains.
 */
#ifndef RUNTIME_NODES_H
#define RUNTIME_NODES_H

#include "runtime/run.h"

enum { NODES_MOST = 64 /* bits of node_plan.may */ };

/** One version of a datum. */
typedef struct node_item {
    const char *name;  /**< NULL: what a link carries for itself */
    int64_t bytes;     /**< room that a copy takes */
    double traffic;    /**< what links divide by their capacity */
    double latency;    /**< of a transfer, behind the links' */
    inlay_id producer; /**< module; -1: it lies in main memory from the start */
    inlay_id readers;
    bool renewed; /**< a module makes the next version of it: it is over when all have read it */
} node_item;

/** What runs of an application on a node with accelerators share. By module: what it reads and writes. */
typedef struct node_plan {
    inlay_id nodes, main, items;
    node_item *item;
    int64_t *read_begin, *write_begin; /**< modules + 1 */
    inlay_id *read, *write;            /**< items, in their order */
    inlay_id *replaces;                /**< of every one of `write`: the version that it takes the room of, or -1 */
    int64_t *capacity;                 /**< of nodes, bytes; -1: everything has room */
    inlay_id *worker;                  /**< the first that takes part on every node; -1: none */
    uint64_t *may;                     /**< nodes on which a module can run */
    int32_t *set_of;                   /**< of every module: which of the sets of nodes that is ... */
    uint64_t *set;
    inlay_id *set_begin; /**< ... and how many modules are before its, sets + 1 */
    int32_t sets;
    double *least;     /**< of every module: its time where that is least */
    double *level;     /**< longest sum of least times to the end */
    double path;       /**< the largest of them */
    inlay_id *planned; /**< worker that every module goes to by the plan */
    links_plan *links; /**< owned; NULL where there is one node */
    double numerator;  /**< of sizes over capacities */
} node_plan;

/** A version on a node. */
typedef struct node_copy {
    double there;            /**< from when on; INFINITY: there is none */
    double busy;             /**< until when others read it */
    double used;             /**< last */
    inlay_id pins;           /**< modules that hold it */
    inlay_id before, behind; /**< of those of its node, by `used`; -1 none */
    uint32_t wanted;         /**< node_run.wish: by the head of a queue */
} node_copy;

typedef struct node_memory {
    int64_t used, pinned, peak;     /**< bytes */
    int64_t loaded;                 /**< bytes that came, write-backs too */
    int64_t evictions, write_backs; /**< of copies here */
    double room;                    /**< when what was taken out last has left */
    inlay_id first, last;           /**< of the copies here, by when they were used */
} node_memory;

typedef struct node_run {
    const node_plan *plan;
    node_copy *copy; /**< by item, then node */
    node_memory *memory;
    inlay_id *left;      /**< readers of every item that have not ended */
    inlay_id *copies;    /**< of every item, those on their way too */
    double *until;       /**< when nobody holds a link any more */
    int64_t *carried;    /**< bytes, of every link of node_plan.links */
    int64_t *reserved;   /**< by core: bytes for what its module writes */
    bool *stale;         /**< by core: the head of its queue has changed */
    inlay_id *queued_at; /**< by module: core in whose queue it stands */
    inlay_id *heap;      /**< by set: modules that wait for anybody */
    inlay_id *waits;     /**< how many, by set */
    inlay_id *stands;    /**< by core, then set: how many are in its queue */
    double *key;         /**< by module: the largest goes first */
    double sequence;
    uint32_t wish;
    int64_t moved, transfers, inputs, hits;
    const char *winner; /**< the scheduler of the run, where the best was asked for */
} node_run;

int nodes_plan_make(runtime_plan *p, inlay_diag *diag);
void nodes_plan_clear(node_plan *n);

bool nodes_run_make(runtime_run *r);
void nodes_reset(runtime_run *r);

/** The row of that name for such machines, or NULL. */
const struct scheduler *nodes_scheduler_named(const char *name);

/** A replication under the scheduler that does best. */
int nodes_best(runtime_run *r, int64_t replication, const runtime_record *record,
               int (*run)(runtime_run *, int64_t, const runtime_record *));

/**
 * A module gets what it reads, and room for what it writes; `*start` is when all is there. False where others hold too much of
 * the memory: when one of them ends, it may ask again.
 */
bool nodes_acquire(runtime_run *r, inlay_id core, double now, double *start);

/** A copy becomes the last of its node. */
void nodes_line_up(node_run *n, inlay_id item, inlay_id node);

/** It has ended. */
void nodes_release(runtime_run *r, inlay_id core, double now);

/** What the heads of queues that have changed will read is fetched, as far as there is room. */
void nodes_prefetch(runtime_run *r, double now);

/** What a transfer takes where nobody else is on the links. */
double nodes_idle(const runtime_plan *p, inlay_id item, inlay_id from, inlay_id to);

/** The same of all that a module lacks on a node. */
double nodes_expected(const runtime_run *r, inlay_id module, inlay_id node, double now);

/** Bytes of what a module reads that are neither on a node nor on their way. */
int64_t nodes_missing(const runtime_run *r, inlay_id module, inlay_id node);

/**
 * Bytes that had to come to every node in the order in which modules started there, whoever had chosen what to take out:
 * by next use, of parts of data even. INLAY_NO_MEMORY.
 */
int nodes_least_loads(const runtime_plan *p, const inlay_id *place, const double *start, int64_t *bytes);

/** The work of all modules over what the processors of each kind can do, in grains; negative: no memory. */
double nodes_area(const runtime_plan *p);

static inline node_copy *nodes_copy(const node_run *n, inlay_id item, inlay_id node)
{
    return &n->copy[(size_t)item * (size_t)n->plan->nodes + (size_t)node];
}

#endif
