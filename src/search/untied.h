/*
 * The greedy rule on pairs without traffic, once no communicating pair is left: the pair of least work first. It can go on
 * under a longer time frame where it stopped, since what it did was within the shorter one.
 *
 * The pieces stand in the order of (work, smallest module), and one bit a piece says of each level who stands there: the
 * partners of a piece are those that none of its levels has, and the first bit is the best of them.
 */
#ifndef SEARCH_LEFTOVER_H
#define SEARCH_LEFTOVER_H

#include "search/clusters.h"

/** A cluster as it came, or one that was merged from two; it never changes. */
typedef struct piece {
    inlay_time work;
    int64_t memory;
    inlay_id least, pin;
    inlay_id part_of;   /**< the piece that it became part of, or -1 */
    inlay_id tried_old; /**< no piece that came before this one fits, ... */
    inlay_id tried_new; /**< ... and of the merged ones none before this */
} piece;

/** A piece with its best partner. */
typedef struct offer {
    inlay_time work; /**< sum; where there is no partner yet, what it cannot go below */
    inlay_id low, high;
    inlay_id piece, partner; /**< partner -1: to be looked for */
} offer;

typedef struct untied {
    const problem *p;
    const clusters *clusters;
    piece *pieces; /**< `came` of them in order; from `merged_from` on those that were merged, by rising work */
    inlay_id came, merged_from, merged;
    inlay_id *piece_of; /**< of every root */
    uint64_t *levels;   /**< of every piece, as in clusters */
    uint64_t *alive;    /**< a bit a piece */
    uint64_t *standing; /**< by 64 pieces and level: a bit a piece */
    size_t piece_capacity, level_capacity, alive_capacity, standing_capacity;
    offer *offers; /**< a heap */
    size_t offer_count, offer_capacity;
    int32_t *own;    /**< scratch: levels of one piece */
    inlay_id *label; /**< scratch: of every piece */
    size_t label_capacity;
} untied;

/** Bytes that it will take. */
double untied_bytes(const problem *p);

int untied_make(const clusters *c, untied *result, inlay_diag *diag);
void untied_clear(untied *m);

/** Start anew from the clusters as they are; false when out of memory. */
bool untied_begin(untied *m);

/**
 * Merge under `limit`, which does not fall from call to call.
 * @param next  the least sum of work rejected for time; INT64_MAX where none was
 */
bool untied_run(untied *m, inlay_time limit, inlay_time *next);

/** Numbers the clusters by their smallest module: fills cluster_of[modules] and returns how many there are. */
inlay_id untied_label(untied *m, inlay_id *cluster_of);

#endif
