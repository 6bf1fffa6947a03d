#define _POSIX_C_SOURCE 199309L /* clock_gettime() */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static double began;

static double now(void)
{
    struct timeval t;
    gettimeofday(&t, NULL);
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static void read_clock(struct timespec *t)
{
    clock_gettime(CLOCK_MONOTONIC, t);
}

static void report(const char *what, double seconds)
{
    fprintf(stderr, "%s: %g s\n", what, seconds);
}

int main(int words, char **word)
{
    int64_t n = words > 1 ? atoi(word[1]) : 40, nedges = 3 * n;
    double *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y), sum = 0, largest = 0;
    int64_t(*end)[2] = malloc((size_t)nedges * sizeof *end);
    if (!x || !y || !end) return 3;
    for (int64_t i = 0; i < n; i++) {
        x[i] = sin((double)i);
        y[i] = 0;
    }
    for (int64_t e = 0; e < nedges; e++) {
        end[e][0] = e % n;
        end[e][1] = (e * e + 7) % n;
    }
    struct timespec a, b;
    clock_t ticks = clock();
    began = now();
    read_clock(&a);
#pragma inlay maploop(x, y)
        for (int64_t e = 0; e < nedges; e++) {
            y[end[e][0]] += x[end[e][1]];
            y[end[e][1]] -= 0.5 * x[end[e][0]];
        }
    /* HERE */
    read_clock(&b);
    report("clock", (double)(clock() - ticks) / CLOCKS_PER_SEC);
    report("day", now() - began);
    report("monotonic", (double)(b.tv_sec - a.tv_sec));
    for (int64_t i = 0; i < n; i++) sum += x[i] * x[i] + y[i];
    printf("%.10e %.10e\n", sum, largest);
    free(x), free(y), free(end);
    return 0;
}
