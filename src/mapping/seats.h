/*
 * Who holds which processors: a schedule's entries, module by module, and as lists of clusters. A module of n cores holds n
 * processors of one host at once; it belongs to the cluster of the lowest.
 */
#ifndef MAPPING_SEATS_H
#define MAPPING_SEATS_H

#include "layout/placement.h"

/** Processors of every module: rows begin[i] .. begin[i + 1], rising. */
typedef struct seats {
    int64_t *begin;
    inlay_id *processor;
} seats;

/** INLAY_BAD_INPUT where a module has others than it needs, or processors that the machine has not. */
int seats_make(const problem *p, const inlay_task_schedule *schedule, seats *result, inlay_diag *diag);
void seats_clear(seats *s);

/**
 * A placement of the clusters that the processors with modules are, numbered by the smallest module that belongs to them;
 * those to which none belongs come last. Clusters run their modules as the entries stand, where the schedule is ordered.
 */
int seats_place(const problem *p, const seats *s, const inlay_task_schedule *schedule, const char *method,
                placement *place, inlay_diag *diag);

#endif
