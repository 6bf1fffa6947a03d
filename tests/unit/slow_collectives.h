/*
 * Collective communication message by message: who sends what to whom in each stage. A rank sends what it has, one message
 * a stage, and receives one; at the end all have all that they should, or the test fails.
 */
#ifndef UNIT_SLOW_COLLECTIVES_H
#define UNIT_SLOW_COLLECTIVES_H

#include <inlay/metasystem.h>

enum { SLOW_RANKS = 33, SLOW_STAGES = 512 };

typedef struct slow_collective {
    int stages;
    double most[SLOW_STAGES]; /**< bytes of the largest message of each */
} slow_collective;

/** @param segments  of a pipeline */
void slow_collective_run(inlay_pattern pattern, const char *algorithm, int ranks, double bytes, int segments,
                         slow_collective *made);

#endif
