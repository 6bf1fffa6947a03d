/*
 * Lower bounds, worked out anew from their definitions (docs/bounds.md): intervals and modules that the file names are
 * counted by themselves, and on small graphs all others, too. Times are in the application's unit.
 */
#ifndef CHECK_BOUNDS_H
#define CHECK_BOUNDS_H

#include "check/check.h"

/** What bounds build on. */
typedef struct check_limits {
    const check *k;
    bool keeps;         /**< the placement keeps pins and memory, which may then be relied on */
    inlay_time *before; /**< start of every module at the soonest, grains */
    inlay_time *behind; /**< from its start to the end of all, at the least, grains */
    long double unit;   /**< least time of one unit of traffic between two processors, without links */
    long double far;    /**< omega-pe: the same through all stages; else as `unit` */
    long double again;  /**< share of its traffic that a further copy of a datum takes */
} check_limits;

int check_limits_make(const check *k, check_limits *limits);
void check_limits_clear(check_limits *limits);

/** Whether messages can fill what they meet at. */
static inline bool check_queued(const check *k)
{
    return !k->network.free && inlay_machine_contention(k->machine) == INLAY_CONTENTION_QUEUES;
}

static inline long double check_long(const check *k, inlay_time grains)
{
    return (long double)grains / (long double)k->grains_per_unit / (long double)k->speed;
}

/** Lag of a link, and whether its ends cannot be where no message goes between them. */
long double check_least_lag(const check_limits *limits, inlay_id from, inlay_id to);
bool check_keep_apart(const check_limits *limits, inlay_id a, inlay_id b);

/** Messages, as the network carries them, and traffic of a link beside data, and of a datum. */
typedef struct check_load {
    long double traffic, messages, latency;
} check_load;
check_load check_load_of(const check *k, int64_t messages, int64_t bytes);
check_load check_own_load(const check *k, const inlay_links *out, int64_t l);
check_load check_datum_load(const check *k, inlay_id datum);

/** Least B of one module that sends, or receives; NaN where nothing is claimed (bounds_split.c). */
int check_split(const check_limits *limits, inlay_id module, bool sends, double *bound);

/** What this placement asks of one resource of each kind; NaN where there is none (bounds_placement.c). */
typedef struct check_placed {
    double sender, bus, memory, link;
} check_placed;
int check_placement(const check_limits *limits, check_placed *placed);

#endif
