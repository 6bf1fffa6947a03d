/* Which time frames a sweep looks at. */
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include "mapping/solve.h"
#include "search/steps.h"
#include "search/sweep.h"
#include <math.h>
#include <stdlib.h>

/* A time frame of the options in the application's unit. */
static int read_frame(const problem *p, inlay_duration given, frame *result, inlay_diag *diag)
{
    problem asked = *p;
    asked.options.time_frame = given;
    return frame_from_options(&asked, result, diag);
}

static int refuse_below(const problem *p, const sweep_range *range, const frame *f, const char *option,
                        inlay_diag *diag)
{
    char given[DECIMAL_TEXT], least[DECIMAL_TEXT];
    decimal_text(frame_of_grains(p, range->largest_work).exact, least);
    diag_remedy(diag, option, "%s", least);
    return diag_fail(diag, INLAY_NO_ANSWER,
                     "the time frame, %s %s, is below the work that must be on the processor of module '%s'; the least "
                     "time frame is %s %s",
                     decimal_text(f->exact, given), inlay_unit_word(inlay_app_unit(p->app)),
                     inlay_app_module_name(p->app, range->largest_module), least,
                     inlay_unit_word(inlay_app_unit(p->app)));
}

/* The first whole grain that is not below the time frame: between two grains nothing changes. */
static inlay_time grains_from(const problem *p, const frame *f)
{
    inlay_time floor_grains = f->limit;
    return floor_grains < INT64_MAX && frame_of_grains(p, floor_grains).value < f->value ? floor_grains + 1
                                                                                         : floor_grains;
}

static int find_ends(const problem *p, const inlay_sweep_options *options, sweep_range *range, inlay_diag *diag)
{
    frame from = {0}, to = {0};
    inlay_time least = range->largest_work > 0 ? range->largest_work : 1; /* modules of no time: any T above 0 */
    range->first = least;
    range->last = INT64_MAX;
    int status = options->has_from ? read_frame(p, options->from, &from, diag) : INLAY_OK;
    if (status == INLAY_OK && options->has_to) {
        status = read_frame(p, options->to, &to, diag);
    }
    if (status != INLAY_OK) {
        return status;
    }
    if (options->has_to && to.limit < range->largest_work) {
        return refuse_below(p, range, &to, "--to", diag);
    }
    range->last = options->has_to ? to.limit : range->last;
    inlay_time begins = options->has_from ? grains_from(p, &from) : least;
    range->has_from = begins > least;
    if (begins > range->last) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "the sweep ends before it begins; expected --from below --to");
    }
    range->whole = begins <= least && !options->has_to;
    range->first = begins > least ? begins : least;
    return INLAY_OK;
}

static int find_given(const problem *p, sweep_range *range, inlay_diag *diag)
{
    range->has_given = p->options.has_time_frame;
    int status = range->has_given ? frame_from_options(p, &range->given, diag) : INLAY_OK;
    if (status != INLAY_OK || !range->has_given) {
        return status;
    }
    bool below = range->has_from && range->given.limit < range->first;
    if (below || range->given.limit > range->last) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "the time frame -T is not among those from --from to --to");
    }
    return range->given.limit < range->largest_work ? refuse_below(p, range, &range->given, "-T", diag) : INLAY_OK;
}

/* ---- A sample ---- */

/*
 * Above the work of every cluster that merging without a time frame leaves, time rejects nothing: these clusters hold
 * all that were on the way. Blocks may move afterwards, their time with them.
 */
static int find_end(const problem *p, inlay_time *end, inlay_diag *diag)
{
    steps s;
    int status = steps_make(p, false, &s, diag);
    inlay_time *work = memory_zeroed((size_t)p->modules, sizeof *work);
    if (status == INLAY_OK && work == NULL) {
        status = diag_no_memory(diag);
    }
    status = status == INLAY_OK ? steps_to(&s, INT64_MAX, diag) : status;
    if (status == INLAY_OK) {
        *end = 0;
        for (inlay_id i = 0; i < p->modules; i++) {
            work[s.cluster_of[i]] += p->work[i];
            *end = work[s.cluster_of[i]] > *end ? work[s.cluster_of[i]] : *end;
        }
        for (inlay_id d = 0; d < p->app->blocks; d++) {
            *end += p->app->block_time[d];
        }
    }
    free(work);
    steps_clear(&s);
    return status;
}

/* The i-th of `points` time frames in equal ratios. */
static inlay_time sampled(inlay_time begin, inlay_time end, inlay_id i, inlay_id points)
{
    if (i == 0 || points == 1) {
        return begin;
    }
    if (i == points - 1) {
        return end;
    }
    double ratio = (double)end / (double)begin;
    double at = (double)begin * pow(ratio, (double)i / (double)(points - 1));
    return at < (double)end ? (inlay_time)floor(at) : end;
}

static void put_frame(sweep_range *range, inlay_time at)
{
    if (range->count == 0 || at > range->frames[range->count - 1]) {
        range->frames[range->count++] = at;
    }
}

int sweep_range_sample(const problem *p, inlay_time begin, inlay_id points, sweep_range *range, inlay_diag *diag)
{
    inlay_time end = range->last;
    int status = end == INT64_MAX ? find_end(p, &end, diag) : INLAY_OK;
    if (status != INLAY_OK) {
        return status;
    }
    end = end > begin ? end : begin;
    range->frames = memory_array((size_t)points + 1, sizeof *range->frames);
    if (range->frames == NULL) {
        return diag_no_memory(diag);
    }
    bool put = !range->has_given || range->given.limit < begin;
    for (inlay_id i = 0; i < points; i++) {
        inlay_time at = sampled(begin, end, i, points);
        if (!put && range->given.limit <= at) {
            put_frame(range, range->given.limit);
            put = true;
        }
        put_frame(range, at);
    }
    if (!put) {
        put_frame(range, range->given.limit);
    }
    return INLAY_OK;
}

/* ---- The whole ---- */

void sweep_range_clear(sweep_range *range)
{
    free(range->frames);
    *range = (sweep_range){0};
}

int sweep_range_make(const problem *p, const inlay_sweep_options *options, sweep_range *range, inlay_diag *diag)
{
    sweep_range r = {0};
    int status = options->points < 0 ? diag_fail(diag, INLAY_BAD_ARGUMENT,
                                                 "a sample of %d time frames; expected 1 or more", options->points)
                                     : largest_start(p, &r.largest_work, &r.largest_module, diag);
    status = status == INLAY_OK ? find_ends(p, options, &r, diag) : status;
    status = status == INLAY_OK ? find_given(p, &r, diag) : status;
    if (status == INLAY_OK && options->points > 0) {
        status = sweep_range_sample(p, r.first, options->points, &r, diag);
    }
    if (status != INLAY_OK) {
        sweep_range_clear(&r);
        return status;
    }
    *range = r;
    return INLAY_OK;
}
