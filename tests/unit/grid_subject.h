/* Grid problems for the tests: those of the goldens, and random ones. */
#ifndef UNIT_GRID_SUBJECT_H
#define UNIT_GRID_SUBJECT_H

#include <inlay/decompose.h>

enum { SUBJECT_PROCESSORS = 32 };

/** problem.speed points to `speed`: a subject must not be copied. */
typedef struct grid_subject {
    inlay_grid_problem problem;
    double speed[SUBJECT_PROCESSORS];
} grid_subject;

/** An n x n torus of 8-byte items for speeds that end with 0. */
void grid_subject_square(int64_t n, const double *speed, grid_subject *s);

/** p processors of speed 1. */
void grid_subject_alike(int64_t rows, int64_t columns, int32_t processors, grid_subject *s);

/** A grid of 1 x 1 up to `side` x `side` cells, torus or not, for up to `processors` of few or many speeds. */
void grid_subject_random(uint64_t *state, int64_t side, int32_t processors, grid_subject *s);

/** splitmix64; a whole number from `low` to `high`. */
uint64_t grid_subject_next(uint64_t *state);
int64_t grid_subject_between(uint64_t *state, int64_t low, int64_t high);

/** Options that vary whatever a method looks at. */
inlay_grid_options grid_subject_options(uint64_t *state, const inlay_grid_problem *problem);

/** Ethernet as in figures 36 and 38: 2.5 ms, 1.5 us a byte, 1460 bytes of data and 58 others in a frame. */
extern const inlay_grid_network grid_ethernet;

/** inlay_decompose() and inlay_decomposition_cost() for one pattern, which must succeed. */
inlay_decomposition *grid_decomposed(const inlay_grid_problem *problem, inlay_grid_method method,
                                     const inlay_grid_options *options);
inlay_grid_cost grid_cost_of(const inlay_decomposition *d, const inlay_grid_network *network,
                             inlay_grid_communication communication);

/** Both at once, for five points. */
inlay_grid_cost grid_stencil5(const inlay_grid_problem *problem, inlay_grid_method method,
                              const inlay_grid_options *options);

#endif
