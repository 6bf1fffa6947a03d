/*
 * Which common memory each data block stands in: every memory has the same size, and all are equally far. A bus with
 * common memory has one, a multiple bus m, an omega network k.
 */
#ifndef LAYOUT_MEMORIES_H
#define LAYOUT_MEMORIES_H

#include "layout/placement.h"

/**
 * Whether the blocks find room at all, wherever they prefer to be. INLAY_NO_ANSWER names a block that finds none, and a
 * size of memory that would do. Exact up to MEMORIES_EXACT blocks within a budget; beyond it, blocks are taken by falling
 * size, each into the first memory with room, which may miss a packing in memories that are nearly full.
 */
enum { MEMORIES_EXACT = 64 };
int memories_check(const problem *p, inlay_diag *diag);

/**
 * Fill in place->memory: the memory that goes with the processor of the block's home (its number modulo the number of
 * memories), or where there is no room the next one that has; where that fails, any packing, from which blocks go home where room
 * is left. Without any packing
 * (a user's own placement), the memories that were preferred; *fits tells. `fits` may be NULL.
 */
int memories_fill(const problem *p, placement *place, bool *fits, inlay_diag *diag);

#endif
