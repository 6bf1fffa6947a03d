/*
 * List schedulers that look for a pair: of all ready modules and all processors the best goes next, again and again. Nothing
 * is inserted, so that a module starts behind all that its processor has.
 */
#ifndef CLUSTER_BIDS_H
#define CLUSTER_BIDS_H

#include "cluster/schedule.h"

/** What a ready module could get: of two, the one with the greater `value` goes first. */
typedef struct schedule_bid {
    double value;
    inlay_id processor; /**< -1: none has room */
} schedule_bid;

/** The best of a module over all processors. */
typedef schedule_bid schedule_bidding(const schedule *s, inlay_id module, const void *own);

/** What that of one processor is, less the module's start there: the same on all processors of a kind. */
typedef double schedule_worth(const schedule *s, inlay_id module, inlay_id processor, const void *own);

typedef struct bid_rule {
    schedule_bidding *bid;
    schedule_worth *worth; /**< NULL: bids get better as processors fill, all are looked at in every step */
    const double
        *second; /**< of modules: of equal values the greater goes first; NULL: none. Then the smaller module does */
    const void *own;
} bid_rule;

/** Give every module a processor. */
int schedule_by_bids(schedule *s, const bid_rule *rule, inlay_diag *diag);

#endif
