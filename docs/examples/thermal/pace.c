/* Imitated processors. See pace.h. */
#define _POSIX_C_SOURCE 200809L /* clock_nanosleep() */

#include "pace.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Sleeps end late by at most this, in most cases. The rest of a time is waited for awake, giving way to other ranks. */
static double usual_late;

double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void sleep_until(double time)
{
    struct timespec end = {.tv_sec = (time_t)time};
    end.tv_nsec = (long)(1e9 * (time - (double)end.tv_sec));
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL);
}

double rest_until(double time)
{
    if (time - now() > usual_late) {
        sleep_until(time - usual_late);
    }
    while (now() < time) {
        sched_yield();
    }
    return now() - time;
}

int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void pace_begin(void)
{
    enum { TRIES = 60 };
    double late[TRIES];
    FILE *slack = fopen("/proc/self/timerslack_ns", "w"); /* Linux lets sleeps be 50 us late by itself */
    if (slack != NULL) {
        fputs("1", slack);
        fclose(slack);
    }
    for (int i = 0; i < TRIES; i++) {
        double end = now() + 4e-3; /* long sleeps end later than short ones */
        sleep_until(end);
        late[i] = now() - end;
    }
    qsort(late, TRIES, sizeof *late, by_size);
    usual_late = late[TRIES * 19 / 20];
}
