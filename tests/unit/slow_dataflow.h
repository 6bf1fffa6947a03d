/*
 * Dataflow programs as lists of steps, and a slow interpreter of them: no coroutines and no queues, but the times of all
 * gets and puts that ever were, in plain arrays.
 */
#ifndef UNIT_SLOW_DATAFLOW_H
#define UNIT_SLOW_DATAFLOW_H

#include <inlay/dataflow.h>

enum { STEP_MODULES = 12, STEP_CHANNELS = 40, STEP_MOST = 60, STEP_VALUES = STEP_MOST };

typedef enum slow_step_kind { SLOW_COMPUTE, SLOW_GET, SLOW_PUT } slow_step_kind;

typedef struct slow_step {
    slow_step_kind kind;
    int operation; /**< of COMPUTE */
    int times;     /**< of COMPUTE */
    int channel;   /**< of GET and PUT */
} slow_step;

typedef struct slow_channel {
    int from, to, out, in, size, capacity;
} slow_channel;

typedef struct slow_program {
    int modules, channels;
    slow_channel channel[STEP_CHANNELS];
    int steps[STEP_MODULES];
    slow_step step[STEP_MODULES][STEP_MOST];
    int64_t cost[INLAY_OPERATIONS]; /**< ticks */
} slow_program;

/** What a random program may have. */
typedef enum slow_features {
    SLOW_CYCLES = 1,    /**< channels anywhere, and not only to modules of higher numbers */
    SLOW_CAPACITY = 2,  /**< channels of finite capacity */
    SLOW_MISMATCH = 4,  /**< a get or put too many, so that somebody waits for ever or values are left */
    SLOW_FREE_PORTS = 8 /**< gets and puts may cost nothing */
} slow_features;

/** The same seed gives the same program. Without mismatches and with any capacity, it runs to its end. */
void slow_program_draw(uint64_t *state, unsigned features, slow_program *program);

typedef struct slow_profile {
    bool deadlock;
    bool ended[STEP_MODULES];
    int waits_at[STEP_MODULES]; /**< the step in which a module waits for ever */
    int64_t end[STEP_MODULES], work[STEP_MODULES];
    uint64_t result[STEP_MODULES]; /**< what it computed */
    int put[STEP_CHANNELS], got[STEP_CHANNELS];
} slow_profile;

/** With a processor for each module and messages that take no time. */
void slow_profile_run(const slow_program *program, slow_profile *profile);

/** A mapped run: messages to other processors take `delay` each or, with a bus, hold it for so long one after another. */
typedef struct slow_mapping {
    int processors;
    int processor_of[STEP_MODULES];
    int rank[STEP_MODULES]; /**< place in the order of its processor: the least that can go on does */
    bool bus;
    int64_t delay, latency; /**< ticks */
} slow_mapping;

typedef struct slow_mapped {
    int64_t elapsed, last_module;
    int64_t start[STEP_MODULES], end[STEP_MODULES];
    int64_t busy[STEP_MODULES]; /**< of processors */
    int messages;
    uint64_t result[STEP_MODULES];
} slow_mapped;

/** The program must run to its end, and gets and puts must take time. */
void slow_mapped_run(const slow_program *program, const slow_mapping *mapping, slow_mapped *run);

/** The same program for the library; results go to `result`, which must outlive it. */
inlay_program *slow_program_wire(const slow_program *program, uint64_t *result);

/** Its costs, INLAY_OPERATIONS of them. */
void slow_program_costs(const slow_program *program, inlay_cost *cost);

#endif
