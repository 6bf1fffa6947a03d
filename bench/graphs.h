/* The graphs that the benchmarks share, and what a time frame is chosen by. */
#ifndef BENCH_GRAPHS_H
#define BENCH_GRAPHS_H

#include <inlay/inlay.h>

/** The tiled Cholesky factorisation of N x N tiles of 256 x 256 numbers: N(N+1)(N+2)/6 modules, a message a link. */
int bench_cholesky(int tiles, inlay_app **app);

/** How many modules it has. */
double bench_cholesky_modules(int tiles);

/** What counts against T, in grains. */
typedef struct bench_work {
    inlay_time total, largest; /**< of all modules, of one */
} bench_work;

/**
 * Work is m, or with INLAY_BLOCKING_YES m + b, where b is the earliest start with free messages. The modules have to be
 * numbered in an order in which they could run, as inlay_generate() numbers them.
 */
int bench_sum_work(const inlay_app *app, inlay_blocking blocking, bench_work *work);

/** options->time_frame: `frame`, but at least the largest work, below which there is no clustering. */
void bench_set_frame(inlay_options *options, const bench_work *work, inlay_time frame);

#endif
