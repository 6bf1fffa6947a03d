/* The steps that far_layout() puts together. Each works on a layout_state; clusters that are pinned never move. */
#ifndef LAYOUT_STEPS_H
#define LAYOUT_STEPS_H

#include "layout/state.h"

/** Pinned clusters come to stand where they are pinned. Nobody has a place yet. */
void layout_place_pinned(layout_state *s);

/**
 * Clusters without a place get one in the order of their numbers, the lowest processor that is free and allowed.
 * INLAY_NO_ANSWER where one of them finds none, whoever else moves.
 */
int layout_place_in_order(layout_state *s, inlay_diag *diag);

/** The same by nearest placement. */
int layout_place_nearest(layout_state *s, inlay_diag *diag);

/** The same by recursive bisection; what may not stand where it came to goes by nearest placement. */
int layout_place_bisected(layout_state *s, inlay_diag *diag);

/**
 * A cluster without a place gets one although no free processor is allowed: others move on, each to a processor that it
 * is allowed. INLAY_NO_ANSWER where there is no such chain.
 */
int layout_seat(layout_state *s, inlay_id cluster, inlay_diag *diag);

/** The exchanges of a cluster will be looked at. */
void layout_wake(layout_state *s, inlay_id cluster);
void layout_wake_all(layout_state *s);

/** Exchanges and moves that lower the sum, the best one of a cluster each time, until no cluster waits. All have a place. */
void layout_descend(layout_state *s);

/** A search from a layout of all clusters; ends with another one that is better, or with that one after exchanges. */
int layout_search(layout_state *s, inlay_diag *diag);

/** Whether there are few enough layouts to look at each: 8! at most. */
bool layout_few(const far_problem *f);

/**
 * Looks at all layouts, where there are few; nobody has a place before and after.
 * @param at, sum  the best one known; a better one takes its place
 */
void layout_look_at_all(layout_state *s, inlay_id *at, int64_t *sum);

#endif
