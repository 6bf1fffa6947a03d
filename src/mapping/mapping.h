/* The mapping's arrays, and the step that costs a finished placement. */
#ifndef MAPPING_MAPPING_H
#define MAPPING_MAPPING_H

#include "layout/sent.h"
#include "mapping/bounds.h"
#include "problem/frame.h"

struct inlay_mapping {
    const inlay_app *app;
    const inlay_machine *machine;
    inlay_summary summary;
    char time_frame_text[DECIMAL_TEXT];
    inlay_id *cluster_of; /* of every module */
    int64_t *guest_begin; /* modules + 1: its further clusters; NULL: there are none */
    inlay_id *guest;
    inlay_id *home;               /* cluster of every data block */
    inlay_id *memory;             /* common memory of every data block, or -1 */
    inlay_cluster_info *clusters; /* pointing into the two lists that follow */
    order_lists lists;            /* cluster by cluster, in execution order */
    inlay_id *blocks;             /* cluster by cluster, by number */
    double *planned;              /* start of every module, as its author planned it; NULL: unsaid */
    double *start;
    inlay_plan_distance plan_distance; /* of simulated starts, where elapsed is simulated; else of estimated ones */
    inlay_time critical_path, longest_module; /* the summary's bounds, exact */
    bounds_found bounds;
    inlay_id busiest_link;   /* that messages queue for, or -1 ... */
    double link_demand;      /* ... and for how long its traffic keeps it at work */
    double total_time;       /* of all modules on the fastest processor */
    double cycle, any_cycle; /* least period of the dataflow graph, of one iteration: here, and anywhere; NaN: none */
};

/** A mapping without a time frame, and without any figure that takes one or is slow: what a simulation asks for. */
int mapping_without_cost(const problem *p, const placement *place, inlay_mapping **mapping, inlay_diag *diag);

/** The least period that cycles of a dataflow graph allow where modules are, or anywhere (NULL); NaN where there are none. */
double mapping_cycle(const problem *p, const inlay_mapping *m);

/** The least period of a mapping without cost. INLAY_NO_MEMORY without a message. */
int mapping_find_period(const problem *p, const placement *place, inlay_mapping *m, double *period);

/** What it sends. INLAY_NO_MEMORY without a message. */
int mapping_sent(const inlay_mapping *m, sendings *result);

/** Starts of all modules beside the planned ones; false where there are none. */
bool mapping_plan_distance(const inlay_mapping *mapping, const double *start, inlay_plan_distance *result);

/**
 * Warns of modules that end after their deadlines.
 * @param end  of every module; NULL: a module ends when it has run without a break from its start
 */
void mapping_warn_deadlines(const inlay_mapping *mapping, const double *start, const double *end, inlay_diag *diag);

/** The elapsed time is known: it, and what follows from it. */
void mapping_set_elapsed(inlay_mapping *m, double elapsed, inlay_elapsed_is is);

/** inlay_map() without the elapsed time, and without what is said of mappings that are slow. */
int mapping_find(const inlay_app *app, const inlay_machine *machine, const inlay_options *options,
                 inlay_mapping **mapping, inlay_diag *diag);

/** The same of processors and an order that a method has chosen; what a default time frame is raised to is not warned of. */
int mapping_of_places(const problem *p, const inlay_id *processor_of, const inlay_id *order, const inlay_winner *winner,
                      inlay_mapping **mapping, inlay_diag *diag);

/** Cost and estimate; the elapsed time is not known yet. INLAY_NO_ANSWER without a message where the network is saturated within that frame. */
int mapping_cost(const problem *p, const placement *place, const frame *time_frame, inlay_mapping **mapping,
                 inlay_diag *diag);

#endif
