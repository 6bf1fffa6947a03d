/*
 * The mapping problem: everything that follows from application, machine and options before any decision is taken.
 */
#ifndef PROBLEM_PROBLEM_H
#define PROBLEM_PROBLEM_H

#include "graph/timing.h"
#include "problem/interconnect.h"
#include "problem/kinds.h"
#include <inlay/mapping.h>

typedef struct problem {
    const inlay_app *app;
    const inlay_machine *machine;
    inlay_options options;
    inlay_id modules;
    inlay_id processors;  /**< P */
    const int32_t *cores; /**< that every module holds at once; NULL: one each, or as if */
    interconnect network;
    bool forbids;  /**< some module may not run on some processor */
    kinds kinds;   /**< of processors; what follows, down to total_time, is counted at the fastest */
    timing timing; /**< under the start rule in force */

    bool work_has_blocking, blocking_derived;
    inlay_time *work;      /**< what counts against T; a block's time is in its home module's. May be timing.m */
    inlay_time total_work; /**< over all cores */
    inlay_time total_time; /**< sum of m, likewise */
    int64_t *memory;       /**< bytes with the blocks that live with a module; NULL: nothing needs any */
    int64_t memory_limit;  /**< of a processor; -1 unlimited */
    inlay_id *home;        /**< module of every block: its heaviest single user */

    /* Traffic between modules in both directions, c > 0 alone; neighbours ordered by number. */
    int64_t *begin;
    inlay_id *neighbour;
    int64_t *traffic;

    /* Parallelism: the slots (levels, or instants with overlap) that a module occupies: first..last, empty where last < first. */
    int32_t slots;
    int32_t *first_slot, *last_slot; /**< by level one array */
    uint64_t *conflict;              /**< with overlap: bit j of row i where i and j are parallel; else NULL */
    size_t conflict_words;           /**< 64-bit words a row */
} problem;

int problem_make(const inlay_app *app, const inlay_machine *machine, const inlay_options *options, problem *result,
                 inlay_diag *diag);
void problem_clear(problem *p);

/** Processors that a module holds at once. */
static inline inlay_id problem_cores(const problem *p, inlay_id module)
{
    return p->cores == NULL ? 1 : p->cores[module];
}

/** Whether a module may run on processors of that type. */
static inline bool problem_runs_on(const problem *p, inlay_id module, inlay_id processor)
{
    return !p->forbids || kind_runs(kinds_of(&p->kinds, processor), module);
}

/** What tells the hosts apart: processors of one host may be held by one module, together. */
inlay_id problem_host(const problem *p, inlay_id processor);

/**
 * Whether a module may hold that processor, one of the first P, and those behind it, as many as it needs: all of one host. Methods
 * that place modules know no other seats.
 */
bool problem_has_seat(const problem *p, inlay_id module, inlay_id processor);

/** INLAY_BAD_ARGUMENT where modules hold several cores, for `who` takes no account of that. */
int problem_refuse_cores(const problem *p, const char *who, inlay_diag *diag);

/** Whether data have names and are sent once to each destination. */
bool problem_copies(const problem *p);

/** Traffic of the link numbered `l` in the application's rows. */
int64_t problem_link_traffic(const problem *p, int64_t l);

/** Time of a module on a processor, in the application's unit. */
static inline double problem_time_on(const problem *p, inlay_id module, inlay_id processor)
{
    const processor_kind *k = kinds_of(&p->kinds, processor);
    return inlay_app_in_units(p->app, kind_time(p->app, k, module)) / k->speed;
}

/** The same from the start of a module until a link of it is satisfied, messages aside. */
double problem_lag_on(const problem *p, inlay_id from, inlay_id to, inlay_id processor);

/** What counts against T on a processor, of a module with the blocks that live with it. */
double problem_work_on(const problem *p, inlay_id module, inlay_id processor);

/** The same, on a kind of processors. */
double problem_work_on_kind(const problem *p, inlay_id module, const processor_kind *k);

/** Fills slots and conflicts: a chapter of problem_make. */
int problem_find_slots(problem *p, inlay_diag *diag);

#endif
