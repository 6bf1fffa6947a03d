/* Where messages stand in the order of a rank: a chapter of synth_job_make(). */
#ifndef SYNTH_PLACES_H
#define SYNTH_PLACES_H

#include "synth/job.h"

/** Fills the rows and due, where everything else is known. */
int synth_places_make(synth_job *job, inlay_diag *diag);
void synth_places_clear(synth_job *job);

/** A link of a module with the time when it is due, in grains from the module's start. */
typedef struct job_due {
    inlay_time due;
    int64_t item;
    inlay_id peer; /**< cluster at the other end */
} job_due;

#endif
