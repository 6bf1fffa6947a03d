/* Bounding boxes and principal axes of distributed groups of points. */
#include "irregular/partition/frames.h"
#include "base/diag.h"
#include "irregular/exchange/collective.h"
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <string.h>

void frames_scale(frames *f)
{
    double most = 0;
    for (int64_t i = 0; i < (int64_t)f->graph->rows * f->job->dimensions; i++) {
        most = fmax(most, fabs(f->job->coordinate[i]));
    }
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, f->graph->comm);
    int exponent = 0;
    frexp(most, &exponent);
    f->scale = most > 0 ? ldexp(1, exponent > -1000 ? -exponent : 1000) : 1;
}

/* Coordinate d of vertex i. */
static double coordinate(const frames *f, int32_t i, int d)
{
    return f->job->coordinate[(size_t)i * (size_t)f->job->dimensions + (size_t)d] * f->scale;
}

double frames_projection(const frames *f, int32_t i, int a)
{
    const double *axis = f->frame[f->group[i]].axis[a];
    double sum = 0;
    for (int d = 0; d < f->job->dimensions; d++) {
        sum += coordinate(f, i, d) * axis[d];
    }
    return sum;
}

/* Sets `low` and `high` of all frames from their axes. */
static void measure(frames *f)
{
    int dimensions = f->job->dimensions;
    double *most = f->moments; /* of each group and axis the largest coordinate, and the largest of its opposite */
    int all = 2 * dimensions * f->groups;
    for (int i = 0; i < all; i++) {
        most[i] = -HUGE_VAL;
    }
    for (int32_t i = 0; i < f->graph->rows; i++) {
        for (int a = 0; a < dimensions && f->group[i] >= 0; a++) {
            double x = frames_projection(f, i, a);
            double *m = most + (ptrdiff_t)2 * (dimensions * f->group[i] + a);
            m[0] = fmax(m[0], x);
            m[1] = fmax(m[1], -x);
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, most, all, MPI_DOUBLE, MPI_MAX, f->graph->comm);
    for (int32_t g = 0; g < f->groups; g++) {
        for (int a = 0; a < dimensions; a++) {
            const double *m = most + (ptrdiff_t)2 * (dimensions * g + a);
            f->frame[g].high[a] = m[0];
            f->frame[g].low[a] = -m[1];
        }
    }
}

/* ---- Boxes ---- */

static void axes_of_coordinates(frame *f)
{
    memset(f, 0, sizeof *f);
    for (int a = 0; a < FRAME_DIMENSIONS; a++) {
        f->axis[a][a] = 1;
    }
}

static void swap_axes(frame *f, int a, int b)
{
    frame old = *f;
    memcpy(f->axis[a], old.axis[b], sizeof f->axis[a]);
    memcpy(f->axis[b], old.axis[a], sizeof f->axis[b]);
    f->low[a] = old.low[b];
    f->low[b] = old.low[a];
    f->high[a] = old.high[b];
    f->high[b] = old.high[a];
}

/* Of equal sides the first. */
static void longest_first(frame *f, int dimensions)
{
    for (int a = 1; a < dimensions; a++) {
        for (int b = a; b > 0 && f->high[b] - f->low[b] > f->high[b - 1] - f->low[b - 1]; b--) {
            swap_axes(f, b, b - 1);
        }
    }
}

int frames_of_boxes(frames *f, inlay_diag *diag)
{
    (void)diag;
    for (int32_t g = 0; g < f->groups; g++) {
        axes_of_coordinates(&f->frame[g]);
    }
    measure(f);
    for (int32_t g = 0; g < f->groups; g++) {
        longest_first(&f->frame[g], f->job->dimensions);
    }
    return INLAY_OK;
}

/* ---- Inertia ---- */

/* The sums over all ranks. MPI does not promise the same digits everywhere, and so all take those of rank 0. */
static void sum_moments(frames *f)
{
    int all = FRAME_MOMENTS * f->groups;
    bool first = collective_rank(f->graph->comm) == 0;
    MPI_Reduce(first ? MPI_IN_PLACE : f->moments, f->moments, all, MPI_DOUBLE, MPI_SUM, 0, f->graph->comm);
    MPI_Bcast(f->moments, all, MPI_DOUBLE, 0, f->graph->comm);
}

/* Those of the vertex' group; NULL: it is in none. */
static double *moments_of(const frames *f, int32_t i)
{
    return f->group[i] < 0 ? NULL : f->moments + (ptrdiff_t)FRAME_MOMENTS * f->group[i];
}

/* moments[0]: the weight; [1 + d]: that times the centre of gravity. */
static void sum_centres(frames *f)
{
    memset(f->moments, 0, (size_t)f->groups * FRAME_MOMENTS * sizeof *f->moments);
    for (int32_t i = 0; i < f->graph->rows; i++) {
        double w = (double)f->weight[i], *m = moments_of(f, i);
        for (int d = 0; d < f->job->dimensions && m != NULL; d++) {
            m[1 + d] += w * coordinate(f, i, d);
        }
        if (m != NULL) {
            m[0] += w;
        }
    }
    sum_moments(f);
}

/* Keeps the centres in frame[].low, and makes moments[FRAME_DIMENSIONS a + b] the covariance of coordinates a and b. */
static void sum_covariances(frames *f)
{
    int dimensions = f->job->dimensions;
    for (int32_t g = 0; g < f->groups; g++) {
        const double *m = f->moments + (ptrdiff_t)FRAME_MOMENTS * g;
        for (int d = 0; d < dimensions; d++) {
            f->frame[g].low[d] = m[0] > 0 ? m[1 + d] / m[0] : 0;
        }
    }
    memset(f->moments, 0, (size_t)f->groups * FRAME_MOMENTS * sizeof *f->moments);
    for (int32_t i = 0; i < f->graph->rows; i++) {
        double *m = moments_of(f, i);
        for (int a = 0; a < dimensions && m != NULL; a++) {
            const double *centre = f->frame[f->group[i]].low;
            double x = (double)f->weight[i] * (coordinate(f, i, a) - centre[a]);
            for (int b = 0; b < dimensions; b++) {
                m[FRAME_DIMENSIONS * a + b] += x * (coordinate(f, i, b) - centre[b]);
            }
        }
    }
    sum_moments(f);
}

/* The eigenvectors of a symmetric matrix, that of the largest eigenvalue first; `m` is destroyed. */
static void principal_axes(double *m, int dimensions, gsl_eigen_symmv_workspace *space, frame *f)
{
    double values[FRAME_DIMENSIONS], vectors[FRAME_DIMENSIONS * FRAME_DIMENSIONS];
    size_t n = (size_t)dimensions;
    gsl_matrix_view matrix = gsl_matrix_view_array_with_tda(m, n, n, FRAME_DIMENSIONS);
    gsl_matrix_view vector = gsl_matrix_view_array(vectors, n, n);
    gsl_vector_view value = gsl_vector_view_array(values, n);
    gsl_eigen_symmv(&matrix.matrix, &value.vector, &vector.matrix, space);
    gsl_eigen_symmv_sort(&value.vector, &vector.matrix, GSL_EIGEN_SORT_VAL_DESC);
    memset(f->axis, 0, sizeof f->axis);
    for (int a = 0; a < dimensions; a++) {
        for (int d = 0; d < dimensions; d++) {
            f->axis[a][d] = vectors[d * dimensions + a];
        }
    }
}

/* Every rank finds them for itself, out of the same moments. */
static int find_axes(frames *f, inlay_diag *diag)
{
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    gsl_eigen_symmv_workspace *space = gsl_eigen_symmv_alloc((size_t)f->job->dimensions);
    gsl_set_error_handler(before);
    int status = collective_agree(f->graph->comm, space == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    for (int32_t g = 0; g < f->groups && status == INLAY_OK; g++) {
        principal_axes(f->moments + (ptrdiff_t)FRAME_MOMENTS * g, f->job->dimensions, space, &f->frame[g]);
    }
    if (space != NULL) {
        gsl_eigen_symmv_free(space);
    }
    return status;
}

int frames_of_inertia(frames *f, inlay_diag *diag)
{
    sum_centres(f);
    sum_covariances(f);
    int status = find_axes(f, diag);
    if (status == INLAY_OK) {
        measure(f);
    }
    return status;
}
