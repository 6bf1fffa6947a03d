/* Edge-based finite volumes for the Euler equations in two dimensions: Rusanov fluxes over dual faces, a far field. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define GAMMA 1.4

typedef struct { double rho, mx, my, e; } state;
typedef struct { int a, b; double nx, ny; } face;

static double pressure(const state *u) { return (GAMMA - 1) * (u->e - 0.5 * (u->mx * u->mx + u->my * u->my) / u->rho); }

static state physical(const state *u, double nx, double ny)
{
    const double p = pressure(u), vn = (u->mx * nx + u->my * ny) / u->rho;
    return (state){u->rho * vn, u->mx * vn + p * nx, u->my * vn + p * ny, (u->e + p) * vn};
}

static double wave(const state *u, double nx, double ny)
{
    const double area = sqrt(nx * nx + ny * ny);
    return fabs(u->mx * nx + u->my * ny) / u->rho + area * sqrt(GAMMA * pressure(u) / u->rho);
}

static state rusanov(const state *l, const state *r, double nx, double ny)
{
    const state fl = physical(l, nx, ny), fr = physical(r, nx, ny);
    const double a = wave(l, nx, ny), b = wave(r, nx, ny), s = 0.5 * (a > b ? a : b);
    return (state){0.5 * (fl.rho + fr.rho) - s * (r->rho - l->rho), 0.5 * (fl.mx + fr.mx) - s * (r->mx - l->mx),
                   0.5 * (fl.my + fr.my) - s * (r->my - l->my), 0.5 * (fl.e + fr.e) - s * (r->e - l->e)};
}

int main(int argc, char **argv)
{
    const int side = argc > 1 ? atoi(argv[1]) : 20, n = side * side;
    int faces = 0, bounds = 0;
    face *f = malloc(2 * n * sizeof *f), *bf = malloc(4 * side * sizeof *bf);
    state *u = malloc(n * sizeof *u), *r = calloc(n, sizeof *r);
    const state far = {1.0, 0.3, 0.0, 2.5};
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            const int v = i * side + j;
            if (i + 1 < side) f[faces++] = (face){v, v + side, 1.0, 0.1};
            if (j + 1 < side) f[faces++] = (face){v, v + 1, -0.1, 1.0};
            if (i == 0 || i == side - 1) bf[bounds++] = (face){v, -1, i ? 1.0 : -1.0, 0};
            u[v] = far;
            if ((i - side / 2) * (i - side / 2) + (j - side / 2) * (j - side / 2) < 16) u[v].e = 5, u[v].rho = 1.5;
        }
    for (int step = 0; step < 12; step++) {
        double fastest = 0, change = 0;
#pragma inlay maploop
        for (int i = 0; i < faces; i++) {
            const state flux = rusanov(&u[f[i].a], &u[f[i].b], f[i].nx, f[i].ny);
            r[f[i].a].rho -= flux.rho;
            r[f[i].a].mx -= flux.mx;
            r[f[i].a].my -= flux.my;
            r[f[i].a].e -= flux.e;
            r[f[i].b].rho += flux.rho;
            r[f[i].b].mx += flux.mx;
            r[f[i].b].my += flux.my;
            r[f[i].b].e += flux.e;
            fastest = fmax(fastest, wave(&u[f[i].a], f[i].nx, f[i].ny));
        }
#pragma inlay maploop
        for (int i = 0; i < bounds; i++) {
            const int v = bf[i].a;
            const state flux = rusanov(&u[v], &far, bf[i].nx, bf[i].ny);
            r[v].rho -= flux.rho;
            r[v].mx -= flux.mx;
            r[v].my -= flux.my;
            r[v].e -= flux.e;
        }
        const double dt = 0.2 / fastest;
#pragma inlay maploop
        for (int v = 0; v < n; v++) {
            change += r[v].rho * r[v].rho;
            u[v].rho += dt * r[v].rho;
            u[v].mx += dt * r[v].mx;
            u[v].my += dt * r[v].my;
            u[v].e += dt * r[v].e;
            r[v] = (state){0, 0, 0, 0};
        }
        if (step % 4 == 3) printf("step %d: dt %.10e residual %.10e\n", step, dt, sqrt(change));
    }
    double mass = 0, energy = 0;
    for (int v = 0; v < n; v++) mass += u[v].rho, energy += u[v].e;
    printf("mass %.10e energy %.10e\n", mass, energy);
    free(f); free(bf); free(u); free(r);
    return 0;
}
