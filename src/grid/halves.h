/* Recursion of the block methods without the call stack: regions that wait to be cut, and where they belong. */
#ifndef GRID_HALVES_H
#define GRID_HALVES_H

#include "grid/grid.h"

/** A region for entries [low, high) of a list, `depth` cuts below the grid: child `side` of a node (-1: the root). */
typedef struct grid_job {
    inlay_grid_block region;
    int32_t low, high;
    int32_t parent;
    int side, depth;
    unsigned axes; /**< bits of those along which it may still be cut into strips */
} grid_job;

typedef struct grid_jobs {
    grid_job *job;
    int32_t waiting;
} grid_jobs;

/** Room for the jobs of p processors, with the first: the whole grid for so many entries. False without memory. */
bool grid_jobs_make(grid_jobs *jobs, int32_t processors, inlay_grid_block grid, int32_t entries);
void grid_jobs_clear(grid_jobs *jobs);

/** The next one; false where none waits. */
bool grid_jobs_next(grid_jobs *jobs, grid_job *job);

/** Cuts the region of a job before entry `middle`; both parts wait then. */
void grid_jobs_cut(grid_jobs *jobs, grid_tree *tree, const grid_job *job, int32_t middle, const grid_sides *sides,
                   int axis);

/** Cuts the region of a job along an axis into `parts` strips: of entries first[i] to before first[i + 1], from edge[i]
    to before edge[i + 1]. All strips wait then. */
void grid_jobs_split(grid_jobs *jobs, grid_tree *tree, const grid_job *job, int axis, int32_t parts,
                     const int32_t *first, const int64_t *edge);

/** Puts a child where a job belongs. */
void grid_jobs_done(grid_tree *tree, const grid_job *job, int32_t child);

#endif
