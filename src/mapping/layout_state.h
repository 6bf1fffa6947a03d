/*
 * A layout that is being worked on: who stands where, and what that costs, kept up to date move by move.
 *
 * With a table, the row of a processor is filled when a cluster first comes to stand there.
 */
#ifndef MAPPING_LAYOUT_STATE_H
#define MAPPING_LAYOUT_STATE_H

#include "mapping/layout_far.h"

typedef struct layout_state {
    const far_problem *f;
    uint16_t *table; /**< processors x processors; NULL: distances are asked every time */
    bool *filled;    /**< rows of it */
    int *near;       /**< of every row that is filled: the distance to the nearest other processor */
    int64_t *total;  /**< traffic of every cluster */

    inlay_id *at;  /**< processor of every cluster, or -1 */
    inlay_id *who; /**< cluster on every processor, or -1 */
    int64_t *own;  /**< sum of c d of every cluster with those that have a place; 0 where it has none itself */
    int64_t *low;  /**< less than `own` can never be where the others stand now: no distance is below `near` */
    int64_t sum;   /**< of c d, each pair once */

    int64_t *cost;     /**< scratch: one entry a processor */
    int64_t *mutual;   /**< scratch, zero between uses: one entry a cluster */
    inlay_id *rank;    /**< place of every processor in `ordered`, and the processors in an order in which neighbours */
    inlay_id *ordered; /**< are near each other. Both NULL with a table */
    inlay_id *waiting; /**< ring of the clusters whose exchanges have to be looked at (again) */
    bool *is_waiting;  /**< one entry a cluster */
    inlay_id first, in_queue; /**< of that ring */
    int64_t steps;            /**< distances looked up so far: what a search costs */
} layout_state;

/** All clusters without a place. Cleared by layout_state_clear() also where this fails. */
int layout_state_make(const far_problem *f, layout_state *s, inlay_diag *diag);
void layout_state_clear(layout_state *s);

/** Fills the row of a processor's distances, where there is a table and it is not filled yet. */
void layout_fill_row(layout_state *s, inlay_id processor);

/** Distance of two processors, a cluster standing on the first of them (or its row being filled). */
static inline int layout_distance(const layout_state *s, inlay_id filled, inlay_id other)
{
    if (s->table != NULL) {
        return s->table[(size_t)filled * (size_t)s->f->processors + (size_t)other];
    }
    if (filled == other) {
        return 0;
    }
    int distance =
        filled < other ? s->f->distance(s->f->context, filled, other) : s->f->distance(s->f->context, other, filled);
    return distance < LAYOUT_LARGEST_DISTANCE ? distance : LAYOUT_LARGEST_DISTANCE;
}

static inline bool layout_pinned(const layout_state *s, inlay_id cluster)
{
    return s->f->pin != NULL && s->f->pin[cluster] >= 0;
}

static inline bool layout_allowed(const layout_state *s, inlay_id cluster, inlay_id processor)
{
    return s->f->allowed == NULL || s->f->allowed(s->f->context, cluster, processor);
}

/** What a cluster costs on a processor with the others where they stand. The processor's row is filled. */
int64_t layout_cost_at(layout_state *s, inlay_id cluster, inlay_id processor);

/** A cluster comes to stand on a free processor, or leaves its own. */
void layout_put(layout_state *s, inlay_id cluster, inlay_id processor);
void layout_take(layout_state *s, inlay_id cluster);

/** A cluster goes to another processor; whoever stands there comes to its own. */
void layout_exchange(layout_state *s, inlay_id cluster, inlay_id processor);

/** Everybody leaves. */
void layout_clear_places(layout_state *s);

/** Everybody stands as `at` says. */
void layout_restore(layout_state *s, const inlay_id *at);

#endif
