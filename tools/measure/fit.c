/* Fits of latency and bandwidth, and of the kind of a network. */
#include "analysis.h"
#include <gsl/gsl_errno.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

double fit_bandwidth(const class_fit *fit)
{
    return fit->per_byte > 0 ? 1 / fit->per_byte : INFINITY;
}

/* ---- A line ---- */

/* The constant with the least sum of squares of relative errors. */
static double fit_constant(const fit_points *points)
{
    double above = 0, below = 0;
    for (size_t i = 0; i < points->count; i++) {
        double inverse = 1 / points->seconds[i];
        above += inverse;
        below += inverse * inverse;
    }
    return above / below;
}

/* `weight` has room for one of each point. */
static void fit_terms(const fit_points *points, double *weight, class_fit *fit)
{
    double ignored[4];
    for (size_t i = 0; i < points->count; i++) {
        weight[i] = 1 / (points->seconds[i] * points->seconds[i]);
    }
    (void)gsl_fit_wlinear(points->size, 1, weight, 1, points->seconds, 1, points->count, &fit->latency, &fit->per_byte,
                          &ignored[0], &ignored[1], &ignored[2], &ignored[3]);
    if (!(fit->per_byte >= 0)) {
        fit->per_byte = 0;
        fit->latency = fit_constant(points);
    } else if (fit->latency < 0) {
        fit->latency = 0;
        (void)gsl_fit_wmul(points->size, 1, weight, 1, points->seconds, 1, points->count, &fit->per_byte, &ignored[0],
                           &ignored[1]);
    }
}

/* What the fit leaves. */
static void find_errors(const fit_points *points, class_fit *fit)
{
    double squares = 0;
    fit->largest = 0;
    for (size_t i = 0; i < points->count; i++) {
        double error = (fit->latency + points->size[i] * fit->per_byte) / points->seconds[i] - 1;
        squares += error * error;
        fit->largest = fmax(fit->largest, fabs(error));
    }
    fit->residual = sqrt(squares / (double)points->count);
}

/* ---- A line with a step ---- */

enum { TERMS = 3 };

typedef struct step_room {
    gsl_matrix *terms, *covariance;
    gsl_vector *weight, *seconds, *found;
    gsl_multifit_linear_workspace *work;
} step_room;

static void step_room_free(step_room *room)
{
    gsl_matrix_free(room->terms);
    gsl_matrix_free(room->covariance);
    gsl_vector_free(room->weight);
    gsl_vector_free(room->seconds);
    gsl_vector_free(room->found);
    gsl_multifit_linear_free(room->work);
}

static bool step_room_make(size_t count, step_room *room)
{
    *room = (step_room){gsl_matrix_alloc(count, TERMS), gsl_matrix_alloc(TERMS, TERMS),
                        gsl_vector_alloc(count),        gsl_vector_alloc(count),
                        gsl_vector_alloc(TERMS),        gsl_multifit_linear_alloc(count, TERMS)};
    return room->terms != NULL && room->covariance != NULL && room->weight != NULL && room->seconds != NULL &&
           room->found != NULL && room->work != NULL;
}

/* With a step at a size; false where a term comes out negative. */
static bool fit_step(const fit_points *points, double at, step_room *room, step_fit *fit)
{
    double squares = 0;
    for (size_t i = 0; i < points->count; i++) {
        double t = points->seconds[i];
        gsl_matrix_set(room->terms, i, 0, 1);
        gsl_matrix_set(room->terms, i, 1, points->size[i]);
        gsl_matrix_set(room->terms, i, 2, points->size[i] >= at);
        gsl_vector_set(room->seconds, i, t);
        gsl_vector_set(room->weight, i, 1 / (t * t));
    }
    if (gsl_multifit_wlinear(room->terms, room->weight, room->seconds, room->found, room->covariance, &squares,
                             room->work) != 0) {
        return false;
    }
    *fit = (step_fit){gsl_vector_get(room->found, 2), at, gsl_vector_get(room->found, 0),
                      gsl_vector_get(room->found, 1), sqrt(squares / (double)points->count)};
    return fit->latency >= 0 && fit->per_byte > 0 && fit->seconds > 0;
}

/* The best step with two sizes on both of its sides, where the line is not enough and the step mends most of it. */
static int find_step(const fit_points *points, const int64_t *size, int sizes, class_fit *line)
{
    const double good = 0.05, gain = 0.5;
    step_fit best = {.residual = gain * line->residual};
    step_room room = {0};
    if (line->residual <= good) {
        return INLAY_OK;
    }
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    bool made = step_room_make(points->count, &room);
    for (int s = 2; s + 2 <= sizes && made; s++) {
        step_fit fit;
        if (fit_step(points, (double)size[s], &room, &fit) && fit.residual < best.residual) {
            best = fit;
        }
    }
    (void)gsl_set_error_handler(before);
    step_room_free(&room);
    line->step = best;
    return made ? INLAY_OK : INLAY_NO_MEMORY;
}

int fit_times(const fit_points *points, const int64_t *size, int sizes, class_fit *result)
{
    class_fit fit = {.pairs = 0};
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

const char *medium_name(medium kind)
{
    static const char *const names[MEDIA] = {"switch", "bus", "half-duplex"};
    return names[kind];
}

/* With how many others a message of a step shares its medium, one after the other. */
static double shared_with(medium kind, int ranks)
{
    switch (kind) {
    case MEDIUM_BUS: return ranks - 1;
    case MEDIUM_HALF_DUPLEX: return 1;
    default: return 0;
    }
}

ring_fit fit_ring(const ring_points *points, int ranks, double per_byte)
{
    ring_fit fit = {.ranks = ranks};
    for (int kind = 0; kind < MEDIA; kind++) {
        double squares = 0, others = shared_with((medium)kind, ranks);
        for (int s = 0; s < points->sizes; s++) {
            double seconds = points->alone[s] + others * (double)points->size[s] * per_byte;
            double error = seconds / points->step[s] - 1;
            squares += error * error;
        }
        fit.residual[kind] = sqrt(squares / points->sizes);
        fit.kind = fit.residual[kind] < fit.residual[fit.kind] ? (medium)kind : fit.kind;
    }
    return fit;
}
