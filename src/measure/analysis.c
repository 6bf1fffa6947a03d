/* What a measurement comes to. */
#include "measure/analysis.h"
#include "base/diag.h"
#include "base/plain.h"
#include "measure/machine_file.h"
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/* The repeats are sorted on the way: their order matters to nobody. */
inlay_figure inlay_figure_of(const inlay_repeats *values)
{
    size_t count = (size_t)values->count;
    double median = gsl_stats_median(values->at, 1, count), least = 0, most = 0;
    gsl_stats_minmax(&least, &most, values->at, 1, count);
    return (inlay_figure){median, (most - least) / median};
}

/* ---- Computing ---- */

static void find_speeds(inlay_machine_fit *a)
{
    double fastest = INFINITY, slowest = 0, spread = 0;
    for (int r = 0; r < a->of->ranks; r++) {
        const inlay_figure *own = &a->rank[r].arithmetic_alone;
        if (own->median < fastest) {
            fastest = own->median;
            a->fastest = r;
        }
        slowest = fmax(slowest, own->median);
        spread = fmax(spread, own->spread);
    }
    a->unlike = (slowest - fastest) / fastest > spread;
    for (int r = 0; r < a->of->ranks; r++) {
        a->rank[r].speed = a->unlike ? fastest / a->rank[r].arithmetic_alone.median : 1;
    }
}

static void find_figures(inlay_machine_fit *a)
{
    for (int r = 0; r < a->of->ranks; r++) {
        const inlay_raw_compute *from = &a->of->compute[r];
        a->rank[r] =
            (inlay_rank_figures){inlay_figure_of(&from->arithmetic_alone), inlay_figure_of(&from->arithmetic_all),
                                 inlay_figure_of(&from->function_alone), inlay_figure_of(&from->function_all), 1};
    }
    for (int h = 0; h < a->of->hosts; h++) {
        a->host[h] =
            (inlay_host_figures){inlay_figure_of(&a->of->memory[h].alone), inlay_figure_of(&a->of->memory[h].all)};
    }
    find_speeds(a);
}

/* ---- Messages ---- */

/* Between pairs of a class: (most - least) / median of their medians, at the size where that is largest. */
static double spread_of_pairs(const inlay_fit_points *points, size_t sizes)
{
    size_t pairs = points->count / sizes;
    double largest = 0;
    for (size_t s = 0; s < sizes; s++) {
        double least = 0, most = 0;
        double *of_size = points->spread + points->count;
        for (size_t p = 0; p < pairs; p++) {
            of_size[p] = points->seconds[p * sizes + s];
        }
        gsl_stats_minmax(&least, &most, of_size, 1, pairs);
        largest = fmax(largest, (most - least) / gsl_stats_median(of_size, 1, pairs));
    }
    return largest;
}

static int count_pairs(const inlay_raw *r, inlay_pair_class class)
{
    int count = 0;
    for (int i = 0; i < r->pairs; i++) {
        count += r->pair[i].pair_class == class;
    }
    return count;
}

void analysis_points(const inlay_raw *r, inlay_pair_class class, inlay_fit_points *points)
{
    size_t at = 0;
    for (int i = 0; i < r->pairs; i++) {
        for (int s = 0; s < r->sizes && r->pair[i].pair_class == class; s++) {
            inlay_figure of = inlay_figure_of(&r->pair[i].seconds[s]);
            points->size[at] = (double)r->size[s];
            points->seconds[at] = of.median;
            points->spread[at++] = of.spread;
        }
    }
}

static int fit_class(inlay_machine_fit *a, inlay_pair_class class)
{
    int pairs = count_pairs(a->of, class);
    size_t sizes = (size_t)a->of->sizes, count = (size_t)pairs * sizes;
    if (pairs == 0) {
        return INLAY_OK;
    }
    double *room = malloc(4 * count * sizeof *room); /* the last quarter is what the fit needs on its way */
    if (room == NULL) {
        return INLAY_NO_MEMORY;
    }
    inlay_fit_points points = {room, room + count, room + 2 * count, count, NULL};
    analysis_points(a->of, class, &points);
    int status = inlay_fit_messages(&points, a->of->size, a->of->sizes, &a->fit[class]);
    a->fit[class].pairs = pairs;
    a->fit[class].pair_spread = spread_of_pairs(&points, sizes);
    free(room);
    return status;
}

/* Seconds of a message of a size, alone: the median over all pairs of a class, for which `room` has places. */
static double alone_seconds(const inlay_raw *r, inlay_pair_class class, int size, double *room)
{
    size_t count = 0;
    for (int i = 0; i < r->pairs; i++) {
        if (r->pair[i].pair_class == class) {
            room[count++] = inlay_figure_of(&r->pair[i].seconds[size]).median;
        }
    }
    return gsl_stats_median(room, 1, count);
}

static int fit_ring_of(inlay_machine_fit *a, inlay_pair_class class)
{
    const inlay_raw *r = a->of;
    const inlay_raw_ring *ring = &r->ring[class];
    if (ring->ranks == 0) {
        return INLAY_OK;
    }
    size_t sizes = (size_t)r->sizes;
    double *alone = malloc((2 * sizes + (size_t)a->fit[class].pairs) * sizeof *alone), spread = 0;
    if (alone == NULL) {
        return INLAY_NO_MEMORY;
    }
    double *step = alone + sizes, *room = step + sizes;
    for (int s = 0; s < r->sizes; s++) {
        inlay_figure of = inlay_figure_of(&ring->seconds[s]);
        alone[s] = alone_seconds(r, class, s, room);
        step[s] = of.median;
        spread = fmax(spread, of.spread);
    }
    const inlay_ring_points points = {r->size, alone, step, r->sizes};
    a->ring[class] = inlay_fit_ring(&points, ring->ranks, a->fit[class].per_byte);
    a->ring[class].spread = spread;
    free(alone);
    return INLAY_OK;
}

/* ---- The whole ---- */

static const char *class_words(inlay_pair_class class)
{
    return class == INLAY_PAIR_CORE ? "cores of one host" : "hosts";
}

static void warn_of_step(const inlay_machine_fit *a, inlay_pair_class class, inlay_diag *diag)
{
    const inlay_message_fit *fit = &a->rest[class];
    const machine_plan plan = machine_names(a->of);
    char text[INLAY_VALUE_TEXT], line[120] = "";
    if (machine_step(a, &plan, class) == NULL) {
        (void)plain_print(
            line, sizeof line,
            ", which the machine file does not tell; its line is off by %.0f %% (root mean square), at most "
            "%.0f %%",
            100 * fit->residual, 100 * fit->largest);
    }
    diag_warn(diag, "messages of %.0f bytes and more between %s take %s longer: MPI has another way for long ones%s",
              fit->step.size, class_words(class), inlay_seconds_text(fit->step.seconds, 3, " ", text), line);
}

/* Where a figure should be looked at before it is relied on. */
static void warn_of_fits(const inlay_machine_fit *a, inlay_diag *diag)
{
    const double doubtful = 0.25;
    for (int c = 0; c < INLAY_PAIR_CLASSES; c++) {
        const inlay_message_fit *fit = &a->rest[c];
        const inlay_ring_fit *ring = &a->ring[c];
        if (a->fit[c].pairs > 0 && a->fit[c].per_byte <= 0) {
            diag_warn(diag, "messages between %s do not take longer the larger they are: the bandwidth is not known",
                      class_words((inlay_pair_class)c));
        }
        if (fit->step.seconds > 0) {
            warn_of_step(a, (inlay_pair_class)c, diag);
        }
        if (fit->residual > doubtful && fit->step.seconds <= 0) {
            diag_warn(diag,
                      "times of messages between %s are no latency and bandwidth: the fit is off by %.0f %% (root "
                      "mean square)",
                      class_words((inlay_pair_class)c), 100 * fit->residual);
        }
        if (ring->ranks > 0 && ring->residual[ring->kind] > doubtful) {
            diag_warn(
                diag, "a ring of %s is like none of switch, half duplex and bus: the nearest, %s, is off by %.0f %%",
                class_words((inlay_pair_class)c), inlay_medium_name(ring->kind), 100 * ring->residual[ring->kind]);
        }
    }
}

/* What a quiet computer's own services take is less. */
void analysis_warn_of_others(const inlay_raw *r, inlay_diag *diag)
{
    const double quiet = 0.05;
    if (r->others > quiet) {
        diag_warn(diag,
                  "measured beside other work, which took %.0f %% of the processors' time just before: measure again "
                  "when nothing else runs",
                  100 * r->others);
    }
}

int analysis_make(const inlay_raw *measured, inlay_machine_fit *a, inlay_diag *diag)
{
    a->of = measured;
    a->pair_class = measured->hosts > 1 ? INLAY_PAIR_NETWORK : INLAY_PAIR_CORE;
    a->rank = calloc((size_t)measured->ranks, sizeof *a->rank);
    a->host = calloc((size_t)measured->hosts, sizeof *a->host);
    int status = a->rank == NULL || a->host == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    if (status == INLAY_OK) {
        find_figures(a);
    }
    for (int c = 0; c < INLAY_PAIR_CLASSES && status == INLAY_OK; c++) {
        status = fit_class(a, (inlay_pair_class)c);
        status = status == INLAY_OK ? fit_ring_of(a, (inlay_pair_class)c) : status;
        a->rest[c] = a->fit[c];
    }
    status = status == INLAY_OK ? analysis_find_overheads(a) : status;
    if (status == INLAY_OK) {
        analysis_warn_of_others(measured, diag);
        warn_of_fits(a, diag);
    }
    return status;
}
