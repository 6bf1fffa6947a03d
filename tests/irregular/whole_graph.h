/*
 * Small graphs that every rank knows whole, with its own share as the library takes it, and what partitions of them are and
 * cost, by brute force.
 */
#ifndef INLAY_TESTS_WHOLE_GRAPH_H
#define INLAY_TESTS_WHOLE_GRAPH_H

#include "harness.h"
#include <inlay/irregular_graph.h>

enum { WHOLE_MOST = 400 }; /* vertices */

typedef struct whole {
    int32_t n;
    int64_t weight[WHOLE_MOST][WHOLE_MOST]; /* of edges; 0: none */
    int64_t load[WHOLE_MOST], size[WHOLE_MOST];
    double coordinate[3 * WHOLE_MOST];
    int dimensions;
    int owner[WHOLE_MOST];
    bool unit; /* loads, sizes and weights are all 1, and not given */
    int32_t part[WHOLE_MOST];
    inlay_graph share;
    double *share_coordinate;
    int32_t *share_part;
} whole;

/* ---- Kinds of graphs; every rank draws the same ---- */

whole *whole_empty(int32_t n);

/* About `degree` neighbours each; few make many components. Loads 1 to `most_load`, or from 0 on where `zeros`. */
whole *whole_random(uint64_t *state, int32_t n, int degree, int64_t most_load, bool zeros);

/* nx x ny points, stretched in x and turned by an angle. */
whole *whole_grid(int32_t nx, int32_t ny, double stretch, double angle);
void whole_free(whole *w);

/* ---- Shares: made once ---- */

void whole_share_blocks(const harness *h, whole *w);

/* Rows in any order; on some ranks none. */
void whole_share_at_random(const harness *h, whole *w, uint64_t *state);

void whole_spread_parts(whole *w);  /* from part[] to share_part[] */
void whole_collect_parts(whole *w); /* and back, on all ranks; collective */

/* ---- Sums over part[] ---- */

int64_t whole_load(const whole *w);
int64_t whole_heaviest(const whole *w);
int64_t whole_part_load(const whole *w, int32_t part);
bool whole_part_present(const whole *w, int32_t part);
int64_t whole_cut(const whole *w);

/* Vertices of part p with a neighbour in part q, their size, and the weight between the two. */
int64_t whole_ghosts(const whole *w, int32_t p, int32_t q, int64_t *size, int64_t *weight);

#endif
