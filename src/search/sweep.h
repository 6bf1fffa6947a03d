/*
 * The parts of the sweep over time frames.
 *
 *   steps.h    the clustering under one time frame after the other
 *   figures.h  what a clustering costs, over arrays that all clusterings share
 *   team.h     many clusterings costed at once, in threads
 *   sweep.c    the sweep itself; sweep_range.c which time frames it looks at; sweep_result.c what it answers
 */
#ifndef SEARCH_SWEEP_H
#define SEARCH_SWEEP_H

#include "search/team.h"
#include <inlay/sweep.h>

struct inlay_sweep_result {
    const inlay_app *app;
    const inlay_machine *machine;
    inlay_sweep_summary summary;
    inlay_sweep_row *rows;
    size_t row_count, row_capacity;
    inlay_sweep_interval *fits;
    size_t fit_count, fit_capacity;
};

/** inlay_sweep() without trying out what a refusal proposes (sweep.c). `asked` is not NULL. */
int sweep_once(const inlay_app *app, const inlay_machine *machine, const inlay_sweep_options *asked,
               inlay_sweep_result **sweep, inlay_diag *diag);

/* ---- Which time frames (sweep_range.c) ---- */

/** All limits in grains. */
typedef struct sweep_range {
    inlay_time first, last; /**< both are looked at; last is INT64_MAX where there is no end */
    inlay_time *frames;     /**< of a sample: the time frames, rising; owned. NULL: all steps */
    size_t count;           /**< of them */
    bool has_from;          /**< `first` is above the least time frame there is */
    bool whole;             /**< from the least time frame there is, without an end */
    bool has_given;         /**< the time frame in the options */
    frame given;
    inlay_id largest_module; /**< and its work: below it there is no clustering */
    inlay_time largest_work;
} sweep_range;

int sweep_range_make(const problem *p, const inlay_sweep_options *options, sweep_range *range, inlay_diag *diag);
void sweep_range_clear(sweep_range *range);

/** From `begin` on look at a sample alone, in which the time frame of the options is, where it is not below. */
int sweep_range_sample(const problem *p, inlay_time begin, inlay_id points, sweep_range *range, inlay_diag *diag);

/* ---- What it answers (sweep_result.c) ---- */

/**
 * Take over the next row, by rising time frame: its figures, what it adds to the intervals in which all fits, and the
 * points that it is the first to make.
 */
int sweep_add_row(inlay_sweep_result *to, const sweep_range *range, const figures *f, figures_workspace *workspace,
                  const job *done, inlay_diag *diag);

#endif
