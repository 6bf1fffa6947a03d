/* What depend clauses order (OpenMP 5.0, 2.17.11), from the addresses in the order in which tasks were created. */
#ifndef CAPTURE_DEPENDENCES_H
#define CAPTURE_DEPENDENCES_H

#include <inlay/status.h>
#include <stddef.h>
#include <stdint.h>

/* One item of a clause. Tasks are numbered in the order of their creation. */
typedef struct dependence_item {
    int32_t creator; /* siblings alone depend on each other */
    int32_t task;
    uint64_t address;
    uint32_t type; /* as OMPT has it */
} dependence_item;

/* `to` begins when `from` has ended; `datum` >= 0: it reads what `from` wrote, -1: it only may not come earlier. */
typedef struct dependence {
    int32_t from, to;
    int64_t datum;
} dependence;

typedef struct dependences {
    dependence *list; /* sorted by `to`, then `from`, then datum; one of a pair and datum */
    size_t count, capacity;
    int64_t pairs; /* of tasks */
    int64_t
        ordered; /* items of the types that let tasks go in any order one after the other, and were taken in order */
    int64_t ignored; /* items of types that are none of tasks' */
} dependences;

/* Reorders the items. */
int dependences_find(dependence_item *items, size_t count, dependences *found, inlay_diag *diag);

#endif
