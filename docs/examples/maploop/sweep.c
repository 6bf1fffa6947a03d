/*
 * A sweep over the edges of a mesh, the loop of the paper's Figure 2, as a serial program:
 *
 *     cc -std=c17 -O2 sweep.c -lm -o sweep && ./sweep triangles 60
 *
 * and, its pragmas understood, as a program for MPI:
 *
 *     inlay maploop sweep.c -o sweep-mpi.c
 *     mpicc -std=c17 -O2 sweep-mpi.c $(pkg-config --cflags --libs inlay-irregular) -lm -o sweep-mpi
 *     mpirun -n 4 ./sweep-mpi triangles 60
 */
#include "mesh.h"
#include <math.h>

int main(int words, char **word)
{
    mesh made;
    if (!mesh_open(words, word, &made)) {
        fprintf(stderr, "usage: sweep triangles SIDE [STEPS] | random VERTICES [STEPS] | file PATH [STEPS]\n");
        return 2;
    }
    const int steps = words > 3 ? atoi(word[3]) : 20;
    const int64_t n = made.vertices, nedges = made.edges;
    double *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y);
    int64_t(*nde)[2] = malloc((size_t)nedges * sizeof *nde);
    if (x == NULL || y == NULL || nde == NULL) {
        return 3;
    }
    for (int64_t i = 0; i < n; i++) {
        x[i] = sin((double)i);
        y[i] = 0;
    }
    for (int64_t i = 0; i < nedges; i++) {
        nde[i][0] = made.list[2 * i];
        nde[i][1] = made.list[2 * i + 1];
    }
    for (int step = 0; step < steps; step++) {
#pragma inlay maploop(x, y)
#pragma inlay compute on maxowner(x[n1], x[n2], y[n1], y[n2])
        for (int64_t i = 0; i < nedges; i++) {
            const int64_t n1 = nde[i][0], n2 = nde[i][1];
            y[n1] = y[n1] + x[n1] + x[n2];
            y[n2] = y[n2] - x[n1] + x[n2];
        }
        for (int64_t i = 0; i < n; i++) {
            x[i] += 0.001 * y[i];
            y[i] = 0;
        }
    }
    double sum = 0, weighted = 0, largest = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += x[i] * x[i];
        weighted += x[i] * cos((double)i);
        largest = fmax(largest, fabs(x[i]));
    }
    printf("%lld vertices, %lld edges, %d steps: length %.10e, weighted %.10e, largest %.10e\n", (long long)n,
           (long long)nedges, steps, sqrt(sum), weighted, largest);
    free(x);
    free(y);
    free(nde);
    mesh_close(&made);
    return 0;
}
