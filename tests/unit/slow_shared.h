/*
 * A second simulator of processors that share cores, written from the rule alone: at every event it works out anew how many
 * compute and how fast, and how much each has done. Messages meet nobody: they take their time on a bus, or none.
 */
#ifndef UNIT_SLOW_SHARED_H
#define UNIT_SLOW_SHARED_H

#include <inlay/inlay.h>

enum { SLOW_SHARED_MODULES = 64, SLOW_SHARED_LINKS = 1024 };

/** Times in the application's unit. */
typedef struct slow_shared_run {
    double makespan;
    double start[SLOW_SHARED_MODULES], end[SLOW_SHARED_MODULES];
    double busy[SLOW_SHARED_MODULES];                          /**< of every cluster */
    double due[SLOW_SHARED_LINKS], arrival[SLOW_SHARED_LINKS]; /**< of every link; without message, arrival is due */
    int most;                                                  /**< that ever computed at once */
} slow_shared_run;

typedef struct slow_shared_options {
    inlay_id cores;  /**< at least 1 */
    bool free;       /**< messages take no time */
    bool no_overlap; /**< not with `free` */
} slow_shared_options;

/** A mapping on a machine with one bus whose capacity counts messages in the application's unit; no data blocks. */
void slow_shared(const inlay_mapping *mapping, const slow_shared_options *options, slow_shared_run *run);

#endif
