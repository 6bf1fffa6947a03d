/*
 * Process counts the slow way, written from the specification: one processor after the other, one process after the
 * other, or all placements there are. W_i = l_i (W / l), as the library computes it, so that equal times are equal here.
 */
#ifndef UNIT_SLOW_PROCESSES_H
#define UNIT_SLOW_PROCESSES_H

#include <inlay/processes.h>

enum { SLOW_PROCESSORS = 64 };

/** Processors one by one. */
typedef struct slow_platform {
    int processors;
    const inlay_processors *row[SLOW_PROCESSORS]; /**< of each processor */
    double data;                                  /**< W */
} slow_platform;

/** The processors of a problem in their order. */
slow_platform slow_platform_of(const inlay_process_problem *problem);

double slow_hoho(const slow_platform *platform);

/** t_i for k of l processes, or for k units of data in one process. */
double slow_share_time(const slow_platform *platform, int processor, int64_t k, int64_t l, bool divided);

/**
 * The paper's algorithm for one l: process after process to the processor that would end first; gives the time, and the
 * processes of each processor. Infinite where a step exceeds `limit`. `divided`: units of data in one process each.
 */
double slow_deal(const slow_platform *platform, int64_t l, bool divided, double limit, int64_t *processes);

/** The least time of all placements of l processes within the limit; infinite where there is none. */
double slow_best(const slow_platform *platform, int64_t l, bool divided, double limit);

/** Measurements by rising x, and for each by rising y: `knots` for each of `columns`. */
typedef struct slow_table {
    const inlay_measurement *measurement;
    size_t columns, knots;
} slow_table;

/** f by Steffen's formulas over y and lines over x; above the last x as at it. */
double slow_table_speed(const slow_table *table, double x, double y);

/** Points that processes send to other processors in one exchange, by looking at all pairs of neighbours. */
typedef struct slow_exchange {
    int64_t links, internal;
    double volume, external, busiest;
} slow_exchange;

slow_exchange slow_exchange_of(const int64_t *shape, const int64_t *data, int64_t halo, const int32_t *processor);

#endif
