/*
 * `inlay compare`: applications on machines, every combination a row.
 *
 * Rows stand by application, and within one by rank: the shortest estimate first, those without an answer last.
 */
#ifndef TOOLS_COMPARE_H
#define TOOLS_COMPARE_H

#include "mapping.h"

/** An operand: an application or a machine, the other one is NULL. Both and `diag` are ours. */
typedef struct compare_input {
    const char *operand; /**< as the user typed it */
    const char *name;    /**< its own name; a machine's string as it was typed */
    inlay_app *app;
    inlay_machine *machine;
    inlay_diag *diag; /**< of reading it */
} compare_input;

/** What keeps an estimate from being shorter. */
typedef enum compare_limit { LIMIT_CRITICAL_PATH, LIMIT_PROCESSOR, LIMIT_WAITING, LIMIT_NETWORK } compare_limit;

/** An estimate taken apart, in the application's unit: it is the sum of the four times. */
typedef struct compare_parts {
    double critical_path; /**< on unlimited processors with free messages */
    double excess;        /**< processing time of the busiest processor beyond that; 0 where it has less */
    inlay_id processor;   /**< the busiest */
    double waiting;       /**< what the same placement takes more with free messages: modules wait for others */
    double messages;      /**< what the messages of the machine add */
    compare_limit limit;
} compare_parts;

/** One application on one machine. */
typedef struct compare_row {
    const compare_input *app, *machine;
    int rank;               /**< from 1 on within the application; 0 where there is no answer */
    inlay_mapping *mapping; /**< ours; NULL where there is no answer */
    compare_parts parts;    /**< of the mapping's estimate */
    int status;             /**< of the library */
    inlay_diag *diag;       /**< ours: warnings, and why there is no answer */
} compare_row;

/** Zero-initialise. */
typedef struct comparison {
    compare_input *inputs; /**< ours, in the order of the command line */
    size_t input_count;
    compare_row *rows; /**< ours */
    size_t row_count;
} comparison;

/* ---- Rows ---- */

/**
 * Adds the rows of all combinations. That one of them has no answer is no failure; where something else fails, the last
 * row is the one that did. A status of the library.
 */
int compare_add_rows(comparison *all, const inlay_options *with);
void compare_clear_rows(comparison *all);

/** Why a row has no answer. */
const char *compare_reason(const compare_row *row);

/** The word for a limit: "critical path", "processor", "waiting", "network". */
const char *compare_limit_name(compare_limit limit);

/** The time that the limit names. */
double compare_limit_time(const compare_parts *parts);

/* ---- Results ---- */

/** A status of the library. */
int compare_print_table(const comparison *all);
void compare_print_json(const invocation *call, const comparison *all);

/** Returns the exit status, and has said what went wrong. */
int compare_write_csv(const comparison *all, const char *path);

#endif
