/*
 * curves ROWS: sweeps over rows of 4 KiB, in an order that no prefetcher follows, so that times rise where they leave
 * a cache. Prints the processor time and the elapsed time of a sweep: each the median of some groups of sweeps, of which
 * each takes at least 10 ms, since other programs take the caches away now and then.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROW = 512 /* numbers */, GROUPS = 15 };

static const double least_time = 0.01;

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double sweep(double *x, size_t rows)
{
    double sum = 0;
    size_t row = 0;
    for (size_t n = 0; n < rows; n++) {
        row = (row + 7919) % rows;
        for (size_t i = 0; i < ROW; i += 8) {
            x[row * ROW + i] = 0.5 * x[row * ROW + i] + 1;
            sum += x[row * ROW + i];
        }
    }
    return sum;
}

static int compare(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

int main(int argc, char **argv)
{
    size_t rows = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    double *x = rows > 0 ? calloc(rows * ROW, sizeof *x) : NULL, processor[GROUPS], elapsed[GROUPS];
    if (x == NULL) {
        fprintf(stderr, "usage: curves ROWS\n");
        return 2;
    }
    double sum = sweep(x, rows);
    for (int group = 0; group < GROUPS; group++) {
        double begun[] = {seconds(CLOCK_PROCESS_CPUTIME_ID), seconds(CLOCK_MONOTONIC)}, used = 0;
        int sweeps = 0;
        for (; used < least_time; used = seconds(CLOCK_PROCESS_CPUTIME_ID) - begun[0]) {
            sum += sweep(x, rows);
            sweeps++;
        }
        processor[group] = used / sweeps;
        elapsed[group] = (seconds(CLOCK_MONOTONIC) - begun[1]) / sweeps;
    }
    qsort(processor, GROUPS, sizeof *processor, compare);
    qsort(elapsed, GROUPS, sizeof *elapsed, compare);
    printf("processor %.9f s\nelapsed %.9f s\n", processor[GROUPS / 2], elapsed[GROUPS / 2]);
    free(x);
    return sum < 0;
}
