/* Random applications and machines from a seed, made through the public headers. The same seed gives the same bytes. */
#ifndef UNIT_RANDOM_APP_H
#define UNIT_RANDOM_APP_H

#include <inlay/app.h>

/** The next number of a stream; the state is any seed (splitmix64, Steele, Lea and Flood 2014). */
uint64_t random_next(uint64_t *state);

/** 0 .. below-1; below at least 1. */
int64_t random_below(uint64_t *state, int64_t below);

/** True once in `times` on average. */
bool random_once_in(uint64_t *state, int64_t times);

enum { RANDOM_MODULES = 64 };

/** What an application may have beside modules with times and links with messages. */
typedef enum random_features {
    RANDOM_BLOCKING = 1,
    RANDOM_TRAFFIC_ONLY = 2,
    RANDOM_BLOCKS = 4,
    RANDOM_MEMORY = 8,
    RANDOM_PINS = 16,
    RANDOM_DECIMALS = 32,
    RANDOM_EVERYTHING = 63,
    RANDOM_DATA = 64, /**< beside: links that carry data, with something of their own or not */
    RANDOM_DEADLINES = 128,
    RANDOM_TRAFFIC_MEMORY = 256 /**< up to 4 kB between memory and cores */
} random_features;

/** The times as they were meant, in 10^-decimals of the unit, to compare with what the application says. */
typedef struct random_times {
    int decimals;
    int64_t time[RANDOM_MODULES];
    int64_t blocking[RANDOM_MODULES];
} random_times;

/**
 * An application of 1 .. RANDOM_MODULES modules, layered or with links anywhere; pins name processors 0 .. 2, a module
 * has up to 4 KiB of memory, a data block up to 1 KiB. Freed by the caller; the test aborts where building fails.
 */
inlay_app *random_app(uint64_t *state, inlay_id modules, unsigned features, random_times *times);

/** All modules, of which there are at most RANDOM_MODULES, each behind its predecessors. */
void random_topological(uint64_t *state, const inlay_app *app, inlay_id *order);

#endif
