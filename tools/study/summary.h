/* `inlay study --summary`: rows of studies summed up. */
#ifndef TOOLS_STUDY_SUMMARY_H
#define TOOLS_STUDY_SUMMARY_H

#include "options.h"

/** What the options of the summary fill. */
typedef struct study_summary_values {
    common_values common;
    bool summary;
    const char *by, *value, *against, *quantiles, *wins, *cases;
    int best, plot;
    const char *csv, *svg;
} study_summary_values;

extern const cli_group study_summary_options;
extern const cli_output study_summary_files[];

/** What can be wrong about the options. An exit status. */
int study_summary_check(const invocation *call);

/** Read the files that the operands name, sum up and give out. A status of the library. */
int study_summary(const invocation *call, inlay_diag *diag);

/** The tables of an inlay_study_summary. A status of the library. */
int study_summary_print(const cli_answer *a);

#endif
