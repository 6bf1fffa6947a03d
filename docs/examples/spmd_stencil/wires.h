/*
 * What a cycle of 1-D communication costs here: measured by the stencil's own cycles, with few rows to a rank, and
 * fitted to T(p, b) = c1 + c2 f(p) + b (c3 + c4 f(p)).
 */
#ifndef STENCIL_WIRES_H
#define STENCIL_WIRES_H

#include <inlay/metasystem.h>

#include <stdbool.h>

/* Ranks that lie in a line, and the time that each of them works in a cycle, in seconds. */
typedef struct stencil_line {
    int ranks;
    const int *rank;
    double pause;
    bool overlap; /* messages are on their way while it works: then the pause should be longer than they take */
} stencil_line;

/*
 * Fits the function for 1 to all ranks of the line and rows of up to `points` points, in units of `unit` seconds.
 * Returns the root mean square of what it is off by, relative to the mean time.
 */
double fit_line(const stencil_line *line, int points, double unit, inlay_communication *function);

/* T(p, b). */
double function_time(const inlay_communication *function, int p, double bytes);

/*
 * r1 and r2 of each of `crossings` places where the line leaves a network, from what a cycle takes beyond `within`, the
 * largest T of a network for rows of so many points, in units.
 */
void fit_router(const stencil_line *line, int points, double unit, int crossings, double (*within)(void *, int),
                void *context, double *latency, double *per_byte);

#endif
