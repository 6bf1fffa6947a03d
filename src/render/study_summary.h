/* What the pictures of a study's rows share. */
#ifndef RENDER_STUDY_SUMMARY_H
#define RENDER_STUDY_SUMMARY_H

#include "base/text.h"
#include <inlay/render.h>

/** What stands behind the name of a column: rows may have any. */
#define STUDY_UNIT ", in the unit of its rows"

/** Whether values that reach so far stand on a logarithmic scale. */
bool study_reaches_far(double least, double most);

/** The parts of a key, separated by commas; "-" where a row has nothing there. */
void study_add_key(text_buffer *to, const char *const *key, size_t count);

/** Whether two keys of one summary are the same in their first columns. */
bool study_same_key(const char *const *a, const char *const *b, size_t count);

int study_draw_boxes(const inlay_study_summary *summary, const char *path, inlay_diag *diag);

#endif
