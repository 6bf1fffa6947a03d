/* D2Q9 lattice Boltzmann, pull scheme, obstacles bounce back. */
#include <stdio.h>
#include <stdlib.h>

#define NX 24
#define NY 16
#define Q 9

typedef struct { double f[Q]; } cell;

static const int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const int opposite[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static const double w[Q] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
static char solid[NX * NY];

static void equilibrium(double rho, double ux, double uy, double *feq)
{
    for (int q = 0; q < Q; q++) {
        const double cu = 3 * (cx[q] * ux + cy[q] * uy);
        feq[q] = w[q] * rho * (1 + cu + 0.5 * cu * cu - 1.5 * (ux * ux + uy * uy));
    }
}

static void step(const cell *from, cell *to, double omega)
{
#pragma inlay maploop
    for (int c = 0; c < NX * NY; c++) {
        const int x = c / NY, y = c % NY;
        double in[Q], feq[Q], rho = 0, ux = 0, uy = 0;
        if (solid[c]) continue;
        for (int q = 0; q < Q; q++) {
            const int n = (x - cx[q] + NX) % NX * NY + (y - cy[q] + NY) % NY;
            in[q] = solid[n] ? from[c].f[opposite[q]] : from[n].f[q];
            rho += in[q];
            ux += cx[q] * in[q];
            uy += cy[q] * in[q];
        }
        equilibrium(rho, ux / rho + 1e-4, uy / rho, feq);
        for (int q = 0; q < Q; q++) to[c].f[q] = in[q] + omega * (feq[q] - in[q]);
    }
}

int main(void)
{
    cell *a = calloc(NX * NY, sizeof *a), *b = calloc(NX * NY, sizeof *b);
    for (int c = 0; c < NX * NY; c++) {
        solid[c] = c % NY == 0 || (c / NY == 6 && c % NY < 7);
        equilibrium(1.0, 0.05, 0.01 * (c % 3), a[c].f);
    }
    for (int t = 0; t < 30; t++) {
        step(a, b, 1.2);
        cell *s = a;
        a = b;
        b = s;
    }
    double mass = 0, flow = 0;
    for (int c = 0; c < NX * NY; c++)
        for (int q = 0; q < Q; q++)
            if (!solid[c]) mass += a[c].f[q], flow += a[c].f[q] * cx[q];
    printf("mass %.10e flow %.10e\n", mass, flow);
    free(a);
    free(b);
    return 0;
}
