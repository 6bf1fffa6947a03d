/*
 * A schedule that is being changed: modules are taken out of their processors' lists and put back elsewhere. Times are
 * those of terms.h.
 *
 * All modules stand in one order that keeps to precedence and to every list, so that times follow in one pass. A module
 * that is out takes no time and its messages none, but it keeps its place between its predecessors and successors: so
 * what is put back before it leaves it a place.
 */
#ifndef SEARCH_DRAFT_H
#define SEARCH_DRAFT_H

#include "base/splitmix.h"
#include "search/terms.h"

typedef struct draft {
    const terms *t;
    const inlay_id *home;      /**< the place where each module stays; NULL: it need not */
    bool in_order;             /**< lists keep to `order`, which does not change */
    inlay_id *order, *at;      /**< all modules, and where each stands there */
    inlay_id *place_of;        /**< -1: out */
    inlay_id *before, *behind; /**< in the list of its processor, -1 none */
    inlay_id *first, *last;    /**< of every place, -1 none */
    double *time;              /**< what modules take where they are; 0 out */
    double *start;
    double *tail; /**< from a module's start to the end of all */
    double elapsed;
    int64_t *room;   /**< bytes left, of every host; NULL: nothing needs any */
    uint8_t *mark;   /**< scratch */
    inlay_id *moved; /**< scratch */
} draft;

/** Where a module may be put back. */
typedef struct seat {
    inlay_id place, before; /**< behind this module, -1: first */
    double elapsed;         /**< of all then, as far as the way through this module tells */
} seat;

/** Arrays from the pool, which may fail. */
void draft_make(const terms *t, memory_pool *pool, draft *d);
void draft_copy(const draft *from, draft *to);

/** A schedule; its times are found. */
void draft_set(draft *d, const inlay_id *place_of, const inlay_id *order);

void draft_take_out(draft *d, inlay_id module);

/** Times from that place of the order on, and tails up to that place: all others are right. */
void draft_times(draft *d, inlay_id from, inlay_id until);

/**
 * The best seat of a module that is out, times being right; of equal ones any, by `state`.
 * @param skip   a seat that is not to be taken; place -1: none
 * @param blink  each is overlooked with a probability of so many in 2^16
 * @return false where there is none
 */
bool draft_seat(const draft *d, inlay_id module, const seat *skip, unsigned blink, uint64_t *state, seat *best);

/** False, and nothing done, where it would wait for itself. Times are to be found then, from and until the places given. */
bool draft_put(draft *d, inlay_id module, const seat *s, inlay_id *from, inlay_id *until);

#endif
