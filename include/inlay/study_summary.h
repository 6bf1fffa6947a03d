/*
 * Rows of a study, summed up: tables by group, who wins, and pictures of both (inlay/render.h).
 *
 * Rows come from files of JSON lines (an object of numbers and texts a line) or of CSV (its first line names the columns),
 * plain or gzip, with whatever columns. A group is the rows that are the same in the columns `by`, and in `against`.
 * Two fields are the same where their texts are, numbers where their values are: 4, 4.0 and "4" are the same.
 *
 * What is summed up is the column `value`, a number. A row whose column `error` says something has failed; a row without a
 * value (nothing, null or "-") has none: both are counted apart. A value that is NaN, infinite or no number is refused.
 *
 * The result depends on what rows there are, and not on their order: groups are in the order of their keys, columns of
 * numbers by value, others by their bytes, but runs of digits by what they count; and sums are taken by rising values.
 */
#ifndef INLAY_STUDY_SUMMARY_H
#define INLAY_STUDY_SUMMARY_H

#include <inlay/status.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct inlay_study_summary inlay_study_summary;

/* ---- Options ---- */

/** At most so many columns in `by` and in `cases`, and so many quantiles. */
enum { INLAY_STUDY_COLUMNS = 8, INLAY_STUDY_QUANTILES = 8 };

/** Zero-initialised, these are the defaults. Texts are the caller's, and have to outlive the summary. */
typedef struct inlay_study_summary_options {
    const char *const *by; /**< columns whose values make a group; none: all rows are one */
    size_t by_count;
    const char *value;   /**< the column that is summed up; NULL: elapsed */
    const char *against; /**< a column of numbers, by which groups are divided further; NULL: none */

    const char *wins;         /**< the column of those that compete; NULL: method, where there is one; "": none */
    bool most_wins;           /**< the largest value wins; else the least */
    const char *const *cases; /**< columns that have to be the same, besides those of `by` and `against`, where values
                                   compete; none: those of application, graph, machine, processors, instance and seed
                                   that there are */
    size_t case_count;

    const double *quantiles; /**< rising, from 0 to 1; none: 0.1 and 0.9 */
    size_t quantile_count;
} inlay_study_summary_options;

/**
 * Sum up the rows of files; "-" is standard input.
 * INLAY_BAD_INPUT for what is no row, for a column that no row has, and where two rows of a case have the same competitor
 * (a warning, and no wins, where `wins` is not given); INLAY_NO_ANSWER where no row has a value.
 */
INLAY_API int inlay_study_summarise(const char *const *paths, size_t count, const inlay_study_summary_options *options,
                                    inlay_study_summary **summary, inlay_diag *diag);
INLAY_API void inlay_study_summary_free(inlay_study_summary *summary);

/* ---- Groups ---- */

/** Statistics of the values of a group: NaN where there are none, or too few. */
typedef struct inlay_study_group {
    const char *const *key; /**< its value in each column of `by`; "" where its rows have none */
    double against;         /**< its value there; NaN where its rows have none, or none was asked for */
    size_t rows;            /**< of which */
    size_t failed, missing; /**< have an error; have no value, and no error */
    size_t count;           /**< and the rest, whose statistics these are: */
    double mean;
    double mean_low, mean_high; /**< the mean would lie here in 95 of 100 samples of normal values (Student's t) */
    double median, quartile[2];
    const double *quantiles; /**< in the order asked for, between the two nearest values as in GSL */
    double deviation;        /**< standard, of a sample: over count - 1 */
    double least, most;
} inlay_study_group;

INLAY_API size_t inlay_study_summary_groups(const inlay_study_summary *summary);
INLAY_API const inlay_study_group *inlay_study_summary_group(const inlay_study_summary *summary, size_t group);

/* ---- Wins ---- */

/**
 * How a competitor does over cases: rows that are the same in all columns of a case, with two or more competitors of which
 * one or more has a value. Its ratio in a case is its value over the best there (where the largest wins, the best over
 * it), 1 or more; where one of the two is not above 0 there is none.
 */
typedef struct inlay_study_standing {
    const char *const *key; /**< in the columns of `by` without `wins`; NULL: over all cases */
    const char *name;
    size_t cases;                                 /**< in which it takes part */
    size_t failed;                                /**< in which it has no value */
    size_t wins;                                  /**< in which it alone is the best */
    size_t ties;                                  /**< in which it is the best together with others: equal numbers */
    double ratio_mean, ratio_median, ratio_worst; /**< geometric mean; NaN where there is none */
    const double *ratios;                         /**< rising */
    size_t ratio_count;
} inlay_study_standing;

/**
 * First those over all cases, then, where `by` has columns other than `wins`, those of each group of cases; each by rising
 * mean ratio, then by name. 0 where nothing competes.
 */
INLAY_API size_t inlay_study_summary_standings(const inlay_study_summary *summary);
INLAY_API const inlay_study_standing *inlay_study_summary_standing(const inlay_study_summary *summary, size_t standing);

/* ---- The whole ---- */

/** What was asked, with the defaults filled in, and what was counted. */
typedef struct inlay_study_summary_facts {
    const char *const *by;
    size_t by_count;
    const char *value, *against; /**< `against` NULL: none */
    const double *quantiles;
    size_t quantile_count;
    size_t rows, failed, missing;

    const char *wins; /**< NULL: nothing competes */
    bool most_wins;
    const char *const *league; /**< the columns of standings' keys */
    size_t league_count;
    const char *const *cases; /**< all columns that name a case */
    size_t case_count;
    size_t compared; /**< cases */
    size_t unrated;  /**< of which the best is not above 0 */
    size_t
        alone; /**< rows with a value that are in no case: nothing competes with them, or they do not say who they are */
} inlay_study_summary_facts;

INLAY_API const inlay_study_summary_facts *inlay_study_summary_facts_of(const inlay_study_summary *summary);

#endif
