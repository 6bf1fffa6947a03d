/*
 * A mesh that changes while the program runs: layers of points slide over each other, so that neighbours part. The serial
 * program:
 *
 *     cc -std=c17 -O2 shear.c -lm -o shear && ./shear 20
 *     inlay maploop shear.c -o shear-mpi.c
 *     mpicc -std=c17 -O2 shear-mpi.c $(pkg-config --cflags --libs inlay-irregular) -lm -o shear-mpi
 *     mpirun -n 4 ./shear-mpi 20
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * The far end of an edge: of edge 2 v the point to the right of v, of edge 2 v + 1 that below, in a layer that has slid. Layers
 * are rings of six times as many points as there are layers.
 */
static int64_t neighbour(int64_t layers, int64_t edge, int64_t slid)
{
    const int64_t around = 6 * layers, v = edge / 2, layer = v / around, place = v % around;
    return edge % 2 == 0 ? layer * around + (place + 1) % around
                         : (layer + 1) % layers * around + (place + slid) % around;
}

int main(int words, char **word)
{
    const int64_t layers = words > 1 ? atoll(word[1]) : 20;
    const int steps = words > 2 ? atoi(word[2]) : 60;
    const int64_t n = 6 * layers * layers, nedges = 2 * n;
    if (layers < 3) {
        fprintf(stderr, "usage: shear LAYERS [STEPS]\n");
        return 2;
    }
    double *heat = malloc((size_t)n * sizeof *heat), *flow = malloc((size_t)n * sizeof *flow);
    int64_t(*end)[2] = malloc((size_t)nedges * sizeof *end);
    if (heat == NULL || flow == NULL || end == NULL) {
        return 3;
    }
    for (int64_t i = 0; i < n; i++) {
        heat[i] = i % 7 < 3 ? 1 : 0;
        flow[i] = 0;
    }
    for (int64_t e = 0; e < nedges; e++) {
        end[e][0] = e / 2;
        end[e][1] = neighbour(layers, e, 0);
    }
    for (int step = 0; step < steps; step++) {
        const bool slides = step > 0 && step % 20 == 0;
        if (slides) {
            for (int64_t e = 0; e < nedges; e++) {
                end[e][1] = neighbour(layers, e, step / 2);
            }
        }
#pragma inlay remap when(slides)
#pragma inlay maploop(heat, flow)
#pragma inlay compute on maxowner(flow[a], flow[b]) balanced
        for (int64_t e = 0; e < nedges; e++) {
            const int64_t a = end[e][0], b = end[e][1];
            const double across = 0.1 * (heat[b] - heat[a]);
            flow[a] += across;
            flow[b] -= across;
        }
        for (int64_t i = 0; i < n; i++) {
            heat[i] += flow[i];
            flow[i] = 0;
        }
    }
    double sum = 0, weighted = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += heat[i];
        weighted += heat[i] * cos((double)i);
    }
    printf("%lld points, %d steps: heat %.10e, weighted %.10e\n", (long long)n, steps, sum, weighted);
    free(heat);
    free(flow);
    free(end);
    return 0;
}
