/* What is counted of one resource of the network. */
#ifndef SIMULATE_USAGE_H
#define SIMULATE_USAGE_H

#include <stdint.h>

/** How one resource fares in a run. */
typedef struct usage {
    double busy;   /**< time taken */
    double waited; /**< sum of waiting times */
    double passed; /**< sum of times behind them: omega's transits; elsewhere it is `busy` that counts */
    int64_t requests, waiting, largest;
} usage;

#endif
