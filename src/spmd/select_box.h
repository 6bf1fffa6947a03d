/*
 * A box: the configurations with least_i <= P_i <= most_i whose largest T_i is at least `longest`. What no
 * configuration in it falls below, and how it may be made smaller without losing one that is worth having.
 */
#ifndef SPMD_SELECT_BOX_H
#define SPMD_SELECT_BOX_H

#include "spmd/select_model.h"

typedef struct select_box {
    int32_t *least, *most;
    double longest;
    double bound;    /**< no T_c in the box is below */
    int32_t cluster; /**< where to split; -1: by the largest T_i, or it is one configuration */
    int32_t at;      /**< the last P_i of the lower half */
    double at_time;  /**< where the largest T_i is split: the last of the lower half */
} select_box;

/** A piece of a cluster's lower hull of T_i over speed: a straight line. */
typedef struct select_piece {
    double density; /**< communication time for a unit of speed */
    double speed;   /**< that it can add */
    int32_t cluster;
    int32_t from, to; /**< P_i at its ends */
} select_piece;

/** Scratch room of the bounds. */
typedef struct select_bounder {
    const select_model *model;
    select_piece *piece; /**< 2 m */
    int32_t *guess;      /**< a configuration in the box that may be good */
} select_bounder;

/** False where there is no memory; cleared all the same. */
bool select_bounder_make(select_bounder *bounder, const select_model *model);
void select_bounder_clear(select_bounder *bounder);

/**
 * Takes from the box what has no T_c below `limit`, and bounds the rest; false where nothing is left. Sets bound, the
 * split and bounder->guess.
 */
bool select_box_bound(select_bounder *bounder, double limit, select_box *box);

/** Two copies of a bounded box become its halves. */
void select_box_split(const select_model *model, select_box *lower, select_box *upper);

#endif
