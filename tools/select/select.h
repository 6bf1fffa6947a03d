/* What the files of `inlay select` share. */
#ifndef TOOLS_SELECT_H
#define TOOLS_SELECT_H

#include "options.h"
#include <inlay/select.h>
#include <inlay/task_placement.h>
#include <stdio.h>

/** Choices are places in the words of their option. */
typedef struct select_values {
    common_values common;
    text_list set;
    int method, map, router, phases;
    uint64_t best;
    inlay_id limit, points;
    bool placement;
    const char *processors, *output, *csv, *svg; /**< not given: NULL */
} select_values;

/** The question, and all that was found. Zero-initialise; what is not asked for stays NULL. All of it is ours. */
typedef struct selected {
    const invocation *call;
    inlay_domain_file *program;
    inlay_metasystem *metasystem;
    inlay_select_terms terms;
    inlay_select_options options;
    inlay_select_phases phases;
    inlay_selection *best;           /**< the answer of the method */
    inlay_selection *next;           /**< of the exact method: the best ones, the answer among them; else NULL */
    inlay_selection *reference;      /**< beside a heuristic's answer the exact one; NULL where there is none */
    inlay_selection *single;         /**< its first one: the best on one processor */
    inlay_selection *given;          /**< the user's own */
    inlay_selection *curve;          /**< by the number of processors */
    inlay_task_placement *placement; /**< NULL where nothing is communicated */
    const inlay_configuration *chosen;
    double lower_bound; /**< of T_c; 0: not known */
    bool optimal;
    inlay_pattern pattern; /**< of the dominant communication, where there is one */
    double bytes;          /**< of its longest message */
} selected;

/**
 * Reads the operands and finds all that the options ask for. Returns a status of the library, or an exit status where it
 * has said what is wrong; clear it in every case.
 */
int select_find(const invocation *call, selected *found, inlay_diag *diag);
void select_clear(selected *found);

/** What it tells in words: the names, or what stands for them. */
const char *select_program_name(const selected *of);
const char *select_metasystem_name(const selected *of);
const inlay_metasystem_cluster *select_cluster(const selected *of, int32_t i);

/** Cycles of a run on so many processors, and what goes before them in the metasystem's unit. */
void select_cycles(const selected *of, int32_t processors, double *cycles, double *startup);

/** By how much a configuration's cycle is longer than the chosen one's, as a fraction. */
double select_longer(const selected *of, const inlay_configuration *configuration);

/** The next best ones: the i-th besides the chosen one, NULL behind the last. */
const inlay_configuration *select_next(const selected *of, size_t i);

/** The table for people. Returns a status of the library. */
int select_print(const cli_answer *a);

#endif
