/*
 * The graphs that recursive spectral bisection works on: one of a chain of ever coarser ones, or a half that was split
 * off. Vertices are numbered through rank by rank, so that each rank has a block of them; those of other ranks that are
 * neighbours are ghosts, numbered behind the rank's own.
 */
#ifndef IRREGULAR_PARTITION_SPECTRAL_LEVEL_H
#define IRREGULAR_PARTITION_SPECTRAL_LEVEL_H

#include <inlay/irregular_graph.h>
#include <stdbool.h>

/** A row on its way from rank to rank; its arcs follow those of the row before. */
typedef struct spectral_row {
    int64_t row;    /**< number of its vertex in the graph that is made; rows of the same number are joined */
    int64_t load;   /**< added where rows are joined, as is `mass` */
    int64_t mass;   /**< how many vertices of the graph that was given it stands for */
    int64_t origin; /**< where that vertex was given; of joined rows any one */
    int64_t arcs;
} spectral_row;

typedef struct spectral_arc {
    int64_t column, weight;
} spectral_arc;

typedef struct spectral_rows {
    int64_t rows, arcs;
    spectral_row *row;
    spectral_arc *arc;
} spectral_rows;

void spectral_rows_clear(spectral_rows *rows);
bool spectral_rows_room(spectral_rows *rows, int64_t count, int64_t arcs); /**< of empty ones; false: no memory */

/** Row i goes to rank owner[i]. `received` must be empty. Collective. */
int spectral_rows_send(MPI_Comm comm, const spectral_rows *rows, const int32_t *owner, spectral_rows *received,
                       inlay_diag *diag);

typedef struct spectral_level {
    MPI_Comm comm;       /**< borrowed */
    MPI_Comm neighbours; /**< topology of the ranks that share edges; MPI_COMM_NULL on one rank */
    int rank, ranks;
    int64_t vertices; /**< of all ranks */
    int32_t rows, ghosts;
    int64_t *first;  /**< [ranks + 1]: number of the first vertex of each rank */
    int64_t *start;  /**< [rows + 1]: row i has the arcs start[i] .. start[i + 1] - 1 */
    int32_t *column; /**< local numbers: own rows, then ghosts; no loops, no duplicates */
    int64_t *weight;
    int64_t *load;   /**< [rows + ghosts] */
    int64_t *mass;   /**< [rows + ghosts] */
    int64_t *number; /**< [rows + ghosts]: numbers in the whole graph */
    int64_t *origin; /**< [rows] */
    double *degree;  /**< [rows]: sum of the weights of its arcs, the diagonal of the Laplacian */

    /* Filled by spectral_coarsen(). */
    int32_t *leader; /**< [rows]: the vertex, local number, that stands for this one in the coarser graph */
    int32_t *coarse; /**< [rows]: of leaders their row there, else -1 */

    /* What spectral_share() sends: */
    int sources, targets; /**< ranks that own ghosts; ranks that have ghosts of ours */
    int *counts;          /**< [2 x (sources + targets)]: counts and starts in, counts and starts out */
    int32_t sends, *send; /**< rows, by target */
    int64_t *buffer;      /**< [sends] */
} spectral_level;

/**
 * The graph of these rows, which this rank owns: their numbers are in first[rank] .. first[rank + 1] - 1. Equal arcs are
 * added up, loops left out. Collective.
 */
int spectral_level_make(MPI_Comm comm, const int64_t *first, const spectral_rows *rows, spectral_level **level,
                        inlay_diag *diag);

/** The graph as it was given, numbered through from rank to rank: row i of the level is row i of the graph. Collective. */
int spectral_level_of(const inlay_graph *graph, spectral_level **level, inlay_diag *diag);
void spectral_level_free(spectral_level *level);

/** Fills array[rows ..] with what the owners of the ghosts have; entries of 1 or 8 bytes. Collective. */
void spectral_share(const spectral_level *level, void *array, size_t bytes);

/** The rank that owns a vertex. */
int spectral_owner(const spectral_level *level, int64_t number);

/** Numbers that look random and are the same everywhere (G. Steele et al., SplitMix, 2014). */
static inline uint64_t spectral_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
}

#endif
