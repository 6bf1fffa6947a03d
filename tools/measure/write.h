/* What a measurement comes to, written: the machine file, the table and the JSON. */
#ifndef TOOLS_MEASURE_WRITE_H
#define TOOLS_MEASURE_WRITE_H

#include "analysis.h"
#include "options.h"
#include "words.h"

/** What the machine file says of the network; further warnings come with it. */
typedef struct machine_plan {
    bool bus;      /**< one bus joins all processors; else links */
    bool numbered; /**< the hosts' names are of no use in the file */
    bool cores;    /**< a switch in each host */
    bool half[CLASSES];
    double latency[CLASSES], capacity[CLASSES]; /**< seconds and bytes a second; as the file has them */
} machine_plan;

machine_plan machine_plan_of(analysis *a);

/** "switch", "bus" or "half-duplex"; NULL where there is but one rank. */
const char *machine_kind(const analysis *a);

/** Write the machine file. Returns an exit status, and has said what went wrong. */
int machine_write(const analysis *a, const machine_plan *plan, const char *path);

/** A status of the library. */
int print_table(const analysis *a);
void print_json(const invocation *call, const analysis *a);

#endif
