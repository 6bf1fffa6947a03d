/* Lanes: messages from one rank to another that are received in the order in which they are sent. */
#ifndef SYNTH_LANES_H
#define SYNTH_LANES_H

#include "synth/job.h"

/**
 * The lane of every item that is sent: of those between its two ranks the lowest in which no message that is sent before
 * it is received after it. With first fit, lanes are as few as can be.
 * @param lane  an array over all items, freed by the caller; what it says of items that are not sent means nothing
 */
int synth_find_lanes(const synth_job *job, int64_t **lane, inlay_diag *diag);

#endif
