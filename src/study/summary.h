/* What the files of the summary share. */
#ifndef STUDY_SUMMARY_H
#define STUDY_SUMMARY_H

#include "study/keys.h"
#include <inlay/study_summary.h>

/** Columns with a part in the question: at most so many. */
enum {
    SUMMARY_CASES = INLAY_STUDY_COLUMNS + INLAY_STUDY_COLUMNS + 1, /* --case, --by and --against */
    SUMMARY_ASKED = SUMMARY_CASES + 3,                             /* the value, the error and who competes */
    SUMMARY_WANTED = 4 * SUMMARY_ASKED                             /* what some of these are computed of */
};
_Static_assert((int)SUMMARY_CASES <= (int)KEY_PARTS, "a case is a key");

/** A row as far as it matters. */
typedef struct summary_row {
    int32_t group, place, rival; /**< of `groups` and `places`, and of the column of competitors; -1: it names none */
    int32_t file;
    int64_t line;
    double value; /**< NaN: it has none */
} summary_row;

struct inlay_study_summary {
    inlay_study_summary_facts facts;
    const char *by[INLAY_STUDY_COLUMNS], *league[INLAY_STUDY_COLUMNS], *cases[SUMMARY_CASES];
    double quantiles[INLAY_STUDY_QUANTILES];
    key_store texts;
    memory_pool arrays; /**< of what follows */
    inlay_study_group *groups;
    size_t group_count;
    inlay_study_standing *standings;
    size_t standing_count;
};

/** The rows that were read, for those who sum them up. */
typedef struct summary_rows {
    summary_row *rows;
    size_t count, capacity;
    key_column *columns;  /**< values, by number of column */
    key_rows groups;      /**< of the columns `by`, and `against` */
    key_rows places;      /**< of the columns of a case, those of the league first */
    const size_t *by;     /**< numbers of columns: `against` last */
    const size_t *league; /**< the same */
    size_t rivals;        /**< the column of those who compete */
    const char *const *files;
} summary_rows;

/** Fill in the groups. A status. */
int summary_find_groups(inlay_study_summary *s, const summary_rows *of, inlay_diag *diag);

/** The order of the rows of a table of keys, by the columns of their parts: rank[row]. Freed by the caller; NULL: no memory. */
int32_t *summary_ranks(const key_rows *keys, const key_column *columns, const size_t *column);

/**
 * Fill in the standings, which sorts the rows; `asked`: it was asked for, so that it is wrong where there is nothing to
 * compare, or a competitor is twice in a case. A status.
 */
int summary_find_standings(inlay_study_summary *s, summary_rows *of, bool asked, inlay_diag *diag);

/** The mean of rising numbers, and the value that a share of them is below. NaN of none. */
double summary_mean(const double *values, size_t count);
double summary_quantile(const double *rising, size_t count, double share);

#endif
