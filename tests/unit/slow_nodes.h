/* A slow simulator of nodes with accelerators, written from docs/accelerators.md: every question is answered by looking at everything. */
#ifndef UNIT_SLOW_NODES_H
#define UNIT_SLOW_NODES_H

#include <inlay/inlay.h>

enum { SLOW_MODULES = 16, SLOW_WORKERS = 12, SLOW_NODES = 5, SLOW_DATA = 96 };

typedef struct slow_nodes_result {
    double elapsed, start[SLOW_MODULES];
    inlay_id worker[SLOW_MODULES];
    int64_t moved, evictions, write_backs;
    bool nowhere;             /**< a module can run on no node */
} slow_nodes_result;

/** All times whole ticks. `stealing` only for two workers. */
slow_nodes_result slow_nodes_run(const inlay_app *app, const inlay_machine *machine, const char *scheduler, int ahead,
                                 double overhead);

#endif
