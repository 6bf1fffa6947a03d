/* `inlay study`: what it shares with inlay-study, which does the same over ranks of MPI. */
#ifndef TOOLS_STUDY_VALUES_H
#define TOOLS_STUDY_VALUES_H

#include "summary.h"
#include <inlay/study.h>

typedef struct study_values {
    study_summary_values rows; /* what sums rows up, and what all commands take */
    text_list settings;
    const char *output, *array;
    bool list, dry_run, restart;
    double patience; /* seconds; of inlay-study */
} study_values;

/** Usage that needs no file. An exit status. */
int study_check(const invocation *call);

/** Read the operand with its settings. A status of the library. */
int study_read(const invocation *call, inlay_study **study, inlay_diag *diag);

/** What is only told of a study: --list and --dry-run. False: it is to be run. */
bool study_only_tells(const invocation *call);
void study_tell(const invocation *call, const inlay_study *study);

/** The options of a run; `output` has room for where rows go if nobody says. INLAY_BAD_INPUT where they would replace the study. */
enum { STUDY_PATH = 4096 };
int study_options(const invocation *call, const inlay_study *study, char output[STUDY_PATH],
                  inlay_study_options *options);

/** How far it is, to the meter. */
void study_tell_progress(void *unused, const inlay_study_progress *progress);

/** The table at the end. Returns the status for it: INLAY_OK. */
int study_print(const inlay_study_result *result, const inlay_study_options *options);

#endif
