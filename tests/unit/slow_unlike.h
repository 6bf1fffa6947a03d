/*
 * A slow, plain reference for processors that differ in type, speed, memory and cores, on hosts around one switch: random
 * applications and machines, and what follows from the rules of docs/links.md, with every sum taken anew.
 */
#ifndef UNIT_SLOW_UNLIKE_H
#define UNIT_SLOW_UNLIKE_H

#include <inlay/mapping.h>

enum { UNLIKE_MODULES = 14, UNLIKE_HOSTS = 6, UNLIKE_PROCESSORS = 3 * UNLIKE_HOSTS };

/** A host, and the cable to the switch, by which it sends and by which it receives. */
typedef struct slow_host {
    int type;
    double speed;
    int64_t memory; /* -1: unlimited */
    int cores;
    bool half; /* one link for both ways */
    double capacity, latency;
    long double works[2]; /* for how long the links to the switch and from it do */
} slow_host;

typedef struct slow_unlike {
    int seed;
    uint64_t state;
    inlay_app *app;
    inlay_machine *machine;
    inlay_options options;
    int modules, hosts, processors;
    slow_host host[UNLIKE_HOSTS];
    int host_of[UNLIKE_PROCESSORS];
    bool cut_through, exponential;
    double latency;

    /* Counted at the speed of the fastest, grains. */
    double fastest;
    bool streamed;
    inlay_time best[UNLIKE_MODULES];     /* least time of every module */
    inlay_time ready[UNLIKE_MODULES];    /* b of the start rule */
    inlay_time waits[UNLIKE_MODULES];    /* b that counts in work */
    long double rate[UNLIKE_PROCESSORS]; /* what a processor does in a unit of time */

    /* With the modules on processors. */
    const inlay_mapping *mapping;
    int of[UNLIKE_MODULES];
    int64_t traffic[UNLIKE_PROCESSORS][UNLIKE_PROCESSORS];
    long double busiest;
} slow_unlike;

/** A random application, which subject_app() holds, and a machine; the test aborts where one cannot be made. */
void slow_unlike_open(slow_unlike *ask, int seed);
void slow_unlike_close(slow_unlike *ask);

/** Time of a module on a host were its speed 1, grains. */
inlay_time slow_unlike_time(const slow_unlike *ask, int module, const slow_host *h);

/** Earliest starts with free messages, by the least times; their end. */
inlay_time slow_unlike_earliest(const slow_unlike *ask, inlay_time *start);

/** What the fastest so many processors do in a unit of time. */
long double slow_unlike_rate(const slow_unlike *ask, int processors);

/** Puts the mapping's modules and blocks where it has them, and their traffic on the links. */
void slow_unlike_lay(slow_unlike *ask, const inlay_mapping *mapping);
int slow_unlike_home(const slow_unlike *ask, inlay_id block); /**< the processor of a block */

/** Time of one unit of traffic from a processor to another, within T. */
long double slow_unlike_tau(const slow_unlike *ask, int from, int to, long double frame);

/** The estimate within T, in units of time; `start` of every module. */
long double slow_unlike_elapsed(const slow_unlike *ask, long double frame, long double *start);

#endif
