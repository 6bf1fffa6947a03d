/*
 * Comparing machines: every application on every machine, ranked.
 *
 * Each combination is mapped as inlay_map() does; one that has no answer is a row all the same. Rows stand by application
 * as given, and within one by rank, those without an answer last. What ranks them is the options' `sort`; equal ones go by
 * elapsed time, then processors used, then price where all prices are in one currency, then as the machines were given.
 */
#ifndef INLAY_COMPARE_H
#define INLAY_COMPARE_H

#include <inlay/mapping.h>
#include <inlay/pareto.h>
#include <inlay/simulate.h>

typedef struct inlay_comparison inlay_comparison;

/** What the rows are ordered by. */
typedef enum inlay_compare_sort {
    INLAY_SORT_ELAPSED,
    INLAY_SORT_PRICE,
    INLAY_SORT_ENERGY,
    INLAY_SORT_EFFICIENCY /**< the highest first */
} inlay_compare_sort;

/** "elapsed", "price", "energy", "efficiency" */
INLAY_API const char *inlay_compare_sort_name(inlay_compare_sort sort);

/** An application or a machine; the other one is NULL. What it points to must outlive the comparison. */
typedef struct inlay_compare_input {
    const inlay_app *app;
    const inlay_machine *machine;
    const char *name;   /**< in the rows */
    const char *source; /**< where it comes from: a path, or a machine's string */
} inlay_compare_input;

/**
 * Before a comparison: relate all machines whose speeds are in operations a second to one processor, on which times hold.
 * It does `reference` of them a second; where that is 0 what the applications say; where none does, what the first such
 * machine says, else its fastest processor, which a warning tells where it matters. Entries that are NULL are skipped.
 * INLAY_BAD_INPUT where applications say different ones.
 */
INLAY_API int inlay_compare_speeds(inlay_app *const *apps, inlay_machine *const *machines, size_t count,
                                   double reference, inlay_diag *diag);

/** Zero-initialised, these are the defaults. */
typedef struct inlay_compare_options {
    inlay_options mapping; /**< as for inlay_map(); a machine with fewer processors than asked for has what it has */
    inlay_compare_sort sort;
    bool fronts; /**< keep what the search for each mapping finds with fewer processors: `front` of the rows */
} inlay_compare_options;

/** What the order is made of. Figures that there are not are NaN. */
typedef struct inlay_compare_figures {
    double elapsed;
    double speedup, efficiency;
    inlay_id processors;  /**< used */
    double price, energy; /**< of a run: in the machine's currency, in joules */
} inlay_compare_figures;

/** One application on one machine. */
typedef struct inlay_compare_row {
    const inlay_compare_input *app, *machine;
    int rank;                      /**< from 1 on within the application; 0 where there is no answer */
    const inlay_mapping *mapping;  /**< NULL where there is no answer */
    inlay_compare_figures figures; /**< of the mapping */
    inlay_bottleneck bottleneck;   /**< of the mapping's elapsed time */
    double low, high;              /**< inlay_mapping_interval() */
    bool tied;              /**< with the row behind it: their intervals overlap by more than half of the shorter one */
    int status;             /**< of inlay_map() */
    const char *reason;     /**< why there is no answer, else NULL */
    const inlay_diag *said; /**< warnings, and why there is no answer */
    const inlay_pareto_result *front; /**< its last point is the mapping's; NULL where none was asked for, or found */
} inlay_compare_row;

/** All applications on one machine, one after another. */
typedef struct inlay_compare_total {
    const inlay_compare_input *machine;
    int rank;       /**< from 1 on; 0 where an application has no answer */
    size_t answers; /**< how many of the applications have one */
    inlay_compare_figures
        figures; /**< sums, and what follows from them; `processors`: the most that one of them uses */
} inlay_compare_total;

/**
 * Compare. INLAY_BAD_ARGUMENT where there is no application or no machine among the inputs, and where the order asks for
 * what no machine has: prices in one currency, powers. That no row has an answer is no failure. Warns where
 * speeds are known of several machines and differ: they are not compared.
 */
INLAY_API int inlay_compare(const inlay_compare_input *inputs, size_t count, const inlay_compare_options *options,
                            inlay_comparison **comparison, inlay_diag *diag);
INLAY_API void inlay_comparison_free(inlay_comparison *comparison);

INLAY_API inlay_compare_sort inlay_comparison_sort(const inlay_comparison *comparison);
INLAY_API size_t inlay_comparison_apps(const inlay_comparison *comparison);
INLAY_API size_t inlay_comparison_rows(const inlay_comparison *comparison);
INLAY_API const inlay_compare_row *inlay_comparison_row(const inlay_comparison *comparison, size_t i);

/** By rank; none where there is one application, or where times in ticks and in seconds do not add. */
INLAY_API size_t inlay_comparison_totals(const inlay_comparison *comparison);
INLAY_API const inlay_compare_total *inlay_comparison_total(const inlay_comparison *comparison, size_t i);
INLAY_API inlay_unit inlay_comparison_total_unit(const inlay_comparison *comparison);

/** Why there are no totals although there are several applications; NULL where that is not so. */
INLAY_API const char *inlay_comparison_unsummed(const inlay_comparison *comparison);

/** What has to be said of the machines beside the rows; NULL where there is nothing. */
INLAY_API const char *inlay_comparison_note(const inlay_comparison *comparison);

#endif
