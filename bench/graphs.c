#include "graphs.h"
#include <stdlib.h>

int bench_cholesky(int tiles, inlay_app **app)
{
    const inlay_generator_options options = {.kind = "cholesky", .sizes = {[INLAY_SIZE_TILES] = tiles}};
    return inlay_generate(&options, app, NULL);
}

double bench_cholesky_modules(int tiles)
{
    double n = tiles;
    return n * (n + 1) * (n + 2) / 6;
}

int bench_sum_work(const inlay_app *app, inlay_blocking blocking, bench_work *work)
{
    inlay_id modules = inlay_app_modules(app);
    inlay_time *end = malloc((size_t)modules * sizeof *end);
    if (end == NULL) {
        return INLAY_NO_MEMORY;
    }
    *work = (bench_work){0};
    for (inlay_id i = 0; i < modules; i++) {
        int64_t count;
        const inlay_id *before = inlay_app_predecessors(app, i, &count);
        inlay_time start = 0;
        for (int64_t j = 0; j < count; j++) {
            start = end[before[j]] > start ? end[before[j]] : start;
        }
        end[i] = start + inlay_app_time(app, i);
        inlay_time own = blocking == INLAY_BLOCKING_YES ? end[i] : inlay_app_time(app, i);
        work->total += own;
        work->largest = own > work->largest ? own : work->largest;
    }
    free(end);
    return INLAY_OK;
}

void bench_set_frame(inlay_options *options, const bench_work *work, inlay_time frame)
{
    options->has_time_frame = true;
    options->time_frame = (inlay_duration){{frame > work->largest ? frame : work->largest, 0}, INLAY_UNIT_TICK};
}
