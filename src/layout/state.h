/*
 * A layout that is being worked on: who stands where, and what that costs, kept up to date move by move.
 *
 * With a table, the row of a processor is filled when a cluster first comes to stand there.
 */
#ifndef LAYOUT_STATE_H
#define LAYOUT_STATE_H

#include "base/memory.h"
#include "layout/tree.h"

typedef struct layout_state {
    memory_pool arrays; /**< owns them */
    const far_problem *f;
    int64_t *total;   /**< traffic of every cluster */
    layout_tree tree; /**< of the processors */
    inlay_id *rank;   /**< place of every processor in its order */

    uint16_t *table; /**< processors x processors; NULL: distances are asked every time */
    bool *filled;    /**< rows of it */
    int *near;       /**< of every row that is filled: the distance to the nearest other processor */
    bool thorough;   /**< exchanges with all others are looked at, not only with those nearby; only with a table */
    bool quick;      /**< and looking at all of them takes milliseconds */

    inlay_id *at;  /**< processor of every cluster, or -1 */
    inlay_id *who; /**< cluster on every processor, or -1 */
    int64_t *own;  /**< sum of c d of every cluster with those that have a place; 0 where it has none itself */
    int64_t *low;  /**< `own` is never less than this, where the others stand now: no distance is less than `near` */
    int64_t sum;   /**< of c d, each pair once */

    int64_t *costs;   /**< what every cluster costs on every processor, a row a cluster; NULL where that is too much */
    bool costs_known; /**< and are kept up to date */

    inlay_id *waiting; /**< ring of the clusters whose exchanges have to be looked at (again) */
    inlay_id first, in_queue;
    bool *is_waiting; /**< one entry a cluster */

    int64_t *cost;   /**< scratch: one entry a processor */
    int64_t *mutual; /**< scratch, zero between uses: one entry a cluster */
    int64_t steps;   /**< distances looked up so far: what a search costs */
} layout_state;

/** All clusters without a place. Cleared by layout_state_clear() also where this fails. */
int layout_state_make(const far_problem *f, layout_state *s, inlay_diag *diag);
void layout_state_clear(layout_state *s);

/** Fills the row of a processor's distances, where there is a table and it is not filled yet. */
void layout_fill_row(layout_state *s, inlay_id processor);

/** Distance of two processors; the row of the first is filled, as where a cluster stands. */
static inline int layout_distance(const layout_state *s, inlay_id filled, inlay_id other)
{
    if (s->table != NULL) {
        return s->table[(size_t)filled * (size_t)s->f->processors + (size_t)other];
    }
    return far_distance(s->f, filled, other);
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

/**
 * What a cluster costs on every processor with the others where they stand: its row of `costs` where they are known, else
 * the scratch. There has to be a table.
 */
const int64_t *layout_costs(layout_state *s, inlay_id cluster);

/** All have a place: from now on the costs are known, where there is room for them; and not any more. */
void layout_know_costs(layout_state *s);
void layout_forget_costs(layout_state *s);

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
