/*
 * The cheapest way to join points whose distances are given: a chain through all of them, or a tree. Clusters of
 * processors are joined so.
 *
 * `cost` is a symmetric matrix of `count` rows, its diagonal is not read; all costs are at least 0. `room` is scratch
 * memory of spmd_join_room(count) bytes, aligned as malloc() does. Nothing but the arguments decides among equals.
 */
#ifndef SELECT_JOIN_H
#define SELECT_JOIN_H

#include <stddef.h>
#include <stdint.h>

enum { SPMD_JOIN_EXACT = 12 }; /**< chains up to this many points are the cheapest there are */

/** Bytes of scratch memory for `count` points or fewer; above 0. */
size_t spmd_join_room(int32_t count);

/**
 * A cheap chain through all points, as `order`; returns its cost. Up to SPMD_JOIN_EXACT points it is the cheapest, of
 * equals the one whose numbers are smallest from the begin on; above, what nearest neighbours and exchanges find. With
 * all costs equal it is 0, 1, 2, ... whatever their number.
 */
double spmd_join_chain(int32_t count, const double *cost, void *room, int32_t *order);

/** The cheapest tree, as the `parent` of each point (-1 of the root); returns its cost. Ties go to the smaller number. */
double spmd_join_tree(int32_t count, const double *cost, int32_t root, void *room, int32_t *parent);

#endif
