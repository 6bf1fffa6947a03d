/* Room for a least-squares fit of several terms: GSL's. */
#ifndef MEASURE_SQUARES_H
#define MEASURE_SQUARES_H

#include <gsl/gsl_multifit.h>
#include <stdbool.h>

typedef struct squares_room {
    gsl_matrix *terms, *covariance;
    gsl_vector *weight, *value, *found;
    gsl_multifit_linear_workspace *work;
} squares_room;

/** False where there is no memory; freed all the same. GSL's error handler has to be off. */
bool squares_make(size_t points, size_t terms, squares_room *room);
void squares_free(squares_room *room);

#endif
