/*
 * Equal things dealt to unlike processors so that the last one ends soonest: processes that share all data evenly
 * (HeHo), or units of data to one process on each processor (HoHe).
 */
#ifndef PROCESSES_SPREAD_H
#define PROCESSES_SPREAD_H

#include "base/memory.h"
#include "processes/performance.h"

typedef struct spread_row {
    performance_times times;
    int64_t count; /**< of its processors */
} spread_row;

/** The work for a row in the heap of a spread. */
typedef struct spread_next {
    double time; /**< when a processor of the row would end with one thing more than `each` */
    size_t row;
} spread_next;

typedef struct spread {
    memory_pool arrays; /**< owns them */
    size_t rows;
    spread_row *row;
    bool divided;   /**< things are units of data: k of them are one process; else k of them are k processes */
    double unit;    /**< data of a thing */
    int64_t things; /**< how many are to be dealt */
    int64_t *reach; /**< of each row, things that a processor ends within the last time asked for: where to look next */
    int64_t *low, *high; /**< scratch: the same at the ends of a bracket */
    spread_next *heap;
    inlay_process_share *share; /**< the answer */
    double time;                /**< of the answer */
} spread;

/** False where there is no memory. The rows are the caller's to read; they must not change. */
bool spread_make(spread *s, const inlay_process_problem *problem);
void spread_clear(spread *s);

/** What is dealt next: `things` of `unit` data. */
void spread_set(spread *s, bool divided, double unit, int64_t things);

/** The time of k things on a processor of a row. */
static inline double spread_time(const spread *s, size_t row, int64_t k)
{
    double things = (double)k;
    return performance_time(&s->row[row].times, s->divided ? 1 : things, things * s->unit);
}

/** The time of a row that has all things. */
double spread_alone(const spread *s, size_t row);

/** Things of all rows that are done by `time`, at least those that there are to deal where all are. Sets the reach. */
int64_t spread_reach(spread *s, double time);

/** Whether all things can be dealt so that no processor needs more than `time`. */
bool spread_fits(spread *s, double time);

/**
 * Deals them, starting to look near to `guess` (0: anywhere). The answer is that of dealing one by one to the processor
 * that would end first, of equal ones to the first row, and within a row evenly. False where times leave the range of
 * numbers.
 */
bool spread_solve(spread *s, double guess);

#endif
