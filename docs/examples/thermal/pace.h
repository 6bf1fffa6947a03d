/* The processors that ranks imitate: they compute, and then wait until a slower processor would have computed as much. */
#ifndef THERMAL_PACE_H
#define THERMAL_PACE_H

/* Prepares a rank: sleeps are to end when they should, and are known to be late by how much they are. */
void pace_begin(void);

double now(void); /* seconds */

void sleep_until(double time);

/* Returns at that time, or at once where it is over. Seconds by which it is late then. */
double rest_until(double time);

int by_size(const void *a, const void *b); /* qsort()'s, for doubles */

#endif
