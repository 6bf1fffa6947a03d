/* Three marked loops over edges, nodes and cells share what they touch. */
#include <stdio.h>
#include <stdlib.h>

#define SIDE 20

int main(void)
{
    const int nn = (SIDE + 1) * (SIDE + 1), nc = SIDE * SIDE;
    int (*cell)[4] = malloc(nc * sizeof *cell);
    double *node = malloc(nn * sizeof *node), *mean = malloc(nc * sizeof *mean), *load = calloc(nn, sizeof *load);

    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            int *c = cell[i * SIDE + j], v = i * (SIDE + 1) + j;
            c[0] = v;
            c[1] = v + 1;
            c[2] = v + SIDE + 2;
            c[3] = v + SIDE + 1;
        }
    for (int v = 0; v < nn; v++) node[v] = (v * v) % 23;

    for (int t = 0; t < 3; t++) {
#pragma inlay maploop
        for (int c = 0; c < nc; c++)
            mean[c] = 0.25 * (node[cell[c][0]] + node[cell[c][1]] + node[cell[c][2]] + node[cell[c][3]]);
#pragma inlay maploop
        for (int c = 0; c < nc; c++)
            for (int k = 0; k < 4; k++) load[cell[c][k]] += mean[c];
#pragma inlay maploop
        for (int v = 0; v < nn; v++) {
            node[v] = 0.9 * node[v] + 0.025 * load[v];
            load[v] = 0;
        }
    }
    double s = 0;
    for (int v = 0; v < nn; v++) s += node[v] * (1 + v % 3);
    printf("%.10e %.10e\n", s, node[nn / 2]);
    free(cell); free(node); free(mean); free(load);
    return 0;
}
