/* What several ranks do at once, again and again, timed on the one that takes longest. */
#ifndef TOOLS_MEASURE_TURNS_H
#define TOOLS_MEASURE_TURNS_H

#include "messages.h"

/** What each rank of `group` does once with messages of `size` bytes. */
typedef void turn_step(const messages *m, int64_t size, MPI_Comm group);

/**
 * Time steps of some ranks while all others rest. m->seconds of rank 0 has them. All ranks call this.
 * @param place  of this rank among those that take part, which are numbered from 0; -1 where it does not
 */
void turns_measure(const cluster *all, const messages *m, turn_step *step, int place);

/** A cycle of a pattern: what inlay_pattern says, once. */
turn_step *cycle_step(inlay_pattern pattern);

#endif
