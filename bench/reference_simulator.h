/*
 * A simulator without features, to measure Inlay's by: a binary heap of events, the processors' orders, one bus, first
 * come first served. Finish rule, sends overlap computation, one message under way a processor; it counts nothing and
 * explains nothing.
 */
#ifndef BENCH_REFERENCE_SIMULATOR_H
#define BENCH_REFERENCE_SIMULATOR_H

#include <inlay/inlay.h>

typedef struct reference_network {
    bool free;       /**< messages take no time; else they share a bus */
    double capacity; /**< bytes a unit of time */
    double latency;  /**< of a message, units */
} reference_network;

/** Elapsed time in the application's unit. Links have one message; 0 or INLAY_NO_MEMORY. */
int reference_simulate(const inlay_mapping *mapping, const reference_network *network, double *elapsed);

#endif
