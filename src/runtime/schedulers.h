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
    bool common; /**< one queue for all: a module at its head that finds no place holds back the others */
} scheduler;

/** NULL where there is none of that name. */
const scheduler *scheduler_named(const char *name);

#endif
