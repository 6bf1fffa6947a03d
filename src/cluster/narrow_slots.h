/* The slots of a narrowing: each with its clusters by work, and its best pair. */
#ifndef CLUSTER_NARROW_SLOTS_H
#define CLUSTER_NARROW_SLOTS_H

#include "cluster/narrow.h"
#include "cluster/pair_heap.h"

typedef struct candidate {
    inlay_id a, b; /**< roots; a < 0: none */
    inlay_time work;
    int64_t traffic;
    inlay_id low, high;
} candidate;

typedef struct narrow_slot {
    inlay_id *roots; /**< `count` of them from `first` on, ordered by (work, least) */
    size_t first, count, capacity;
    inlay_time tied_work; /**< that the pairs in `tied` are of; -1: none */
    pair_heap tied;       /**< communicating pairs of the slot's lightest clusters, also such as are merged by now */
    pair_heap busy;       /**< by traffic: its communicating pairs, also such as are merged or grown by now */
    bool busy_listed;     /**< they were collected; later ones are added as they come to be */
    inlay_id *newcomers;  /**< clusters whose pairs are still to be added */
    size_t newcomer_count, newcomer_capacity;
    candidate best;
    bool known; /**< `best` is the best pair as the slot stands */
} narrow_slot;

typedef struct narrow_slots {
    partition *part;
    narrow_rule rule;
    bool only_time;  /**< neither memory nor pins can forbid a pair */
    inlay_time next; /**< the least sum of work rejected for time */
    bool starved;    /**< out of memory */
    int32_t count;
    narrow_slot *items;
    int32_t *holding; /**< by number of clusters: slots that hold so many */
    size_t most;      /**< clusters in the fullest slot */
    int32_t leaves;   /**< a power of two */
    int32_t *winner;  /**< a tournament of the slots: node n is over 2n and 2n+1, the leaves are behind; -1: nobody */
    int32_t *touched; /**< slots that the last merge changed */
    int32_t touched_count;
    uint8_t *side;  /**< by traffic, of every slot: which of the two that merge stand there; else NULL */
    inlay_id *near; /**< those that the one with fewer neighbours communicates with */
    size_t near_count, near_capacity;
    bool every_sum; /**< by traffic: the least sum rejected for time is asked for, so that none may go unseen */
} narrow_slots;

/** With all clusters in their slots; INLAY_NO_MEMORY leaves nothing behind. */
int narrow_slots_make(partition *part, const narrow_rule *rule, bool only_time, narrow_slots *result);

/** The pair of a slot with the most traffic, of those that communicate; false when out of memory. */
bool narrow_traffic_best(narrow_slots *c, int32_t number, candidate *best);

/** Keep the pairs by traffic current: to be called before two clusters merge, and afterwards with the root of both. */
bool narrow_traffic_before(narrow_slots *c, inlay_id a, inlay_id b);
bool narrow_traffic_after(narrow_slots *c, inlay_id root, bool idle_side);

/** The pairs of a cluster within a slot that communicate; with `work` >= 0 only with clusters of that work. */
void narrow_consider_neighbours(narrow_slots *c, inlay_id root, int32_t number, inlay_time work, candidate *best);

/** Two clusters as a candidate, traffic and all. */
candidate narrow_candidate(const partition *part, inlay_id a, inlay_id b);
void narrow_slots_clear(narrow_slots *c);

/** The best pair that the rule allows, or one with a < 0. INLAY_OK or INLAY_NO_MEMORY. */
int narrow_slots_best(narrow_slots *c, candidate *best);

/** Merge two clusters; INLAY_NO_MEMORY leaves partition and slots unusable but safe to clear. */
int narrow_slots_merge(narrow_slots *c, inlay_id a, inlay_id b);

/** Finds the best pair of a slot by itself, a chapter of the above; false when out of memory. */
bool narrow_slot_find_best(narrow_slots *c, int32_t number);

/** Whether x is to be merged before y. */
bool narrow_better(const narrow_rule *rule, const candidate *x, const candidate *y);

#endif
