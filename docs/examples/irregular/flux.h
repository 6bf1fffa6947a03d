/*
 * One edge of an Euler-like flow: density, momentum in three directions and energy at its two ends, the edge's direction
 * times its weight. Central fluxes with the dissipation of V. Rusanov, in differences, so that a uniform flow stays as it
 * is on any mesh.
 */
#ifndef FLUX_H
#define FLUX_H

#include <math.h>

enum { FLOW = 5 };

static const double gas = 1.4;

/* The flux through `n` into f, and the speed of the fastest wave, times |n| = length. */
static inline double flux_of(const double *q, const double *n, double length, double *f)
{
    double inverse = 1 / q[0];
    double through = (q[1] * n[0] + q[2] * n[1] + q[3] * n[2]) * inverse;
    double pressure = (gas - 1) * (q[4] - 0.5 * inverse * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]));
    f[0] = q[0] * through;
    f[1] = q[1] * through + pressure * n[0];
    f[2] = q[2] * through + pressure * n[1];
    f[3] = q[3] * through + pressure * n[2];
    f[4] = (q[4] + pressure) * through;
    return fabs(through) + length * sqrt(gas * pressure * inverse);
}

/* Figure 2's statements: y(n1) = y(n1) + ..., y(n2) = y(n2) + ... */
static inline void flux_edge(const double *x1, const double *x2, const double *n, double *y1, double *y2)
{
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), f1[FLOW], f2[FLOW];
    double wave = 0.5 * (flux_of(x1, n, length, f1) + flux_of(x2, n, length, f2));
    for (int i = 0; i < FLOW; i++) {
        double central = 0.5 * (f2[i] - f1[i]), dissipation = 0.5 * wave * (x2[i] - x1[i]);
        y1[i] += central - dissipation;
        y2[i] += central + dissipation;
    }
}

/* A. Jameson's five stages. */
enum { STAGES = 5 };
static const double stage[STAGES] = {1.0 / 4, 1.0 / 6, 3.0 / 8, 1.0 / 2, 1};

/* q = q0 - stage x (time step / volume) x y, the step as long as the edges of the vertex allow; y becomes zero. */
static inline void flux_update(double *q, const double *q0, double *y, double edges, double share)
{
    double step = share * 0.5 / edges;
    for (int i = 0; i < FLOW; i++) {
        q[i] = q0[i] - step * y[i];
        y[i] = 0;
    }
}

/* A gas that flows slowly to the right, denser around the middle. */
static inline void flux_start(const double *place, double *q)
{
    double far = 0;
    for (int i = 0; i < 3; i++) {
        far += (place[i] - 0.5) * (place[i] - 0.5);
    }
    double density = 1 + 0.2 * exp(-20 * far);
    q[0] = density;
    q[1] = 0.3 * density;
    q[2] = 0.1 * density;
    q[3] = 0;
    q[4] = 1 / (gas - 1) + 0.5 * (q[1] * q[1] + q[2] * q[2]) / density;
}

#endif
