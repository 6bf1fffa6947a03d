/* How long messages take. */
#ifndef TOOLS_MEASURE_MESSAGES_H
#define TOOLS_MEASURE_MESSAGES_H

#include "cluster.h"
#include "measure_values.h"

/** What all messages are sent from and to. */
typedef struct messages {
    int64_t size[MEASURE_SIZES]; /**< bytes, ascending */
    int sizes;
    char *sent, *received;  /**< room for the largest; ours */
    double *seconds;        /**< sizes * repeats; ours */
    bool overheads;         /**< these two are measured too: for how long a message keeps its processors */
    double *send, *receive; /**< likewise; ours */
} messages;

/** Two ranks, the lower first. */
typedef struct rank_pair {
    int from, to;
} rank_pair;

/** @return INLAY_NO_MEMORY, on all ranks */
int messages_make(const cluster *all, const int64_t *size, int sizes, messages *result);
void messages_clear(messages *m);

/**
 * All pairs of ranks, or where there are more than `most` a sample with some of each class, the same on all ranks.
 * @param list   the caller's to free
 * @return INLAY_NO_MEMORY
 */
int pairs_choose(const cluster *all, int most, uint64_t seed, rank_pair **list, int *count, bool *sampled);

/**
 * Time ping-pongs of two ranks while all others rest, and for how long a message keeps the one that sends it, and the one
 * that asks for it when it has long been there. m->seconds, m->send and m->receive of rank 0 have them, one way. All ranks
 * call this.
 */
void pair_measure(const cluster *all, const messages *m, rank_pair pair);

/** Time steps of a ring of some ranks, as turns_measure() does. */
void ring_measure(const cluster *all, const messages *m, int place);

/** How often something that took `seconds` is done so that a repeat is long enough for the clock. */
int times_enough(double seconds);

#endif
