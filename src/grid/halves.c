/* Regions that wait to be cut. */
#include "grid/halves.h"
#include "base/memory.h"
#include <stdlib.h>

bool grid_jobs_make(grid_jobs *jobs, int32_t processors, inlay_grid_block grid, int32_t entries)
{
    jobs->job = memory_array((size_t)processors + 1, sizeof *jobs->job);
    if (jobs->job == NULL) {
        return false;
    }
    jobs->job[0] =
        (grid_job){.region = grid, .high = entries, .parent = -1, .axes = (1U << grid_dimensions(&grid)) - 1};
    jobs->waiting = 1;
    return true;
}

void grid_jobs_clear(grid_jobs *jobs)
{
    free(jobs->job);
    *jobs = (grid_jobs){0};
}

bool grid_jobs_next(grid_jobs *jobs, grid_job *job)
{
    if (jobs->waiting == 0) {
        return false;
    }
    *job = jobs->job[--jobs->waiting];
    return true;
}

void grid_jobs_done(grid_tree *tree, const grid_job *job, int32_t child)
{
    if (job->parent < 0) {
        tree->root = child;
    } else {
        tree->node[job->parent].child[job->side] = child;
    }
}

void grid_jobs_cut(grid_jobs *jobs, grid_tree *tree, const grid_job *job, int32_t middle, const grid_sides *sides,
                   int axis)
{
    int64_t at = grid_cut_at(tree->weights, &job->region, sides, &axis);
    int32_t node = grid_tree_cut(tree, job->region, axis, at);
    grid_jobs_done(tree, job, node);
    for (int side = 1; side >= 0; side--) {
        jobs->job[jobs->waiting++] = (grid_job){.region = grid_part(job->region, axis, at, side),
                                                .low = side == 0 ? job->low : middle,
                                                .high = side == 0 ? middle : job->high,
                                                .parent = node,
                                                .side = side,
                                                .depth = job->depth + 1};
    }
}

/* Halves the strips until there is one in each part, so that owners are found in few steps. */
void grid_jobs_split(grid_jobs *jobs, grid_tree *tree, const grid_job *job, int axis, int32_t parts,
                     const int32_t *first, const int64_t *edge)
{
    enum { DEEP = 64 };
    grid_job stack[DEEP]; /* low, high: strips */
    int waiting = 1;
    stack[0] = *job;
    stack[0].low = 0;
    stack[0].high = parts;
    while (waiting > 0) {
        grid_job some = stack[--waiting];
        if (some.high - some.low == 1) {
            some.axes = job->axes & ~(1U << axis);
            some.high = first[some.high];
            some.low = first[some.low];
            jobs->job[jobs->waiting++] = some;
            continue;
        }
        int32_t middle = some.low + (some.high - some.low) / 2;
        int32_t node = grid_tree_cut(tree, some.region, axis, edge[middle]);
        grid_jobs_done(tree, &some, node);
        for (int side = 1; side >= 0; side--) {
            grid_job half = some;
            half.region = grid_part(some.region, axis, edge[middle], side);
            *(side == 0 ? &half.high : &half.low) = middle;
            half.parent = node;
            half.side = side;
            stack[waiting++] = half;
        }
    }
}
