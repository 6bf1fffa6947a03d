/* What `map` and `evaluate` share: options, and giving out the mapping. */
#ifndef TOOLS_MAPPING_H
#define TOOLS_MAPPING_H

#include "answer.h"
#include "options.h"
#include <inlay/mapping.h>
#include <stdio.h>

/** Choices are places in the words of their option. */
typedef struct mapping_values {
    common_values common;
    duration_value time_frame;
    inlay_id processors;
    const inlay_method *method;
    inlay_effort effort;
    int risk, objective, improve;
    int reduce, reduce_when, reduce_by, parallel, unrelated, layout;
    int blocking, start, order, copies;
    uint64_t max_events;
    double tick, reference_speed;
    const char *format;
    const char *output, *dot, *svg, *svg_machine, *placement, *placement_format;
    bool summary, ignore_cores;
    inlay_id max_modules, max_clusters;
} mapping_values;

extern const cli_group mapping_frame;   /**< -T */
extern const cli_group mapping_best;    /**< --effort and --risk of method best */
extern const cli_group mapping_rules;   /**< how time and work are counted, and how the application is read */
extern const cli_group mapping_outputs; /**< where the result goes */

/** The library's options from the command's. */
inlay_options mapping_options(const mapping_values *values);

/**
 * Give out a mapping that was made with this status, where the options say, and free it. A status of the library.
 * @param unimproved  the elapsed time before it was improved; NaN: it was not
 */
int mapping_deliver(const invocation *call, int status, inlay_mapping *mapping, double unimproved, inlay_diag *diag);

/** Read APP and MACHINE, and answer by mapping_deliver(). A status of the library. */
int mapping_answer(const invocation *call, app_answer *answer, inlay_diag *diag);

extern const cli_output mapping_files[];
int mapping_print_answer(const cli_answer *a);

/** What is given out. */
typedef struct mapping_outcome {
    const inlay_mapping *mapping;
    const inlay_mapping *in_order; /**< what the layout began with; NULL: nothing to compare with */
    double unimproved;             /**< as in mapping_deliver() */
} mapping_outcome;

/** The table for people: processors, then the figures of the whole. `all`: in full length. */
int mapping_print(const mapping_outcome *of, bool all, FILE *to);

#endif
