/*
 * What a schedule's times follow from, in flat arrays and grains: what modules take on each processor, when their links
 * are due, and what messages take that meet nobody. Where nothing meets in the network these are the engine's times but
 * for rounding; elsewhere they are hardly ever longer.
 */
#ifndef SEARCH_TERMS_H
#define SEARCH_TERMS_H

#include "base/memory.h"
#include "problem/problem.h"
#include "simulate/plan.h"

/** A precedence link, in the row of one of its ends. */
typedef struct term_link {
    inlay_id other; /**< module at the other end */
    int64_t twin;   /**< of one in `in`: the same in `out` */
    double size;    /**< where all places are as far: the whole delay; else `per` is its factor */
    double each;    /**< what the delay has besides wherever it leaves its processor */
} term_link;

typedef struct terms {
    const problem *p;
    memory_pool pool;
    inlay_id modules;
    inlay_id places;               /**< processors: the first so many */
    int64_t *in_begin, *out_begin; /**< modules + 1 */
    term_link *in, *out;
    double **time;       /**< of every place: of every module there */
    double **lag;        /**< of every place: from a module's start to when each of `out` is due; NULL: its time */
    double *per, *fixed; /**< from place to place: delay a unit of size, and of any size; NULL where all are as far */
    bool anywhere; /**< other processors of the machine are as far as these places, and nothing else tells them apart */
    bool exact;    /**< nothing meets in the network, or is left out here */
    bool whole;    /**< every schedule takes a whole number of grains */
    bool below;    /**< the engine's times are never shorter */
    inlay_id *host; /**< of every place */
    double least;   /**< no schedule on these places is shorter */
} terms;

/**
 * @param of      of the first `places` processors, by their numbers
 * @return INLAY_NO_MEMORY without a message
 */
int terms_make(const problem *p, const plan *of, inlay_id places, terms *result);
void terms_clear(terms *t);

/** The least of `of` (time, or lag) at `at` on any place. */
double terms_least(const terms *t, double *const *of, int64_t at);

/** What a link takes from one place to another. */
static inline double terms_delay(const terms *t, const term_link *l, inlay_id from, inlay_id to)
{
    if (from == to) {
        return 0;
    }
    if (t->per == NULL) {
        return l->size;
    }
    size_t pair = (size_t)from * (size_t)t->places + (size_t)to;
    return l->size * t->per[pair] + t->fixed[pair] + l->each;
}

#endif
