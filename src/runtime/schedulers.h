/* The table of run-time schedulers. */
#ifndef RUNTIME_SCHEDULERS_H
#define RUNTIME_SCHEDULERS_H

#include "runtime/run.h"

typedef struct scheduler {
    inlay_scheduler of;
    /** A module is ready; `core` ended the last of its predecessors, or is 0. */
    void (*ready)(runtime_run *r, inlay_id module, inlay_id core, double now);
    /** The module that an idle core would take next; -1: none. What `core` is does not matter where the queue is common. */
    inlay_id (*next)(runtime_run *r, inlay_id core);
    /** That core takes the module that it would take. */
    void (*take)(runtime_run *r, inlay_id core, inlay_id module, double now);
    bool last_first; /**< a core takes the last of its queue first */
    bool tries_all;  /**< the row stands for the best of the others */
    bool common;     /**< one queue for all: a module at its head that finds no place holds back the others */
} scheduler;

/** Modules at the end of a queue, and out of it. */
void queue_put_last(runtime_run *r, task_queue *q, inlay_id module);
void queue_leave(runtime_run *r, task_queue *q, inlay_id module);

/** dmda: when a core should have done what it has. */
static inline double expected_free(const runtime_core *c, double now)
{
    double running = c->phase == CORE_IDLE || c->expected < now ? now : c->expected;
    return running + c->queued;
}

/** NULL where there is none of that name. */
const scheduler *scheduler_named(const char *name);

#endif
