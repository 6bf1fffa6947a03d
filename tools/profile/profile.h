/* What the files of `inlay profile` share. */
#ifndef TOOLS_PROFILE_H
#define TOOLS_PROFILE_H

#include "options.h"
#include <inlay/dataflow.h>

/** Choices are places in the words of their option. */
typedef struct profile_values {
    common_values common;
    text_list set;
    const char *cost, *stack, *compiler, *output, *format, *csv, *mapping, *app;
    bool measured, data;
} profile_values;

/** The groups of options. */
extern const cli_group profile_program, profile_costs, profile_outputs, profile_mapped;

/* ---- The costs of operations ---- */

/** What --cost says. Zero-initialise; where nothing is said it stays so, and every operation takes a tick. */
typedef struct cost_table {
    inlay_cost *cost; /**< ours */
    char **name;      /**< of their operations; ours */
    size_t count;
    inlay_unit unit;
    bool preset; /**< known by a name, for any program: costs of operations that a program does not have are left out */
} cost_table;

/** Read --cost. Returns an exit status, and has said what is wrong. */
int cost_read(const invocation *call, cost_table *table);
void cost_clear(cost_table *table);

/** Leave out what a preset has for other programs than this one. */
void cost_fit(cost_table *table, const inlay_program *program);

/* ---- The program ---- */

/**
 * Compile PROGRAM where it is C, and load it: it stays in memory up to the end. Returns an exit status, and has said what
 * is wrong.
 */
int program_load(const invocation *call, inlay_program_function **function);

/** From here on a crash is told, as one of PROGRAM's. Returns an exit status. @param stack  of a module, in bytes */
int program_watch(const invocation *call, size_t stack);
void program_unwatch(void); /**< from here on a crash is ours again */

/** The tables for people. A status of the library. */
int profile_print_table(const cli_answer *a);

#endif
