/* What a run on rented hosts costs. */
#ifndef SEARCH_RENTAL_H
#define SEARCH_RENTAL_H

#include <inlay/catalogue.h>

/** A lower bound of what applications take, in seconds (or ticks) on processors of speed 1; 0 where nothing is known. */
typedef struct rental_work {
    bool known;
    double path; /**< one after another on any number of processors */
    double work; /**< of all processors together */
} rental_work;

/** Seconds until the last of the hosts works. */
double rental_start_up(const inlay_type_count *part, size_t parts);

/** The price of all hosts for so many seconds, in begun steps; NaN where one has none. */
double rental_price(const inlay_type_count *part, size_t parts, double seconds);

/** Joules of all hosts for so many seconds; NaN where one has no power. */
double rental_energy(const inlay_type_count *part, size_t parts, double seconds);

/** Cores of all hosts. */
double rental_cores(const inlay_type_count *part, size_t parts);

/** No run on those hosts is shorter. @param speed  of the processors of each part */
double rental_least_run(const inlay_type_count *part, const double *speed, size_t parts, const rental_work *work);

#endif
