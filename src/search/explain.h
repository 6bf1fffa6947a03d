/*
 * The parts of an explanation.
 *
 *   explain.c        the call, and what limits
 *   explain_keep.c   changes that keep the placement
 *   explain_remap.c  changes that map anew
 */
#ifndef SEARCH_EXPLAIN_H
#define SEARCH_EXPLAIN_H

#include <inlay/explain.h>

enum {
    EXPLAIN_TEXTS = 3 /* machines that a change may bring: other capacity, other latency, one processor more */
};

struct inlay_explanation {
    inlay_explanation_figures figures;
    inlay_part part[INLAY_PARTS];
    inlay_change *change;
    size_t changes, capacity;
    char *machine_text[EXPLAIN_TEXTS]; /* what changes point to */
    size_t machine_texts;
};

/** The work on an explanation. */
typedef struct explainer {
    const inlay_mapping *mapping;
    inlay_simulation_options run; /**< of every simulation, but for what a change changes */
    inlay_explanation *result;
    double *path_time; /**< of every cluster: what it computes of the run's critical path */
    inlay_diag *diag;
} explainer;

/** A change of that kind that changes nothing. */
inlay_change explain_change(const explainer *x, inlay_change_kind kind);

/** Simulate what the change makes of the mapping, and put it among the changes. No change where there is no answer. */
int explain_try(explainer *x, const inlay_mapping *mapping, const inlay_simulation_options *run, inlay_change change);

/** Keep a machine's string for a change. NULL when out of memory. */
const char *explain_keep_text(explainer *x, const inlay_machine *machine);

/** The machine with one attribute set to `value`; *changed is NULL where there is none such. The caller frees it. */
int explain_machine_with(explainer *x, const char *attribute, const char *value, inlay_machine **changed);

/** Whether a failure ends the explanation; others say that there is no such change. */
static inline bool explain_fails(int status)
{
    return status == INLAY_NO_MEMORY || status == INLAY_SYSTEM;
}

int explain_keep_placement(explainer *x);
int explain_map_anew(explainer *x);

#endif
