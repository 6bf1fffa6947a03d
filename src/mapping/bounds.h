/*
 * Lower bounds of the elapsed time: the question that all rows of the table answer, and the rows' functions. docs/bounds.md
 * proves each.
 */
#ifndef MAPPING_BOUNDS_H
#define MAPPING_BOUNDS_H

#include "graph/app.h"
#include "problem/problem.h"
#include <inlay/bounds.h>

enum { BOUNDS_MOST = 16 };

/** Bounds and what proves them, as a mapping keeps them. */
typedef struct bounds_found {
    inlay_bound of[BOUNDS_MOST];
    double weight[KINDS_MOST]; /**< of kinds of processors */
    int weights;               /**< 0 where all are alike */
} bounds_found;

/** Times are the least that a module takes anywhere, in grains at `speed`. */
typedef struct bounds_question {
    const inlay_app *app;
    const timing *timing;
    const int32_t *cores; /**< NULL: one each */
    inlay_id processors;  /**< P; 0: any number */
    double speed;
    const problem *p;       /**< NULL: of no machine is anything known */
    const inlay_mapping *m; /**< NULL: no placement */
    bool keeps;             /**< mappings that break pins or memory are not asked about */

    const inlay_time *earliest; /**< start of every module at the soonest */
    const inlay_time *tail;     /**< from its start to the end of all, at the least */
    inlay_time *own_earliest, *own_tail;

    bounds_found *found;
} bounds_question;

/** A time in the application's unit. */
static inline double bounds_units(const bounds_question *q, inlay_time grains)
{
    return inlay_app_in_units(q->app, grains) / q->speed;
}

static inline inlay_id bounds_cores(const bounds_question *q, inlay_id module)
{
    return q->cores == NULL ? 1 : q->cores[module];
}

/** Whether messages meet each other, and can fill what they meet at: a capacity is known, and the machine has queues. */
static inline bool bounds_queued(const bounds_question *q)
{
    return q->p != NULL && !q->p->network.free && inlay_machine_contention(q->p->machine) == INLAY_CONTENTION_QUEUES;
}

/** Whether two modules cannot be where no message goes between them: on one host over links, else on one processor. */
bool bounds_apart(const bounds_question *q, inlay_id a, inlay_id b);

/** Fills all rows of q->found; INLAY_NO_MEMORY without a message. */
int bounds_find(bounds_question *q);

/** What every mapping is bounded by that keeps pins and memory; those of a placement stay NaN. INLAY_NO_MEMORY without a message. */
int bounds_of_problem(const problem *p, bounds_found *found);

/** What a finished mapping is bounded by. INLAY_NO_MEMORY without a message. */
int bounds_of_mapping(const problem *p, inlay_mapping *m);

/** What its placement is bounded by, of a mapping without cost whose link_demand is known. INLAY_NO_MEMORY without a message. */
int bounds_of_placement(const problem *p, inlay_mapping *m);

/** As inlay_mapping_largest_bound(). */
inlay_bound bounds_largest(const bounds_found *found, bool of_placement);

/* The rows' functions. INLAY_NO_MEMORY without a message. */

typedef int bounds_function(const bounds_question *q, inlay_bound *bound);

bounds_function bounds_work, bounds_interval, bounds_path, bounds_sender, bounds_receiver;
bounds_function bounds_processor, bounds_one_queue, bounds_bus, bounds_memory, bounds_link;

#endif
