/* The options of a run under a run-time scheduler, for commands that have them. */
#ifndef TOOLS_SCHEDULING_H
#define TOOLS_SCHEDULING_H

#include "options.h"
#include <inlay/scheduler.h>

typedef struct scheduling_values {
    duration_value overhead;
    const char *module_time;
    inlay_id replications, prefetch; /**< 0: not given */
    int overlap;                     /**< 1: no */
} scheduling_values;

/** The words of --scheduler, as inlay_scheduler_at() counts them. */
#define SCHEDULER_WORDS "stealing|fifo|lifo|priority|dmda|dmdas|planned|best"

/** The row of --prefetch. */
#define PREFETCH_OPTION(field)                                                                                         \
    {                                                                                                                  \
        "prefetch", 0, OPTION_COUNT, "N",                                                                              \
            "on a machine with a main memory the data of the first N modules of a worker's queue are fetched ahead",   \
            "2", field                                                                                                 \
    }

/** The words of --contention, and what a place in them means. */
#define CONTENTION_WORDS "queues|none|free"
inlay_contention contention_chosen(int place);

/** Whether the distribution is one, `kind` included. An exit status, and has said what is wrong. */
int scheduling_check(const invocation *call, const scheduling_values *values);

/** The library's options; `scheduler` is a place in the words. */
inlay_scheduled_options scheduling_options(const invocation *call, const scheduling_values *values, int scheduler,
                                           inlay_contention contention);

#endif
