/*
 * Heat in a plate of rows x columns cells, by Jacobi steps on MPI ranks, whichever rank has which cell: a new value is
 * the mean of a cell and its four neighbours.
 *
 * Rank 0 gives orders and takes part like the others, which serve() until it says that all is done. An order for steps
 * comes with the owner of every cell and with the messages of a step, as inlay_decomposition_messages() lists them:
 * those are sent, and no others. A rank whose cells and messages do not go together ends the program.
 *
 * Every rank has room for the whole plate, so that a cell has the same place everywhere; a program for large plates
 * would keep its own pieces alone.
 */
#ifndef THERMAL_PLATE_H
#define THERMAL_PLATE_H

#include <stdbool.h>
#include <stdint.h>

enum { RANKS = 64, DIRECTIONS = 4 }; /* most ranks; north, south, east, west */

/* What a rank sends another one in a step: `cells` values. */
typedef struct plate_message {
    int from, to, direction, cells;
} plate_message;

typedef enum plate_task {
    PLATE_END,  /* there are no more orders */
    PLATE_STEP, /* Jacobi steps */
    PLATE_RING  /* everybody sends the next rank `bytes`, and receives as many from the one before it */
} plate_task;

typedef struct plate_order {
    plate_task task;
    int steps;
    int rows, columns;
    bool bounded; /* no heat leaves at the edges, which are each other's neighbours otherwise */
    bool gather;  /* rank 0 wants to see the plate */
    int messages;
    int bytes;               /* of a ring */
    double cell_time[RANKS]; /* seconds that a cell takes the processor that a rank imitates; not of a ring */
} plate_order;

/* What an order took. */
typedef struct plate_outcome {
    double seconds;   /* of the slowest rank, from the first step to the last */
    double most_late; /* longest time by which imitated work ended too late */
} plate_outcome;

/*
 * Rank 0: has an order carried out. `owner` has a rank for every cell, in reading order, `message` order->messages
 * entries; neither is for rings. `plate` is NULL, or where all cells are gathered.
 */
plate_outcome run(const plate_order *order, uint8_t *owner, plate_message *message, double *plate);

/* The other ranks: carry orders out until there are no more. */
void serve(void);

/* The same steps by one processor, plainly. NULL: no memory. */
double *sequential(int rows, int columns, bool bounded, int steps);

#endif
