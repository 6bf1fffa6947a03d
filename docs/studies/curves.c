/*
 * curves ROWS: sweeps over rows of 4 KiB, in an order that no prefetcher follows, so that times rise where they leave
 * a cache. Prints the processor time and the elapsed time of a sweep.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROW = 512 /* numbers */, ALL = 60000 /* rows of all sweeps, about */ };

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

int main(int argc, char **argv)
{
    size_t rows = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    int sweeps = rows > 0 ? 1 + (int)(ALL / rows) : 0;
    double *x = rows > 0 ? calloc(rows * ROW, sizeof *x) : NULL;
    if (x == NULL) {
        fprintf(stderr, "usage: curves ROWS\n");
        return 2;
    }
    double sum = sweep(x, rows);
    double processor = seconds(CLOCK_PROCESS_CPUTIME_ID), elapsed = seconds(CLOCK_MONOTONIC);
    for (int i = 0; i < sweeps; i++) {
        sum += sweep(x, rows);
    }
    printf("processor %.9f s\nelapsed %.9f s\n", (seconds(CLOCK_PROCESS_CPUTIME_ID) - processor) / sweeps,
           (seconds(CLOCK_MONOTONIC) - elapsed) / sweeps);
    free(x);
    return sum < 0;
}
