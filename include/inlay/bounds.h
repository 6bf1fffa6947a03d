/*
 * Lower bounds of the elapsed time: what no simulation with overlap, queues and constant times can fall below.
 *
 * Each is a row of one table. Most hold for every mapping on at most P processors of the machine, in any order, that keeps
 * pins and memory: the largest of these is inlay_summary.lower_bound. The others hold for the placement that was costed
 * alone. docs/bounds.md has formulas and proofs.
 */
#ifndef INLAY_BOUNDS_H
#define INLAY_BOUNDS_H

#include <inlay/mapping.h>

/** One bound, with what it takes to work its value out anew. */
typedef struct inlay_bound {
    const char *name;    /**< in JSON: "fernandez_bussell" */
    const char *words;   /**< in tables: "Fernandez and Bussell" */
    const char *holds;   /**< a phrase: for which mappings, and what it counts */
    bool of_placement;   /**< it holds for the placement alone */
    double value;        /**< in the application's unit; NaN where it is not claimed */
    inlay_id at;         /**< module that sends or receives; processor, memory or link of a placement; else -1 */
    double from, to;     /**< the interval of Fernandez and Bussell, in the application's unit; else 0 */
    int64_t points, all; /**< end points of intervals that were looked at, and how many there were; else 0 */
} inlay_bound;

/** How many there are: those for any mapping come first. */
INLAY_API size_t inlay_bounds(void);

/** @param i  0 .. inlay_bounds()-1 */
INLAY_API inlay_bound inlay_mapping_bound(const inlay_mapping *mapping, size_t i);

/**
 * What the kinds of processors (inlay_machine_describe()) weigh in the bound of work, `*count` of them; NULL where all
 * processors are alike.
 */
INLAY_API const double *inlay_mapping_work_weights(const inlay_mapping *mapping, size_t *count);

/** The largest of those that hold for any mapping, or of those of the placement; `value` is NaN where there is none. */
INLAY_API inlay_bound inlay_mapping_largest_bound(const inlay_mapping *mapping, bool of_placement);

/** What no run of an application can follow the one before more closely than, where runs overlap. Of one iteration. */
typedef struct inlay_least_period {
    inlay_bound of_placement; /**< the largest of those of the placement, or "cycle" */
    inlay_bound of_any;       /**< for any mapping: the largest of "work", "longest_module" and "cycle" */
    double gap; /**< the first over the second, less 1; 0 where both are 0, NaN where only the second is */
} inlay_least_period;

/**
 * The least period that the placement allows: for how long one run keeps the busiest of processors, senders, buses, memories
 * and links at work, or the largest cycle of a dataflow graph (inlay_sdf_least_period()), with the largest share of
 * their general times that all modules keep to. Where messages do not meet, nothing but processors and cycles counts.
 * Without cycles some schedule of modules and messages keeps this period: each a place in it on what it needs, in any later
 * run. With cycles none is said to.
 */
INLAY_API inlay_least_period inlay_mapping_least_period(const inlay_mapping *mapping);

/**
 * Those that need no machine: on so many processors of speed 1. The others are NaN.
 * @param processors  P; 0: none that depend on it
 * @param bounds      room for inlay_bounds() of them
 */
INLAY_API int inlay_app_bounds(const inlay_app *app, inlay_id processors, inlay_bound *bounds, inlay_diag *diag);

#endif
