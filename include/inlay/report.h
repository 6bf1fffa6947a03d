/*
 * The report: one HTML page that answers how long an application takes, on which of some machines, and on how many
 * processors.
 *
 * The machines are compared (compare.h), and of the one that ranks first the front is found (pareto.h). The page has both,
 * the mapping that is the answer with its simulated run, mappings on fewer processors beside it, bounds, delay, loads of
 * links and what the numbers rest on. It stands alone: it asks no network for anything, and shows its pictures and tables
 * without JavaScript too. Of many modules, those that lie close together in time are one block of its Gantt picture.
 */
#ifndef INLAY_REPORT_H
#define INLAY_REPORT_H

#include <inlay/compare.h>
#include <inlay/measured.h>
#include <inlay/result.h>

typedef struct inlay_report inlay_report;

/** What is asked. All of it has to outlive the report. Zero-initialise, then set what is wanted. */
typedef struct inlay_report_request {
    const inlay_compare_input *inputs; /**< one application and any number of machines */
    size_t count;
    inlay_options mapping; /**< as for inlay_pareto(), with as many processors as it allows */
    inlay_compare_sort sort;
    const inlay_runs *runs; /**< predictions beside measurements; NULL: none */
    inlay_id points;        /**< that the page's slider has at most, the knee aside; 0: INLAY_REPORT_POINTS */
    const char *command;    /**< that asked for it, as it was typed; NULL: not told */
    const char *options;    /**< those of it that change mappings, each behind a blank; NULL: none */
} inlay_report_request;

enum { INLAY_REPORT_POINTS = 12 };

/**
 * Find all that the report tells. INLAY_BAD_ARGUMENT for other than one application, and for options that contradict each
 * other; INLAY_NO_ANSWER where no machine has a mapping.
 */
INLAY_API int inlay_report_make(const inlay_report_request *request, inlay_report **report, inlay_diag *diag);
INLAY_API void inlay_report_free(inlay_report *report);

/** The rows of the comparison; belongs to the report. */
INLAY_API const inlay_comparison *inlay_report_comparison(const inlay_report *report);

/** The answer as a sentence; belongs to the report. */
INLAY_API const char *inlay_report_answer(const inlay_report *report);

/** The page, whole or not at all, and its data alone. */
INLAY_API int inlay_report_write(const inlay_report *report, const inlay_result_context *context, const char *path,
                                 inlay_diag *diag);
INLAY_API int inlay_report_write_json(const inlay_report *report, const inlay_result_context *context, const char *path,
                                      inlay_diag *diag);

#endif
