/* Binary recursive block decomposition (figure 20): the fastest half | the rest, cuts that alternate. */
#include "grid/halves.h"
#include "base/diag.h"

static int64_t sum(const int64_t *whole, int32_t low, int32_t high)
{
    int64_t total = 0;
    for (int32_t i = low; i < high; i++) {
        total += whole[i];
    }
    return total;
}

int grid_make_brbd(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options, inlay_diag *diag)
{
    (void)options;
    static const int turn[] = {GRID_ACROSS, GRID_DOWN, GRID_THROUGH};
    const inlay_grid_block grid = grid_whole(d);
    grid_jobs jobs = {0};
    if (!grid_tree_make_for(d) || !grid_jobs_make(&jobs, d->processors, grid_whole(d), d->processors)) {
        return diag_no_memory(diag);
    }
    for (grid_job job; grid_jobs_next(&jobs, &job);) {
        if (job.high - job.low == 1) {
            grid_jobs_done(&d->tree, &job, grid_tree_leaf(&d->tree, job.low, job.region));
            continue;
        }
        int32_t middle = job.high - (job.high - job.low) / 2;
        grid_sides sides = {{sum(whole, job.low, middle), sum(whole, middle, job.high)},
                            {middle - job.low, job.high - middle}};
        grid_jobs_cut(&jobs, &d->tree, &job, middle, &sides, turn[job.depth % grid_dimensions(&grid)]);
    }
    grid_jobs_clear(&jobs);
    return INLAY_OK;
}
