/* Times of tasks that were not run, by those of runs of other sizes. */
#ifndef CAPTURE_MODEL_H
#define CAPTURE_MODEL_H

#include "capture/trace.h"

/*
 * Every stretch of a task takes the time that modules of its kind had in the samples: on the mean as the number of such
 * modules lets expect, and spread as in the sample that has the most. INLAY_NO_ANSWER where no sample has a kind.
 */
int model_times(trace *t, const inlay_app *const *samples, size_t count, inlay_diag *diag);

#endif
