/*
 * The schedules of a portfolio improved by local search (climb.h), on one count of processors after the other.
 *
 * What comes of a count depends on its schedules, the seed and the effort alone: not on other counts, nor on the number of
 * threads. Several searches start from the best schedules of a count, each with random numbers of its own.
 */
#ifndef SEARCH_IMPROVE_H
#define SEARCH_IMPROVE_H

#include "search/terms.h"
#include "simulate/rerun.h"

/**
 * CHAINS: searches of a count, each from a schedule of its own as far as there are any. PLACES: processors that a schedule
 * may have, since all ways between them are at hand.
 */
/** The share of the search that comes before all counts are improved, about. */
#define IMPROVE_FROM 0.2

enum { IMPROVE_CHAINS = 4, IMPROVE_PLACES = 256 };

/** A schedule: as in cluster/method.h. */
typedef struct improve_schedule {
    double elapsed;    /**< as simulated, in the application's unit */
    double unimproved; /**< likewise, before it was improved */
    double period,
        period_unimproved; /**< the least period where that is the objective, else 0; before it was improved */
    inlay_id *processor_of, *order;
    const char *method; /**< whose it was at first */
    size_t row;         /**< of the method in the table */
    double risk;        /**< filled in where schedules are judged by that in the end (risk.h) */
} improve_schedule;

/** The best of one count, the first is the best of them. */
typedef struct improve_count {
    inlay_id processors;
    int schedules;
    improve_schedule schedule[IMPROVE_CHAINS];
    double portfolio;    /**< what the first took before any was improved */
    int64_t evaluations; /**< filled in */
    double least;        /**< proven (prove.h): on at most so many processors nothing is shorter; 0 nothing is known */
} improve_count;

typedef struct improvement {
    const problem *p;
    int64_t max_events;   /**< of a simulation: a schedule that takes more is left alone */
    improve_count *count; /**< by rising number of processors */
    size_t counts, room;
    double end;      /**< on the monotonic clock, where the effort is a time; 0: it is not */
    inlay_kept kept; /**< what the searches leave as it is */
} improvement;

/** Whether there is anything to be improved: the problem is of a kind and a size that a search is for. */
bool improve_suits(const problem *p);

/** What a schedule's times follow from on so many processors. INLAY_OK, or a status without a message. */
int improve_terms(const improvement *of, inlay_id processors, rerun *again, terms *t);

/** Whether it is on the first so many processors: others may be the only ones for what is pinned to them. */
bool improve_within(const problem *p, const improve_schedule *schedule, inlay_id processors);

/** Without any count. */
improvement improve_begin(const problem *p, int64_t max_events);

/**
 * Improve the schedules of all counts, or of the last one, all others being done: schedule[0] of each is the best that was
 * found, with the method that it began with. A count that can be no better than another is left out; for the last these
 * are those before it.
 * @param until   a moment of the monotonic clock, where the effort is a time
 * @return INLAY_NO_MEMORY without a message
 */
int improve_all(improvement *of, double until);
int improve_last(improvement *of);

/** Seconds that the last count may take, where the effort is a time: what is left is shared out with larger ones. */
double improve_share(const improvement *of);

#endif
