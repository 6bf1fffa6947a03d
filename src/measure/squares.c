/* Room for a least-squares fit. */
#include "measure/squares.h"

bool squares_make(size_t points, size_t terms, squares_room *room)
{
    *room = (squares_room){gsl_matrix_alloc(points, terms), gsl_matrix_alloc(terms, terms),
                           gsl_vector_alloc(points),        gsl_vector_alloc(points),
                           gsl_vector_alloc(terms),         gsl_multifit_linear_alloc(points, terms)};
    return room->terms != NULL && room->covariance != NULL && room->weight != NULL && room->value != NULL &&
           room->found != NULL && room->work != NULL;
}

void squares_free(squares_room *room)
{
    gsl_matrix_free(room->terms);
    gsl_matrix_free(room->covariance);
    gsl_vector_free(room->weight);
    gsl_vector_free(room->value);
    gsl_vector_free(room->found);
    gsl_multifit_linear_free(room->work);
}
