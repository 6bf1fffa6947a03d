/* Fits of latency and bandwidth, and of the kind of a network. */
#include "measure/squares.h"
#include <inlay/measure.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

double inlay_fit_bandwidth(const inlay_message_fit *fit)
{
    return fit->per_byte > 0 ? 1 / fit->per_byte : INFINITY;
}

/* ---- A line ---- */

static double whole_of(const inlay_fit_points *points, size_t i)
{
    return points->whole != NULL ? points->whole[i] : points->seconds[i];
}

static double weight_of(const inlay_fit_points *points, size_t i)
{
    return 1 / (whole_of(points, i) * whole_of(points, i));
}

/* `weight` has room for one of each point. */
static void fit_terms(const inlay_fit_points *points, double *weight, inlay_message_fit *fit)
{
    double ignored[4];
    for (size_t i = 0; i < points->count; i++) {
        weight[i] = weight_of(points, i);
    }
    (void)gsl_fit_wlinear(points->size, 1, weight, 1, points->seconds, 1, points->count, &fit->latency, &fit->per_byte,
                          &ignored[0], &ignored[1], &ignored[2], &ignored[3]);
    if (!(fit->per_byte >= 0)) {
        fit->per_byte = 0;
        fit->latency = gsl_stats_wmean(weight, 1, points->seconds, 1, points->count);
    } else if (fit->latency < 0) {
        fit->latency = 0;
        (void)gsl_fit_wmul(points->size, 1, weight, 1, points->seconds, 1, points->count, &fit->per_byte, &ignored[0],
                           &ignored[1]);
    }
}

/* What the fit leaves. */
static void find_errors(const inlay_fit_points *points, inlay_message_fit *fit)
{
    double squares = 0;
    fit->largest = 0;
    for (size_t i = 0; i < points->count; i++) {
        double error = (fit->latency + points->size[i] * fit->per_byte - points->seconds[i]) / whole_of(points, i);
        squares += error * error;
        fit->largest = fmax(fit->largest, fabs(error));
    }
    fit->residual = sqrt(squares / (double)points->count);
}

/* ---- A line with a step ---- */

enum { TERMS = 3 };

/* With a step at a size; false where a term comes out negative. */
static bool fit_step(const inlay_fit_points *points, double at, squares_room *room, inlay_step_fit *fit)
{
    double sum = 0;
    for (size_t i = 0; i < points->count; i++) {
        gsl_matrix_set(room->terms, i, 0, 1);
        gsl_matrix_set(room->terms, i, 1, points->size[i]);
        gsl_matrix_set(room->terms, i, 2, points->size[i] >= at);
        gsl_vector_set(room->value, i, points->seconds[i]);
        gsl_vector_set(room->weight, i, weight_of(points, i));
    }
    if (gsl_multifit_wlinear(room->terms, room->weight, room->value, room->found, room->covariance, &sum, room->work) !=
        0) {
        return false;
    }
    *fit = (inlay_step_fit){gsl_vector_get(room->found, 2), at, gsl_vector_get(room->found, 0),
                            gsl_vector_get(room->found, 1), sqrt(sum / (double)points->count)};
    return fit->latency >= 0 && fit->per_byte > 0 && fit->seconds > 0;
}

/* The best step with two sizes on both of its sides, where the line is not enough and the step mends most of it. */
static int find_step(const inlay_fit_points *points, const int64_t *size, int sizes, inlay_message_fit *line)
{
    const double good = 0.05, gain = 0.5;
    inlay_step_fit best = {.residual = gain * line->residual};
    squares_room room = {0};
    if (line->residual <= good) {
        return INLAY_OK;
    }
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    bool made = squares_make(points->count, TERMS, &room);
    for (int s = 2; s + 2 <= sizes && made; s++) {
        inlay_step_fit fit;
        if (fit_step(points, (double)size[s], &room, &fit) && fit.residual < best.residual) {
            best = fit;
        }
    }
    (void)gsl_set_error_handler(before);
    squares_free(&room);
    line->step = best;
    return made ? INLAY_OK : INLAY_NO_MEMORY;
}

int inlay_fit_messages(const inlay_fit_points *points, const int64_t *size, int sizes, inlay_message_fit *result)
{
    inlay_message_fit fit = {.pairs = 0};
    fit_terms(points, points->spread + points->count, &fit);
    find_errors(points, &fit);
    int status = find_step(points, size, sizes, &fit);
    if (status != INLAY_OK) {
        return status;
    }
    fit.largest_spread = gsl_stats_max(points->spread, 1, points->count);
    fit.spread = gsl_stats_median(points->spread, 1, points->count); /* sorts them */
    *result = fit;
    return INLAY_OK;
}

/* ---- A ring ---- */

const char *inlay_medium_name(inlay_medium kind)
{
    static const char *const names[INLAY_MEDIA] = {"switch", "bus", "half-duplex"};
    return names[kind];
}

/* With how many others a message of a step shares its medium, one after the other. */
static double shared_with(inlay_medium kind, int ranks)
{
    switch (kind) {
    case INLAY_MEDIUM_BUS: return ranks - 1;
    case INLAY_MEDIUM_HALF_DUPLEX: return 1;
    default: return 0;
    }
}

inlay_ring_fit inlay_fit_ring(const inlay_ring_points *points, int ranks, double per_byte)
{
    inlay_ring_fit fit = {.ranks = ranks};
    for (int kind = 0; kind < INLAY_MEDIA; kind++) {
        double squares = 0, others = shared_with((inlay_medium)kind, ranks);
        for (int s = 0; s < points->sizes; s++) {
            double seconds = points->alone[s] + others * (double)points->size[s] * per_byte;
            double error = seconds / points->step[s] - 1;
            squares += error * error;
        }
        fit.residual[kind] = sqrt(squares / points->sizes);
        fit.kind = fit.residual[kind] < fit.residual[fit.kind] ? (inlay_medium)kind : fit.kind;
    }
    return fit;
}
