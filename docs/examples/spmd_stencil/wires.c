/* Measuring and fitting communication. See wires.h. */
#include "wires.h"
#include "grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Measuring ---- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { SAMPLES = 64, RUNS = 7, ROWS = 10 }; /* of ten rows eight are inner ones, beside which messages may go on */

/* Seconds of a cycle of the line's first `ranks` ranks, for rows of `points` points, beside its work. */
typedef struct stencil_timing {
    int ranks, points;
    double run[RUNS];
} stencil_timing;

static double run_line(const stencil_line *line, int ranks, int points)
{
    int cycles = (int)fmin(fmax(20e-3 / line->pause, 4), 300);
    stencil_order order = {.tasks = ranks, .points = points, .cycles = cycles, .overlap = line->overlap};
    for (int t = 0; t < ranks; t++) {
        order.task[t] = (stencil_task){.rank = line->rank[t], .rows = ROWS, .row_time = line->pause / ROWS};
    }
    return run(&order, NULL).seconds / cycles - line->pause;
}

/* Each in turn, several times, so that what disturbs some runs does not disturb all of one kind. */
static void measure(const stencil_line *line, stencil_timing *timing, int count)
{
    for (int i = 0; i < RUNS; i++) {
        for (int s = 0; s < count; s++) {
            timing[s].run[i] = run_line(line, timing[s].ranks, timing[s].points);
        }
    }
}

/* The median; communication takes no less than no time. */
static double middle(stencil_timing *timing)
{
    qsort(timing->run, RUNS, sizeof(double), by_size);
    return fmax(timing->run[RUNS / 2], 0);
}

/* ---- Least squares ---- */

enum { TERMS = 4 };

typedef struct sample {
    double term[TERMS]; /* what the coefficients are multiplied by */
    double value;
} sample;

/* The normal equations of the terms whose bits are set, by elimination; 0 for the others. */
static bool solve(const sample *samples, int count, unsigned terms, double coefficient[TERMS])
{
    double a[TERMS][TERMS + 1] = {{0}};
    for (int i = 0; i < TERMS; i++) {
        for (int j = 0; j < TERMS; j++) {
            for (int s = 0; s < count && (terms >> i & terms >> j & 1) != 0; s++) {
                a[i][j] += samples[s].term[i] * samples[s].term[j];
            }
        }
        for (int s = 0; s < count && (terms >> i & 1) != 0; s++) {
            a[i][TERMS] += samples[s].term[i] * samples[s].value;
        }
        a[i][i] = (terms >> i & 1) != 0 ? a[i][i] : 1;
    }
    for (int i = 0; i < TERMS; i++) { /* positive definite: no pivoting is needed */
        if (a[i][i] <= 0) {
            return false;
        }
        for (int k = 0; k < TERMS; k++) {
            double factor = a[k][i] / a[i][i];
            for (int j = i; j <= TERMS && k != i; j++) {
                a[k][j] -= factor * a[i][j];
            }
        }
    }
    for (int i = 0; i < TERMS; i++) {
        coefficient[i] = a[i][TERMS] / a[i][i];
    }
    return true;
}

static double squares(const sample *samples, int count, const double coefficient[TERMS])
{
    double sum = 0;
    for (int s = 0; s < count; s++) {
        double off = samples[s].value;
        for (int i = 0; i < TERMS; i++) {
            off -= coefficient[i] * samples[s].term[i];
        }
        sum += off * off;
    }
    return sum;
}

/* Coefficients that are not negative, of the first `terms` terms: of all choices of terms the best. */
static double fit(const sample *samples, int count, int terms, double best[TERMS])
{
    double least = INFINITY;
    for (unsigned chosen = 0; chosen < 1U << terms; chosen++) {
        double coefficient[TERMS], sum;
        bool possible = solve(samples, count, chosen, coefficient);
        for (int i = 0; i < TERMS && possible; i++) {
            possible = coefficient[i] >= 0;
        }
        if (possible && (sum = squares(samples, count, coefficient)) < least) {
            least = sum;
            memcpy(best, coefficient, sizeof coefficient);
        }
    }
    return least;
}

/* ---- Functions ---- */

static const double row_parts[] = {0.25, 0.5, 1}; /* of a row's points: the messages that are measured */
enum { PARTS = sizeof row_parts / sizeof *row_parts };

static int part_of(int points, int part)
{
    int n = (int)(points * row_parts[part]);
    return n > 0 ? n : 1;
}

static double growth(inlay_growth growth, int p)
{
    return growth == INLAY_GROWTH_LINEAR ? p : growth == INLAY_GROWTH_LOG2 ? log2(p) : 1;
}

double function_time(const inlay_communication *function, int p, double bytes)
{
    double f = growth(function->growth, p);
    return function->c1 + function->c2 * f + bytes * (function->c3 + function->c4 * f);
}

double fit_line(const stencil_line *line, int points, double unit, inlay_communication *function)
{
    stencil_timing runs[SAMPLES];
    sample samples[SAMPLES];
    int count = 0;
    double mean = 0, least = INFINITY;
    for (int p = 1; p <= line->ranks && count + PARTS <= SAMPLES; p += (p + 3) / 4) {
        for (int i = 0; i < PARTS; i++) {
            runs[count++] = (stencil_timing){.ranks = p, .points = part_of(points, i)};
        }
    }
    measure(line, runs, count);
    for (int s = 0; s < count; s++) {
        samples[s].value = middle(&runs[s]) / unit;
        mean += samples[s].value / count;
    }
    for (inlay_growth g = INLAY_GROWTH_LINEAR; g <= INLAY_GROWTH_CONSTANT; g++) {
        double c[TERMS], sum;
        for (int s = 0; s < count; s++) {
            double f = growth(g, runs[s].ranks), bytes = (double)sizeof(double) * runs[s].points;
            memcpy(samples[s].term, (double[]){1, f, bytes, bytes * f}, sizeof samples[s].term);
        }
        if ((sum = fit(samples, count, TERMS, c)) < least) {
            least = sum;
            *function =
                (inlay_communication){.given = true, .c1 = c[0], .c2 = c[1], .c3 = c[2], .c4 = c[3], .growth = g};
        }
    }
    return mean > 0 ? sqrt(least / count) / mean : 0;
}

void fit_router(const stencil_line *line, int points, double unit, int crossings, double (*within)(void *, int),
                void *context, double *latency, double *per_byte)
{
    stencil_timing runs[PARTS];
    sample samples[PARTS] = {0};
    double c[TERMS];
    for (int i = 0; i < PARTS; i++) {
        runs[i] = (stencil_timing){.ranks = line->ranks, .points = part_of(points, i)};
    }
    measure(line, runs, PARTS);
    for (int i = 0; i < PARTS; i++) {
        double beyond = middle(&runs[i]) / unit - within(context, runs[i].points);
        samples[i] =
            (sample){.term = {1, (double)sizeof(double) * runs[i].points}, .value = fmax(beyond, 0) / crossings};
    }
    fit(samples, PARTS, 2, c);
    *latency = c[0];
    *per_byte = c[1];
}
