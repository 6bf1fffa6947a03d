/* The best configurations that a method has come across, and what every method is given. */
#ifndef SELECT_BEST_H
#define SELECT_BEST_H

#include "select/model.h"

struct select_front;

typedef struct select_best {
    int32_t clusters;
    int32_t kept, room;  /**< how many there are; k */
    double *cost;        /**< T_c, rising */
    int32_t *processors; /**< one row of `clusters` each */
    int64_t looked_at;
    double lower_bound; /**< proven for all configurations; 0 where nothing is */
    bool proven;        /**< no configuration is better than the first one */
} select_best;

/** False where there is no memory. */
bool select_best_make(select_best *best, int32_t clusters, int32_t room);
void select_best_clear(select_best *best);

/** What a configuration must be below to be kept. */
static inline double select_best_limit(const select_best *best)
{
    return best->kept < best->room ? (double)__builtin_inf() : best->cost[best->kept - 1];
}

/** Takes a configuration in where it is among the best and not there yet. */
void select_best_offer(select_best *best, const int32_t *processors, double cost);

/** Of those that cost as little as the first, the one with the fewest processors becomes the first. */
void select_best_prefer_fewer(select_best *best);

/* ---- Methods: each offers what it finds ---- */

/** `processors` is scratch room; the H2 of select_h2() leaves its own answer there. */
int select_h1(const select_model *model, int32_t *processors, select_best *best, inlay_diag *diag);
int select_h2(const select_model *model, bool as_given, int32_t *processors, select_best *best, inlay_diag *diag);

/** Sets cluster after cluster to its best until nothing gains, from `processors` on; that of H3. */
void select_descend(const select_model *model, int32_t *processors, select_best *best);

/** Likewise with a front, or NULL. */
int select_exhaustive(const select_model *model, int64_t limit, int32_t *processors, struct select_front *front,
                      select_best *best, inlay_diag *diag);

/**
 * The best one where select_networks_take() the question and T_i do not fall, or what is proven after so many steps.
 * `best` holds some already.
 */
int select_thresholds(const select_model *model, int64_t steps, select_best *best, inlay_diag *diag);

/**
 * For T_i that do not fall: the best of all, within a gap that the bound tells. `best` may hold some already, and a
 * lower bound. With a front, that is looked for: `best` says only how many boxes were looked at, and whether it is proven.
 */
int select_boxes(const select_model *model, int64_t limit, struct select_front *front, select_best *best,
                 inlay_diag *diag);

#endif
