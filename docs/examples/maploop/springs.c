/*
 * Particles on springs: structs, a function that a marked loop calls, and two marked loops in a function of their own.
 *
 *     cc -std=c17 -O2 springs.c -lm -o springs && ./springs
 *     inlay maploop springs.c -o springs-mpi.c
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct particle {
    double x, v, force;
} particle;

typedef struct spring {
    int from, to;
    double stiffness;
} spring;

static void pull(particle *p, particle *q, double stiffness)
{
    double f = stiffness * (q->x - p->x - 1);
    p->force += f;
    q->force -= f;
}

static double step(particle *p, int particles, const spring *s, int springs, double dt)
{
    double energy = 0;
#pragma inlay maploop
    for (int e = 0; e < springs; e++) {
        pull(&p[s[e].from], &p[s[e].to], s[e].stiffness);
    }
#pragma inlay maploop
    for (int i = 0; i < particles; i++) {
        p[i].v += dt * p[i].force;
        p[i].x += dt * p[i].v;
        p[i].force = 0;
        energy += 0.5 * p[i].v * p[i].v;
    }
    return energy;
}

int main(void)
{
    enum { PARTICLES = 500, SPRINGS = 1200 };
    particle *p = calloc(PARTICLES, sizeof *p);
    spring *s = calloc(SPRINGS, sizeof *s);
    if (p == NULL || s == NULL) {
        return 3;
    }
    for (int i = 0; i < PARTICLES; i++) {
        p[i].x = i + 0.1 * sin(i);
    }
    for (int e = 0; e < SPRINGS; e++) {
        s[e] = (spring){e % PARTICLES, (e * 7 + 1) % PARTICLES, 0.01};
    }
    double energy = 0;
    for (int t = 0; t < 50; t++) {
        energy = step(p, PARTICLES, s, SPRINGS, 0.01);
    }
    printf("energy %.9e, the last at %.9e\n", energy, p[PARTICLES - 1].x);
    free(p);
    free(s);
    return 0;
}
