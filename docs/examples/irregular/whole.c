/*
 * A serial program whose marked loops are shared out over ranks while memory is whole on each: what `inlay maploop`
 * generates, written by hand. The serial program:
 *
 *     for (int step = 0; step < 20; step++) {
 *         double largest = 0;
 *     #pragma inlay maploop
 *         for (int e = 0; e < edges; e++) {
 *             int n1 = end[e][0], n2 = end[e][1];
 *             y[n1] += x[n1] + x[n2];
 *             y[n2] += x[n2] - x[n1];
 *         }
 *     #pragma inlay maploop
 *         for (int i = 0; i < n; i++) {
 *             z[i] = x[i] + 0.001 * y[i];
 *             y[i] = 0;
 *             if (z[i] > largest) largest = z[i];
 *         }
 *         double *t = x; x = z; z = t;
 *         if (step % 10 == 9) printf("%g %g\n", largest, x[n / 2]);
 *     }
 *
 *     mpicc -std=c17 -O2 whole.c $(pkg-config --cflags --libs inlay-irregular) -lm -o whole
 *     mpirun -n 4 ./whole
 */
#include <inlay/irregular_loop.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static inlay_whole *whole;

/* Edges of a square of side x side vertices: to the right, and down. */
static int square(int side, int (*end)[2])
{
    int edges = 0;
    for (int i = 0; i < side * side; i++) {
        if ((i + 1) % side != 0) {
            end[edges][0] = i;
            end[edges++][1] = i + 1;
        }
        if (i + side < side * side) {
            end[edges][0] = i;
            end[edges++][1] = i + side;
        }
    }
    return edges;
}

static void sweep(int edges, int (*end)[2], const double *x, double *y)
{
    static inlay_loop *loop;
    static const inlay_site sites[] = {
        {"whole.c:9", "x[n1]", INLAY_ACCESS_READ, 0},  {"whole.c:9", "x[n2]", INLAY_ACCESS_READ, 1},
        {"whole.c:9", "y[n1]", INLAY_ACCESS_ADD, 0},   {"whole.c:10", "x[n2]", INLAY_ACCESS_READ, 1},
        {"whole.c:10", "x[n1]", INLAY_ACCESS_READ, 0}, {"whole.c:10", "y[n2]", INLAY_ACCESS_ADD, 1},
    };
    static const inlay_loop_about about = {.where = "whole.c:7", .site = sites, .sites = 6, .keys = 2, .step = 1};
    const inlay_input inputs[] = {INLAY_INPUT(edges), INLAY_INPUT(end), INLAY_INPUT(x), INLAY_INPUT(y)};
    if (inlay_begin(whole, &loop, &about, inputs, 4)) {
        for (int e = 0; e < edges; e++) {
            inlay_loop_iteration(loop, e);
            INLAY_SOURCE(loop, end[e][0]);
            INLAY_SOURCE(loop, end[e][1]);
            int n1 = end[e][0], n2 = end[e][1];
            INLAY_TOUCH(loop, 0, x[n1]);
            INLAY_TOUCH(loop, 1, x[n2]);
            INLAY_TOUCH(loop, 2, y[n1]);
            INLAY_TOUCH(loop, 3, x[n2]);
            INLAY_TOUCH(loop, 4, x[n1]);
            INLAY_TOUCH(loop, 5, y[n2]);
        }
        inlay_inspected(loop);
    }
    inlay_fetch(loop);
    for (int64_t q = 0; q < loop->ranges; q++) {
        const inlay_range r = inlay_range_at(loop, q);
        for (int e = (int)r.first; e <= (int)r.last; e++) {
            int n1 = end[e][0], n2 = end[e][1];
            y[n1] += x[n1] + x[n2];
            y[n2] += x[n2] - x[n1];
        }
    }
    inlay_end(loop);
}

static double move(int n, const double *x, double *y, double *z)
{
    static inlay_loop *loop;
    static const inlay_site sites[] = {
        {"whole.c:14", "x[i]", INLAY_ACCESS_READ, 0},  {"whole.c:14", "y[i]", INLAY_ACCESS_READ, 0},
        {"whole.c:14", "z[i]", INLAY_ACCESS_WRITE, 0}, {"whole.c:15", "y[i]", INLAY_ACCESS_WRITE, 0},
        {"whole.c:16", "z[i]", INLAY_ACCESS_READ, 0},
    };
    static const inlay_loop_about about = {.where = "whole.c:13", .site = sites, .sites = 5, .keys = 1, .step = 1};
    const inlay_input inputs[] = {INLAY_INPUT(n), INLAY_INPUT(x), INLAY_INPUT(y), INLAY_INPUT(z)};
    double largest = 0, before;
    if (inlay_begin(whole, &loop, &about, inputs, 4)) {
        for (int i = 0; i < n; i++) {
            inlay_loop_iteration(loop, i);
            INLAY_TOUCH(loop, 0, x[i]);
            INLAY_TOUCH(loop, 1, y[i]);
            INLAY_TOUCH(loop, 2, z[i]);
            INLAY_TOUCH(loop, 3, y[i]);
            INLAY_TOUCH(loop, 4, z[i]);
        }
        inlay_inspected(loop);
    }
    INLAY_NEUTRAL(INLAY_ACCESS_MAX, largest, before);
    inlay_fetch(loop);
    for (int64_t q = 0; q < loop->ranges; q++) {
        const inlay_range r = inlay_range_at(loop, q);
        for (int i = (int)r.first; i <= (int)r.last; i++) {
            z[i] = x[i] + 0.001 * y[i];
            y[i] = 0;
            if (z[i] > largest) {
                largest = z[i];
            }
        }
    }
    inlay_end(loop);
    INLAY_REDUCE(loop, INLAY_ACCESS_MAX, largest, before);
    return largest;
}

int main(int count, char **arguments)
{
    whole = inlay_start(&count, &arguments, NULL);
    const int side = 60, n = side * side;
    double *x = calloc((size_t)n, sizeof *x), *y = calloc((size_t)n, sizeof *y), *z = calloc((size_t)n, sizeof *z);
    int(*end)[2] = calloc((size_t)(2 * n), sizeof *end);
    if (x == NULL || y == NULL || z == NULL || end == NULL) {
        inlay_exit(whole, 3);
    }
    inlay_changed(whole); /* what follows stores to memory */
    int edges = square(side, end);
    for (int i = 0; i < n; i++) {
        x[i] = sin((double)i);
    }
    for (int step = 0; step < 20; step++) {
        sweep(edges, end, x, y);
        double largest = move(n, x, y, z);
        double *t = x; /* pointers may be swapped: that touches no memory */
        x = z;
        z = t;
        if (step % 10 == 9) {
            inlay_settle(whole); /* x[n / 2] may lie with another rank */
            printf("step %d: the largest is %.6f, the middle %.6f\n", step, largest, x[n / 2]);
        }
    }
    inlay_free(whole, x);
    inlay_free(whole, y);
    inlay_free(whole, z);
    inlay_free(whole, end);
    return inlay_finish(whole, 0);
}
