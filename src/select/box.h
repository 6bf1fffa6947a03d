/*
 * A box: the configurations with least_i <= P_i <= most_i whose largest T_i is at least `longest`. What no
 * configuration in it falls below, and how it may be made smaller without losing one that is worth having.
 */
#ifndef SELECT_BOX_H
#define SELECT_BOX_H

#include "select/model.h"

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

/**
 * From `time`, T of EQ 5: when as many whole units can be done at the earliest. No map in whole units on these
 * processors, nor on fewer, falls below. d2 are above 0.
 */
double select_whole_balance(const select_model *model, const double *fixed_time, const double *unit_time,
                            const int32_t *processors, double time);

/** Where a bounded box is to be split, if its bound has not said so. */
void select_box_aim(const select_model *model, select_box *box);

/** Two copies of a bounded box become its halves. */
void select_box_split(const select_model *model, select_box *lower, select_box *upper);

/* ---- Where communication is a sum over the clusters ---- */

/**
 * W / S is convex in the speed S, so that the least of W / S + (sum of lower hulls of T_i over speed) comes from taking
 * pieces of the hulls by rising density d until S^2 d = W, or where they overlap until the two meet.
 */
typedef struct select_hull {
    const select_bounder *bounder;
    const double *rate;   /**< of a processor of each cluster */
    double work;          /**< W */
    double speed;         /**< of the least processors */
    double communication; /**< of the least processors */
    int32_t pieces;       /**< in bounder->piece */
} select_hull;

/** From `from` to `to` processors, communication rises by `rise`. */
void select_hull_add(select_hull *hull, int32_t cluster, int32_t from, int32_t to, double rise);

/** A cluster that may be left out: what `one` processor and what all `most` add. Concave between these. */
void select_hull_open(select_hull *hull, int32_t cluster, int32_t most, double one, double all);

/** The bound. Sets the guess of clusters whose pieces are taken, and the split where a piece is taken in part. */
double select_hull_fill(const select_hull *hull, select_box *box);
double select_hull_fill_overlapped(const select_hull *hull, select_box *box);

/* ---- General models ---- */

/** select_box_bound() of a model with more than equations 1 to 9. */
bool general_box_bound(select_bounder *bounder, double limit, select_box *box);

#endif
