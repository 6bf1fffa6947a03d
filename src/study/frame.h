/* Time frames that are found for a point. */
#ifndef STUDY_FRAME_H
#define STUDY_FRAME_H

#include "study/study.h"

/**
 * Find the T of a variant and put it into the options of the mapping, which have none. INLAY_NO_ANSWER where there is
 * none.
 */
int frame_find(const study_variant *of, const inlay_app *app, const inlay_machine *machine, inlay_options *options,
               inlay_diag *diag);

#endif
