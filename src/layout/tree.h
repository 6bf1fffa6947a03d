/*
 * The processors of a machine split in two by distance, again and again: each part is a run of processors that are near
 * each other, and so is the order that comes of it.
 */
#ifndef LAYOUT_TREE_H
#define LAYOUT_TREE_H

#include "layout/far.h"

static inline int far_distance(const far_problem *f, inlay_id a, inlay_id b)
{
    if (a == b) {
        return 0;
    }
    int distance = a < b ? f->distance(f->context, a, b) : f->distance(f->context, b, a);
    return distance < LAYOUT_LARGEST_DISTANCE ? distance : LAYOUT_LARGEST_DISTANCE;
}

/** Processors ordered[from] .. ordered[to - 1]. */
typedef struct layout_part {
    inlay_id from, to;
    inlay_id half;   /**< the first of its two parts, the other stands behind it; -1 where it is one processor */
    inlay_id middle; /**< the processor from which the others are least far, about */
} layout_part;

typedef struct layout_tree {
    layout_part *part; /**< the whole first, parts behind what they are parts of */
    inlay_id parts;    /**< 2 processors - 1 */
    inlay_id *ordered; /**< all processors */
} layout_tree;

int layout_tree_make(const far_problem *f, layout_tree *tree, inlay_diag *diag);
void layout_tree_clear(layout_tree *tree);

#endif
