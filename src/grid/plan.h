/*
 * Plans of rectangles: which cut separates which processors, apart from where it goes. A cut is where the speeds of its
 * sides put it, plus an offset, so that a plan stays one when its processors change. Any tree of cuts whose blocks all
 * have cells is a plan.
 */
#ifndef GRID_PLAN_H
#define GRID_PLAN_H

#include "grid/grid.h"

typedef struct grid_plan_cut {
    int axis;
    int64_t offset;   /**< from where the speeds put the line */
    int32_t child[2]; /**< cuts, or ~rank */
} grid_plan_cut;

typedef struct grid_plan {
    int32_t processors;
    int dimensions;
    int32_t root;
    int32_t cuts;
    grid_plan_cut *cut; /**< p - 1 */
} grid_plan;

bool grid_plan_make(grid_plan *plan, int32_t processors, int dimensions);
void grid_plan_clear(grid_plan *plan);
void grid_plan_copy(const grid_plan *from, grid_plan *to);

/** Room to build plans in. */
typedef struct grid_builder {
    const int64_t *whole; /**< speeds by rank */
    int32_t *order;       /**< cuts, each before those in it */
    grid_sides *sides;    /**< by cut */
    inlay_grid_block *region;
    struct grid_plan_task *task;
} grid_builder;

bool grid_builder_make(grid_builder *builder, int32_t processors, const int64_t *whole);
void grid_builder_clear(grid_builder *builder);

/** Makes the tree and the cells of a plan in `d`, which has room for them; false where some block would be empty. */
bool grid_plan_build(const grid_plan *plan, grid_builder *builder, inlay_decomposition *d);

/** The plan of rectangles all of which have cells. */
void grid_plan_of(const inlay_decomposition *d, grid_builder *builder, grid_plan *plan);

/**
 * Changes a plan of 2 or more processors in some way; false where that changed nothing.
 * @param host  by rank, where like processors of two hosts are not the same; NULL: they are
 */
bool grid_plan_vary(grid_plan *plan, const int64_t *whole, const int32_t *host, int64_t longest, uint64_t *state);

#endif
