/*
 * A second simulator for machines with links, slow and simple: every message walks through states at every link of its
 * route, links have queues in which messages stand, and every step looks at everything for what comes next.
 *
 * Of one time, what is over at links and what arrives comes first, then modules by processor, then data that are passed
 * on, then messages that ask for a link, by number: a message gets its number when the one before it in its train asks for the first link.
 */
#ifndef UNIT_SLOW_LINKS_H
#define UNIT_SLOW_LINKS_H

#include <inlay/inlay.h>

enum { SLOW_LINKS_MODULES = 32, SLOW_LINKS_ITEMS = 1024, SLOW_LINKS_LINKS = 1024 };

typedef struct slow_links_item {
    int64_t link; /**< as in inlay_simulated_message; of a datum the first that it goes with */
    int datum;    /**< or -1 */
    double due, begin, sent, arrival;
} slow_links_item;

typedef struct slow_links_link {
    double busy, waited;
    int64_t requests, largest;
} slow_links_link;

/** Times in the application's grains. */
typedef struct slow_links_run {
    double makespan;
    double start[SLOW_LINKS_MODULES], end[SLOW_LINKS_MODULES];
    int items;
    slow_links_item item[SLOW_LINKS_ITEMS]; /**< in the order in which they are due */
    slow_links_link link[SLOW_LINKS_LINKS];
} slow_links_run;

typedef struct slow_links_options {
    bool no_overlap, alone; /**< alone: every train on links of its own */
    bool screen; /**< a train is given all links of its route when it sets out, for all its messages together */
    inlay_spread transfer_time;
    uint64_t seed;
} slow_links_options;

/** Links have to count in the application's unit of time. */
void slow_links(const inlay_mapping *mapping, const slow_links_options *options, slow_links_run *run);

/** inlay_simulate(), recorded, and what holds of every run over links: times add up, and the path has no gap. */
inlay_simulation *links_simulated(const inlay_mapping *mapping, inlay_simulation_options options);

#endif
