/* Dataflow graphs executed token by token, from the specification alone: slow, and by other ways than the library. */
#ifndef SLOW_SDF_H
#define SLOW_SDF_H

#include <inlay/sdf.h>

/** Whether every actor can fire as often as an iteration has it, one firing at a time. */
bool slow_sdf_is_live(const inlay_sdf *sdf);

/** Whether each channel gets as many tokens as are taken, and no smaller vector does so in any connected part. */
bool slow_sdf_balances(const inlay_sdf *sdf);

/**
 * The time of an iteration when every actor fires as soon as it can, as numerator / denominator of the general times, which
 * are whole: by execution until a state comes again, of each strongly connected set of actors by itself. False: some
 * iterations take no time, for no actor waits for what it made itself.
 */
bool slow_sdf_period(const inlay_sdf *sdf, int64_t *numerator, int64_t *denominator);

/** Tokens that firing `to` of an actor takes of those that firing `from` put, both counted from the first iteration. */
int64_t slow_sdf_tokens(const inlay_sdf *sdf, int64_t channel, int64_t from, int64_t to);

#endif
