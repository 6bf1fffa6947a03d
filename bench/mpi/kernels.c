/*
 * Five serial programs with marked loops: bench/irregular.c measures what `inlay maploop` makes of them, beside by_hand.c, and
 * as they are. Two steps before the measured ones warm up.
 *
 *     kernels edges|gradients|web|elements|atoms SIZE STEPS
 */
#include "kernels.h"

/* Fluxes over the edges of a mesh. */
static double edges(int size, int steps)
{
    const pairs m = mesh_edges(size);
    double *x = room(m.n, sizeof *x), *y = room(m.n, sizeof *y), sum = 0;
    for (int v = 0; v < m.n; v++)
        x[v] = sin(v);
    for (int step = -2; step < steps; step++) {
        lap(step);
#pragma inlay maploop
        for (int e = 0; e < m.count; e++) {
            const int a = m.a[e], b = m.b[e];
            const double flux = x[a] - x[b];
            y[a] -= flux;
            y[b] += flux;
        }
#pragma inlay maploop
        for (int v = 0; v < m.n; v++) {
            x[v] += 0.1 * y[v];
            y[v] = 0;
        }
    }
    lap(steps);
    for (int v = 0; v < m.n; v++)
        sum += x[v] * (1 + v % 3);
    return sum;
}

static void multiply(const matrix *m, const double *x, double *y)
{
#pragma inlay maploop
    for (int i = 0; i < m->n; i++) {
        double s = 0;
        for (int k = m->start[i]; k < m->start[i + 1]; k++)
            s += m->val[k] * x[m->col[k]];
        y[i] = s;
    }
}

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
#pragma inlay maploop
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* Conjugate gradients. */
static double gradients(int size, int steps)
{
    const matrix m = poisson(size);
    double *x = room(m.n, sizeof *x), *r = room(m.n, sizeof *r), *p = room(m.n, sizeof *p), *q = room(m.n, sizeof *q);
    for (int i = 0; i < m.n; i++)
        r[i] = p[i] = 1 + 0.1 * (i % 7);
    double old = dot(m.n, r, r);
    for (int step = -2; step < steps; step++) {
        lap(step);
        multiply(&m, p, q);
        const double alpha = old / dot(m.n, p, q);
#pragma inlay maploop
        for (int i = 0; i < m.n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        const double now = dot(m.n, r, r), beta = now / old;
        old = now;
#pragma inlay maploop
        for (int i = 0; i < m.n; i++)
            p[i] = r[i] + beta * p[i];
    }
    lap(steps);
    return x[m.n / 2];
}

/* PageRank by pushes. */
static double web(int size, int steps)
{
    const pairs m = web_links(size);
    double *rank = room(m.n, sizeof *rank), *next = room(m.n, sizeof *next), change = 0;
    int *out = room(m.n, sizeof *out);
    for (int e = 0; e < m.count; e++)
        out[m.a[e]]++;
    for (int v = 0; v < m.n; v++)
        rank[v] = 1.0 / m.n * (1 + v % 3);
    for (int step = -2; step < steps; step++) {
        lap(step);
#pragma inlay maploop
        for (int e = 0; e < m.count; e++)
            next[m.b[e]] += rank[m.a[e]] / out[m.a[e]];
        change = 0;
#pragma inlay maploop
        for (int v = 0; v < m.n; v++) {
            const double now = (1 - DAMPING) / m.n + DAMPING * next[v];
            change += fabs(now - rank[v]);
            rank[v] = now;
            next[v] = 0;
        }
    }
    lap(steps);
    return rank[m.n / 2] + change;
}

/* A stiffness matrix assembled from triangles. */
static double triangle_matrices(int size, int steps)
{
    const elements t = triangles(size);
    double sum = 0;
    for (int step = -2; step < steps; step++) {
        lap(step);
#pragma inlay maploop
        for (int i = 0; i < t.stiff.n; i++) {
            for (int k = t.stiff.start[i]; k < t.stiff.start[i + 1]; k++)
                t.stiff.val[k] = 0;
        }
#pragma inlay maploop
        for (int e = 0; e < t.count; e++) {
            const int *v = &t.node[3 * e];
            double gx[3], gy[3];
            const double ax = t.at[2 * v[0]], ay = t.at[2 * v[0] + 1], bx = t.at[2 * v[1]], by = t.at[2 * v[1] + 1];
            const double cx = t.at[2 * v[2]], cy = t.at[2 * v[2] + 1];
            const double area = 0.5 * ((bx - ax) * (cy - ay) - (cx - ax) * (by - ay));
            gx[0] = (by - cy) / (2 * area), gx[1] = (cy - ay) / (2 * area), gx[2] = (ay - by) / (2 * area);
            gy[0] = (cx - bx) / (2 * area), gy[1] = (ax - cx) / (2 * area), gy[2] = (bx - ax) / (2 * area);
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    t.stiff.val[place(&t.stiff, v[i], v[j])] += area * (gx[i] * gx[j] + gy[i] * gy[j]);
                }
            }
        }
    }
    lap(steps);
    for (int k = 0; k < t.stiff.start[t.stiff.n]; k++)
        sum += fabs(t.stiff.val[k]);
    return sum;
}

/* Forces between near atoms, each pair once. */
static double atom_steps(int size, int steps)
{
    const atoms a = crystal(size);
    double(*x)[3] = a.x, (*v)[3] = room(a.n, sizeof *v), (*f)[3] = room(a.n, sizeof *f), energy = 0;
    for (int step = -2; step < steps; step++) {
        lap(step);
        energy = 0;
#pragma inlay maploop
        for (int i = 0; i < a.n; i++) {
            for (int k = a.start[i]; k < a.start[i + 1]; k++) {
                const int j = a.near[k];
                const double dx = x[i][0] - x[j][0], dy = x[i][1] - x[j][1], dz = x[i][2] - x[j][2];
                const double square = dx * dx + dy * dy + dz * dz;
                if (square < CUTOFF * CUTOFF) {
                    const double s2 = 1.0 / square, s6 = s2 * s2 * s2, force = 48.0 * s6 * (s6 - 0.5) * s2;
                    f[i][0] += dx * force;
                    f[i][1] += dy * force;
                    f[i][2] += dz * force;
                    f[j][0] -= dx * force;
                    f[j][1] -= dy * force;
                    f[j][2] -= dz * force;
                    energy += 4.0 * s6 * (s6 - 1.0);
                }
            }
        }
#pragma inlay maploop
        for (int i = 0; i < a.n; i++) {
            for (int d = 0; d < 3; d++) {
                v[i][d] += 1e-4 * f[i][d];
                x[i][d] += 1e-4 * v[i][d];
                f[i][d] = 0;
            }
        }
    }
    lap(steps);
    return energy;
}

int main(int count, char **argument)
{
    const int size = count > 2 ? atoi(argument[2]) : 0, steps = count > 3 ? atoi(argument[3]) : 0;
    const char *which = count > 1 ? argument[1] : "";
    if (size < 2 || steps < 1) {
        return 2;
    }
    double result = 0;
    if (strcmp(which, "edges") == 0) {
        result = edges(size, steps);
    } else if (strcmp(which, "gradients") == 0) {
        result = gradients(size, steps);
    } else if (strcmp(which, "web") == 0) {
        result = web(size, steps);
    } else if (strcmp(which, "elements") == 0) {
        result = triangle_matrices(size, steps);
    } else {
        result = atom_steps(size, steps);
    }
    tell(result);
    return 0;
}
