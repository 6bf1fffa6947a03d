/*
 * The greedy rule on communicating pairs, run under one time frame after the other, rising. Two runs are alike up to the
 * first pair that the shorter time frame rejected and the longer admits: a run goes back to there, and on.
 *
 * A log has the pairs in the order in which they came up. All that were waiting when one of them came up stand in it
 * from there on, in order; those that came to wait later are told by their birth.
 */
#ifndef SEARCH_REPLAY_H
#define SEARCH_REPLAY_H

#include "search/clusters.h"

/** A pair that waits, or has come up. */
typedef struct event {
    pair item;
    uint32_t birth;  /**< length of the log when it came to wait */
    uint32_t joined; /**< mergers before it came up */
} event;

typedef struct event_list {
    event *items;
    size_t count, capacity;
} event_list;

/** A pair that was rejected for time, with a smaller sum of work than any before it. */
typedef struct rejection {
    size_t at; /**< in the log */
    inlay_time work;
} rejection;

typedef struct replay {
    clusters clusters;
    event_list waiting; /**< in order, from `next` on */
    size_t next;
    event_list heap; /**< of those that came to wait during the run */
    event_list log;
    rejection *rejected; /**< their sums fall */
    size_t rejected_count, rejected_capacity;
} replay;

int replay_make(const problem *p, replay *result, inlay_diag *diag);
void replay_clear(replay *r);

/** The least time frame at which the run is another; INT64_MAX where there is none. */
inlay_time replay_next(const replay *r);

/** Run under `limit`, which does not fall from call to call; false when out of memory. */
bool replay_run(replay *r, inlay_time limit);

#endif
