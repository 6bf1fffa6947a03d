/*
 * A second simulator, slow and simple: times are 64-bit grains, every step looks at everything there is for what comes
 * next, and queues are plain lists.
 */
#ifndef UNIT_SLOW_SIMULATE_H
#define UNIT_SLOW_SIMULATE_H

#include <inlay/inlay.h>

enum { SLOW_RUN_MODULES = 64, SLOW_RUN_MESSAGES = 4096 };

typedef struct slow_run_message {
    int64_t link; /**< as in inlay_simulated_message; of a datum the first that it goes with */
    int datum;    /**< or -1 */
    int64_t due, request, begin, sent, arrival;
} slow_run_message;

typedef struct slow_run {
    int64_t makespan;
    int64_t start[SLOW_RUN_MODULES], end[SLOW_RUN_MODULES];
    int messages;
    slow_run_message message[SLOW_RUN_MESSAGES]; /**< in the order of requests */
} slow_run;

/**
 * The run of a mapping. All its times have to be whole grains: c / (C x transfers) and the latency too. Constant times
 * alone; contention is INLAY_CONTENTION_QUEUES.
 */
void slow_simulate(const inlay_mapping *mapping, bool overlap, uint64_t seed, slow_run *run);

/** The same of a screen: all messages of a link, with all their transfers, are one of as many times the length. */
void slow_screen(const inlay_mapping *mapping, slow_run *run);

#endif
