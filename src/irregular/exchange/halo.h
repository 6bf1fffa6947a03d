/* Halos from inside: who has ghosts of whom. */
#ifndef IRREGULAR_EXCHANGE_HALO_H
#define IRREGULAR_EXCHANGE_HALO_H

#include "irregular/exchange/collective.h"
#include <inlay/irregular_exchange.h>

/** One side of the neighbourhood. */
typedef struct halo_side {
    int neighbours;
    int *rank;   /**< [neighbours], ascending */
    int *start;  /**< [neighbours + 1] entries of each: ghosts on the one side, entries of `take` on the other */
    int *counts; /**< [2 x neighbours] of `width` numbers each, for MPI: counts and starts */
} halo_side;

struct inlay_halo {
    MPI_Comm gather;  /**< neighbourhood with messages from owners to ghosts; MPI_COMM_NULL: not made yet */
    MPI_Comm scatter; /**< the same turned round */
    int32_t own, ghosts, sends;
    halo_side in, out; /**< owners of ghosts here; ranks with ghosts of elements here */
    int32_t *take;     /**< [sends] offsets of own elements, by the neighbour that has them as ghosts */
    int width;         /**< that in.counts and out.counts are made for */
    int widest;        /**< that `buffer` has room for, and messages of which are no longer than MPI allows */
    double *buffer;    /**< [sends x widest] */
};

#endif
