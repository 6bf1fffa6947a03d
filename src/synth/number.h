/* Steps become numbers: equal pieces of work, and equal kinds of steps, have one. */
#ifndef SYNTH_NUMBER_H
#define SYNTH_NUMBER_H

#include "synth/fold.h"
#include "synth/lanes.h"

/** Zero-initialised but for the first two is at the start. */
typedef struct numberer {
    const synth_job *job;
    const synth_lanes *lanes;
    folder *folder;
    intern work, kind;
    inlay_synth_summary sum; /**< steps, messages, bytes, lanes, largest, memory, counted, timed */
    bool no_length;          /**< a module's time is needed, and ticks have no length */

    int32_t *symbol; /**< of the rank at hand, for the folder; equal steps that stand together are a loop */
    size_t symbols, symbol_room;
} numberer;

void numberer_clear(numberer *n);

/** The symbols of the rank of a cluster, and what it adds to the sums. INLAY_OVERFLOW where these pass 2^53. */
int numberer_rank(numberer *n, inlay_id cluster);

synth_kind numberer_kind(const numberer *n, int32_t number);
synth_work numberer_work(const numberer *n, int32_t number);

#endif
