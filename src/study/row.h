/* The columns of a study's rows. */
#ifndef STUDY_ROW_H
#define STUDY_ROW_H

#include "base/text.h"
#include "study/study.h"
#include <inlay/status.h>

/** What a row is made of: a point, and its mapping or why there is none; neither where points have no results. */
typedef struct row_source {
    inlay_study_point point;
    const inlay_app *app;         /**< NULL: not read */
    const inlay_machine *machine; /**< likewise */
    const char *machine_text;     /**< what it is for this application; NULL: as the study has it */
    const inlay_mapping *mapping; /**< NULL: there is none */
    int64_t warnings;             /**< of the mapping */
    const char *error;
} row_source;

/** Add a row, a line of JSON. */
void row_add(text_buffer *to, const row_source *from);

/** The number of the point that a line is the row of; -1 where it is none. `size` is without the newline. */
int64_t row_point(const char *line, size_t size);

/** Whether the row of a failed point. */
bool row_failed(const char *line, size_t size);

/** Add the names of all columns, and a row's values, as CSV. */
void row_csv_names(text_buffer *to);
void row_csv(text_buffer *to, const char *line, size_t size);

#endif
