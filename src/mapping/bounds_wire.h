/* What something costs that goes over the network, at the least: by itself, and in which time any amount can go. */
#ifndef MAPPING_BOUNDS_WIRE_H
#define MAPPING_BOUNDS_WIRE_H

#include "problem/interconnect.h"

/** One link's or datum's messages. */
typedef struct wire {
    int64_t messages; /**< that the network carries; 0: nothing goes */
    double traffic;   /**< in the unit of capacity */
    double latency;   /**< the machine's, of all of them */
} wire;

/** `messages` below 0 are none. */
wire wire_of(const interconnect *network, int64_t messages, int64_t bytes);

/** Least time of one unit of traffic between two processors; of networks without links. 0 where it is free. */
double wire_unit(const interconnect *network);

/** Share of its traffic that a copy takes which is not a datum's first: common memories are written once. */
double wire_further(const interconnect *network);

#endif
