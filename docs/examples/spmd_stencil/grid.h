/*
 * The stencil itself: block rows of an N x N grid over MPI ranks, and the processors that the ranks imitate.
 *
 * Rank 0 gives orders and takes part like the others; they serve() until it says that all is done. An order is one run:
 * which ranks, in the order in which their rows lie, how many rows each of them has, and how long a row takes it. Ranks
 * that are not in the order wait for the next one and hardly use their processors.
 */
#ifndef STENCIL_GRID_H
#define STENCIL_GRID_H

#include <stdbool.h>

enum { TASKS = 256 }; /* most ranks of a run */

/* One block of rows. */
typedef struct stencil_task {
    int rank;
    int rows;        /* at least 1 */
    double row_time; /* seconds that a row takes the imitated processor; 0: as long as it takes the real one */
} stencil_task;

typedef struct stencil_order {
    int tasks;  /* in the order of their rows; 0: no more orders */
    int points; /* of a row */
    int cycles;
    bool overlap; /* STEN-2: messages are on their way while the inner rows are computed */
    bool gather;  /* rank 0 wants to see the grid */
    stencil_task task[TASKS];
} stencil_order;

/* What a run took. */
typedef struct stencil_outcome {
    double seconds;   /* of the slowest rank, from the first cycle to the last */
    double mean_late; /* seconds by which imitated work ended too late: mean over all, */
    double most_late; /* and the longest */
} stencil_outcome;

/*
 * Rank 0: has an order carried out. `grid` is NULL, or what the rows are gathered into, frame and all:
 * grid_size(rows, points) numbers.
 */
stencil_outcome run(const stencil_order *given, double *grid);

/* The other ranks: carry orders out until there are no more. */
void serve(void);

/* The same cycles by one processor alone; `grid` as run() gathers it. NULL: no memory. */
double *sequential(int rows, int points, int cycles);
long grid_size(int rows, int points);

/* Prepares every rank: sleeps are to end when they should, and are known to be late by how much they are. */
void prepare(void);

double now(void); /* seconds */

#endif
