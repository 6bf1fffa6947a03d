/* Heat on a graph: explicit steps until the hottest and the coldest vertex are near. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct edge { unsigned short a, b; float conductance; };

int main(void)
{
    enum { N = 200, M = 700 };
    struct edge *e = malloc(M * sizeof *e);
    double *t = malloc(N * sizeof *t), *dt = calloc(N, sizeof *dt), spread = 100;
    for (int k = 0; k < M; k++) {
        e[k].a = (unsigned short)(k % N);
        e[k].b = (unsigned short)((k % N + 1 + 7 * (k / N)) % N);
        e[k].conductance = 0.25f * (float)(1 + k % 3);
    }
    for (int v = 0; v < N; v++) t[v] = v < 10 ? 100 : 0;
    int step = 0;
    while (spread > 1 && step < 150) {
        double hot = -HUGE_VAL, cold = HUGE_VAL;
#pragma inlay maploop
        for (int k = 0; k < M; k++) {
            const double q = e[k].conductance * (t[e[k].b] - t[e[k].a]);
            dt[e[k].a] += q;
            dt[e[k].b] -= q;
        }
#pragma inlay maploop
        for (int v = 0; v < N; v++) {
            t[v] += 0.1 * dt[v];
            dt[v] = 0;
            hot = fmax(hot, t[v]);
            cold = fmin(cold, t[v]);
        }
        spread = hot - cold;
        step++;
    }
    double total = 0;
    for (int v = 0; v < N; v++) total += t[v];
    printf("%d steps, spread %.10e, total %.10e\n", step, spread, total);
    free(e); free(t); free(dt);
    return 0;
}
