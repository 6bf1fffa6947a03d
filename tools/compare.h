/*
 * `inlay compare`: applications on machines, every combination a row.
 *
 * Rows stand by application, and within one by rank: the best first, those without an answer last.
 */
#ifndef TOOLS_COMPARE_H
#define TOOLS_COMPARE_H

#include "mapping.h"
#include <stdio.h>

/** What the rows are ordered by: the words of --sort in their order. */
typedef enum compare_sort { SORT_ESTIMATE, SORT_SIMULATED, SORT_PRICE, SORT_ENERGY, SORT_EFFICIENCY } compare_sort;

/** Places in the words of --predicted. */
enum { PREDICTED_SIMULATED, PREDICTED_ESTIMATE };

/** Places in the words of --sort and --predicted. */
typedef struct compare_values {
    mapping_values mapping;
    const char *csv, *svg;
    int sort;
    bool measured;
    int predicted;
} compare_values;

/** An operand: an application or a machine, the other one is NULL. Both and `diag` are ours. */
typedef struct compare_input {
    const char *operand; /**< as the user typed it */
    const char *name;    /**< its own name; a machine's string as it was typed */
    inlay_app *app;
    inlay_machine *machine;
    inlay_diag *diag; /**< of reading it */
} compare_input;

/** What the order is made of. Figures that there are not are NaN. */
typedef struct compare_figures {
    double estimate;
    double speedup, efficiency;
    inlay_id processors;  /**< used */
    double price, energy; /**< of a run: in the machine's currency, in joules */
    double simulated;     /**< elapsed time */
} compare_figures;

/** Where something stands: less comes first, from the first key on. */
enum { SORT_KEYS = 4 };
typedef struct compare_place {
    double key[SORT_KEYS];
    const compare_input *machine; /**< the last key: its place on the command line */
} compare_place;

/** One application on one machine. */
typedef struct compare_row {
    compare_place place; /**< first, so that an order of places is one of rows */
    const compare_input *app, *machine;
    int rank;                    /**< from 1 on within the application; 0 where there is no answer */
    inlay_mapping *mapping;      /**< ours; NULL where there is no answer */
    compare_figures figures;     /**< of the mapping */
    inlay_bottleneck bottleneck; /**< of the mapping's estimate */
    int status;                  /**< of the library */
    inlay_diag *diag;            /**< ours: warnings, and why there is no answer */
} compare_row;

/** All applications on one machine, one after another. */
typedef struct compare_total {
    compare_place place; /**< first, as in a row */
    const compare_input *machine;
    int rank;                /**< from 1 on; 0 where an application has no answer */
    size_t answers;          /**< how many of the applications have one */
    compare_figures figures; /**< sums, and what follows from them; `processors`: the most that one of them uses */
} compare_total;

/** Zero-initialise. */
typedef struct comparison {
    compare_input *inputs; /**< ours, in the order of the command line */
    size_t input_count;
    compare_sort sort;
    bool prices_compare; /**< no two machines have prices in different currencies */
    compare_row *rows;   /**< ours */
    size_t row_count;
    compare_total *totals; /**< ours: by rank. None where there is one application, or their times do not add */
    size_t total_count;
    inlay_unit total_unit; /**< of the totals' estimates */
} comparison;

/* ---- Rows and totals ---- */

/**
 * Adds the rows of all combinations. That one of them has no answer is no failure; where something else fails, the last
 * row is the one that did. A status of the library.
 */
int compare_add_rows(comparison *all, const mapping_values *with);
void compare_clear_rows(comparison *all);

/** Adds the totals, where there is more than one application; with the rows' options. A status of the library. */
int compare_add_totals(comparison *all, const inlay_options *with);
void compare_clear_totals(comparison *all);

/** How many of the inputs are applications. */
size_t compare_apps(const comparison *all);

/** Why a row has no answer. */
const char *compare_reason(const compare_row *row);

/* ---- Order ---- */

/** Why `all->sort` cannot be with these options, or NULL; fills in `prices_compare`. */
const char *compare_check_sort(comparison *all, const mapping_values *with);

/** The place of something without an answer where `figures` is NULL. */
compare_place compare_place_of(const comparison *all, const compare_figures *figures, const compare_input *machine);

/** For qsort() of anything that begins with a compare_place. */
int compare_places(const void *left, const void *right);

/* ---- Words ---- */

/** The word for `all->sort`: "estimate", "simulated", "price", "energy", "efficiency". */
const char *compare_sort_name(const comparison *all);

/** A machine's currency, "" where none is given. */
const char *compare_currency(const compare_input *machine);

/** "network: 60.42 ticks (26 %), load 0.0273". Returns `text`. */
enum { BOTTLENECK_TEXT = 128 };
char *compare_bottleneck_text(const compare_row *row, char text[BOTTLENECK_TEXT]);

/** Why there are no totals although there are several applications; NULL where that is not so. */
const char *compare_unsummed(const comparison *all);

/** What has to be said of the machines beside the rows; empty where there is nothing. Returns `text`. */
enum { NOTE_TEXT = 512 };
const char *compare_note(const comparison *all, char text[NOTE_TEXT]);

/* ---- Results ---- */

int compare_print_table(const cli_answer *a); /**< a status of the library */
int compare_put_members(inlay_json *out, const cli_answer *a);
void compare_put_csv(FILE *to, const cli_answer *a);
int compare_draw(const cli_answer *a, const char *path); /**< a status of the library */

/* ---- CSV ---- */

/** A text as a field, quoted where it has to be; `first` in its line. */
void csv_text(FILE *to, const char *text, bool first);

/** A number as JSON has it, or an empty field where it is not finite; not the first of its line. */
void csv_number(FILE *to, double value);

#endif
