/* Lanes: messages from one rank to another that are received in the order in which they are sent. */
#ifndef SYNTH_LANES_H
#define SYNTH_LANES_H

#include "synth/intern.h"
#include "synth/job.h"

/** What both ends of an item have to know; of one that is not sent it says nothing. */
typedef struct synth_lanes {
    struct lane_item {
        int32_t lane;
        int32_t sizes; /**< number of its messages in `sizes` */
    } * item;          /**< one an item */
    intern sizes;
} synth_lanes;

/**
 * The lane of every item that is sent: of those between its two ranks the lowest in which no message that is sent before
 * it is received after it. With first fit, lanes are as few as can be. INLAY_OVERFLOW where one rank sends or receives
 * 2^31 items.
 */
int synth_lanes_find(const synth_job *job, synth_lanes *lanes, inlay_diag *diag);
void synth_lanes_clear(synth_lanes *lanes);

/** The messages of an item that is sent. */
job_messages synth_lanes_messages(const synth_lanes *lanes, int64_t item);

#endif
