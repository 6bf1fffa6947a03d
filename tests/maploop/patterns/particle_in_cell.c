/* Particles in cells, one dimension: charge is deposited on a grid, the field is solved, particles are pushed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NG 64
#define NP 2000

typedef struct { double x, v; } particle;

static double rho[NG], efield[NG];

static void deposit(const particle *p, int np)
{
    for (int g = 0; g < NG; g++) rho[g] = -(double)np / NG;
#pragma inlay maploop
    for (int i = 0; i < np; i++) {
        const int g = (int)p[i].x;
        const double w = p[i].x - g;
        rho[g] += 1 - w;
        rho[(g + 1) % NG] += w;
    }
}

static void solve_field(void)
{
    double e = 0, mean = 0;
    for (int g = 0; g < NG; g++) {
        e += rho[g];
        efield[g] = e;
        mean += e / NG;
    }
    for (int g = 0; g < NG; g++) efield[g] -= mean;
}

static double push(particle *p, int np, double dt)
{
    double energy = 0;
#pragma inlay maploop
    for (int i = 0; i < np; i++) {
        const int g = (int)p[i].x;
        const double w = p[i].x - g, e = (1 - w) * efield[g] + w * efield[(g + 1) % NG];
        p[i].v += dt * e;
        p[i].x += dt * p[i].v;
        while (p[i].x < 0) p[i].x += NG;
        while (p[i].x >= NG) p[i].x -= NG;
        energy += 0.5 * p[i].v * p[i].v;
    }
    return energy;
}

int main(void)
{
    particle *p = malloc(NP * sizeof *p);
    for (int i = 0; i < NP; i++) {
        p[i].x = (i + 0.5) * NG / NP;
        p[i].v = (i % 2 ? 1 : -1) * (1 + 0.1 * sin(2 * 3.14159265358979 * i / NP));
    }
    double energy = 0, moment = 0;
    for (int t = 0; t < 10; t++) {
        deposit(p, NP);
        solve_field();
        energy = push(p, NP, 0.01);
    }
    for (int i = 0; i < NP; i++) moment += p[i].x * (1 + i % 3);
    printf("energy %.8e moment %.10e\n", energy, moment);
    free(p);
    return 0;
}
