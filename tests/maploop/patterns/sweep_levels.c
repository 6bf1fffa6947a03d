/* A transport sweep: cells in levels, each reads the levels before it; levels one after the other, cells of one shared out. */
#include <stdio.h>
#include <stdlib.h>

typedef struct { int upwind[2]; double sigma, source, flux; } cell;

int main(void)
{
    const int nx = 24, ny = 18, n = nx * ny, levels = nx + ny - 1;
    cell *c = malloc(n * sizeof *c);
    int *first = calloc(levels + 1, sizeof *first), *order = malloc(n * sizeof *order), k = 0;
    for (int l = 0; l < levels; l++) {
        first[l] = k;
        for (int i = 0; i < nx; i++)
            if (l - i >= 0 && l - i < ny) order[k++] = i * ny + l - i;
    }
    first[levels] = k;
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < ny; j++) {
            cell *p = c + i * ny + j;
            p->upwind[0] = i > 0 ? (i - 1) * ny + j : -1;
            p->upwind[1] = j > 0 ? i * ny + j - 1 : -1;
            p->sigma = 0.5 + 0.1 * ((i + j) % 4);
            p->source = 1 + (i * j) % 3;
            p->flux = 0;
        }
    for (int pass = 0; pass < 2; pass++) {
        for (int level = 0; level < levels; level++) {
            const int end = first[level + 1];
#pragma inlay maploop
            for (int q = first[level]; q < end; q++) {
                cell *p = &c[order[q]];
                double in = 0;
                for (int d = 0; d < 2; d++)
                    in += p->upwind[d] < 0 ? 0.5 : c[p->upwind[d]].flux;
                p->flux = (p->source + in) / (2 + p->sigma);
            }
        }
    }
    double sum = 0;
    for (int i = 0; i < n; i++) sum += c[i].flux;
    printf("%d levels, sum %.10e, corner %.10e\n", levels, sum, c[n - 1].flux);
    free(c); free(first); free(order);
    return 0;
}
