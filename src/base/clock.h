/* The time that passes. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <time.h>

/** Seconds since some moment, which no setting of the date changes. */
static inline double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#endif
