/* Selection problems for the tests: that of the paper's figure 13, and random ones of few distinct numbers. */
#ifndef UNIT_SELECT_SUBJECT_H
#define UNIT_SELECT_SUBJECT_H

#include <inlay/select_plain.h>

enum { SUBJECT_CLUSTERS = 8 };

/** problem.cluster points to `cluster`: a subject must not be copied. */
typedef struct select_subject {
    inlay_select_problem problem;
    inlay_select_cluster cluster[SUBJECT_CLUSTERS];
} select_subject;

/** What the numbers of figure 13 say, with the work on a unit and the R that were not printed. */
void subject_figure_13(select_subject *s);

/** Which problems to draw. */
typedef enum subject_kind {
    SUBJECT_PLAIN,   /**< real map, no overlap, router SUM, no d1 */
    SUBJECT_ANYTHING /**< all maps, routers, d1, overlap */
} subject_kind;

/** 1 .. clusters, each with 0 .. processors (not all 0); T_i that do not fall. */
void subject_random(uint64_t *state, int clusters, int processors, subject_kind kind, select_subject *s);

/** A random configuration with at least one processor. */
void subject_configuration(uint64_t *state, const select_subject *s, int32_t *processors);

/** inlay_select_plain() that must succeed. */
inlay_selection *select_of(const select_subject *s, const inlay_select_options *options);

#endif
