/*
 * What the loops of kernels.c and by_hand.c go over: meshes, a matrix, a graph, elements and atoms, numbered as programs that make
 * them number them. They end the program where memory is out.
 */
#ifndef BENCH_KERNELS_H
#define BENCH_KERNELS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DAMPING 0.85
#define CUTOFF  2.5

static inline void *room(long count, size_t size)
{
    void *made = calloc((size_t)count + 1, size);
    if (made == NULL) {
        exit(3);
    }
    return made;
}

/* Pairs of vertices: edges of a mesh, links of a web. */
typedef struct pairs {
    int n, count, *a, *b;
} pairs;

static inline pairs pairs_room(int n, int count)
{
    pairs p = {n, 0, room(count, sizeof(int)), room(count, sizeof(int))};
    return p;
}

static inline void put(pairs *p, int a, int b)
{
    p->a[p->count] = a;
    p->b[p->count++] = b;
}

/* A square of triangles. */
static inline pairs mesh_edges(int side)
{
    pairs p = pairs_room(side * side, 3 * side * side);
    for (int v = 0; v < p.n; v++) {
        const int i = v / side, j = v % side;
        if (j + 1 < side) put(&p, v, v + 1);
        if (i + 1 < side) put(&p, v, v + side);
        if (i + 1 < side && j + 1 < side) put(&p, v, v + side + 1);
    }
    return p;
}

/* Pages that link to others near them, and a few far away. */
static inline pairs web_links(int n)
{
    pairs p = pairs_room(n, 8 * n);
    unsigned seed = 7;
    for (int e = 0; e < 8 * n; e++) {
        const int v = e / 8;
        seed = seed * 1664525u + 1013904223u;
        const int far = (int)(seed >> 8) % 1000, near = (int)(seed >> 16) % 64 - 32;
        const int to = far < 2 ? (int)((seed >> 4) % (unsigned)n) : v + near;
        put(&p, v, to < 0 ? to + n : to >= n ? to - n : to);
    }
    return p;
}

typedef struct matrix {
    int n, *start, *col;
    double *val;
} matrix;

/* Seven points in a cube. */
static inline matrix poisson(int side)
{
    const int n = side * side * side, plane = side * side;
    matrix m = {n, room(n + 1L, sizeof(int)), room(7L * n, sizeof(int)), room(7L * n, sizeof(double))};
    int at = 0;
    for (int v = 0; v < n; v++) {
        const int i = v / plane, j = v / side % side, k = v % side;
        const int by[7] = {-plane, -side, -1, 0, 1, side, plane};
        const int is[7] = {i > 0, j > 0, k > 0, 1, k + 1 < side, j + 1 < side, i + 1 < side};
        m.start[v] = at;
        for (int d = 0; d < 7; d++) {
            if (is[d]) {
                m.col[at] = v + by[d];
                m.val[at++] = by[d] == 0 ? 6.1 : -1;
            }
        }
    }
    m.start[n] = at;
    return m;
}

/* Linear triangles, and the pattern of their matrix. */
typedef struct elements {
    int count, *node; /* three each */
    double *at;       /* two each */
    matrix stiff;
} elements;

static inline elements triangles(int side)
{
    const int n = side * side;
    elements t = {
        0, room(6L * n, sizeof(int)), room(2L * n, sizeof(double)), {n, room(n + 1L, sizeof(int)), NULL, NULL}};
    t.stiff.col = room(7L * n, sizeof(int));
    t.stiff.val = room(7L * n, sizeof(double));
    int nz = 0;
    for (int v = 0; v < n; v++) {
        const int i = v / side, j = v % side;
        t.at[2 * v] = (double)i / side + 0.1 / side * sin(v);
        t.at[2 * v + 1] = (double)j / side;
        t.stiff.start[v] = nz;
        for (int di = -1; di <= 1; di++) {
            for (int dj = -1; dj <= 1; dj++) {
                const int inside = i + di >= 0 && i + di < side && j + dj >= 0 && j + dj < side;
                if (inside && di * dj >= 0) t.stiff.col[nz++] = v + di * side + dj;
            }
        }
        if (i + 1 < side && j + 1 < side) {
            const int corner[6] = {v, v + side, v + side + 1, v, v + side + 1, v + 1};
            for (int k = 0; k < 6; k++)
                t.node[3 * t.count + k] = corner[k];
            t.count += 2;
        }
    }
    t.stiff.start[n] = nz;
    return t;
}

/* Where an entry of a sorted row stands. */
static inline int place(const matrix *m, int row, int col)
{
    int low = m->start[row], high = m->start[row + 1] - 1;
    while (low < high) {
        const int mid = (low + high) / 2;
        if (m->col[mid] < col) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return low;
}

/* Atoms of a crystal, and of each the later ones that are near. */
typedef struct atoms {
    int n, *start, *near;
    double (*x)[3];
} atoms;

static inline atoms crystal(int side)
{
    const int n = side * side * side, reach = 3;
    atoms a = {n, room(n + 1L, sizeof(int)), room(200L * n, sizeof(int)), NULL};
    a.x = room(n, sizeof *a.x);
    for (int v = 0; v < n; v++) {
        a.x[v][0] = 1.1 * (v / side / side) + 0.01 * sin(v);
        a.x[v][1] = 1.1 * (v / side % side) + 0.01 * sin(3 * v);
        a.x[v][2] = 1.1 * (v % side) + 0.01 * cos(v);
    }
    int count = 0;
    for (int v = 0; v < n; v++) {
        const int i = v / side / side, j = v / side % side, k = v % side;
        a.start[v] = count;
        for (int u = v + 1; u < n && u <= v + reach * (side * side + side + 1); u++) {
            const int p = u / side / side - i, q = u / side % side - j, r = u % side - k;
            const double dx = a.x[u][0] - a.x[v][0], dy = a.x[u][1] - a.x[v][1], dz = a.x[u][2] - a.x[v][2];
            if (p <= reach && abs(q) <= reach && abs(r) <= reach && dx * dx + dy * dy + dz * dz < 2.8 * 2.8) {
                a.near[count++] = u;
            }
        }
    }
    a.start[n] = count;
    return a;
}

static inline double seconds_of(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The least time of a step: what other work on the computer adds is not ours. Called in front of each, and behind the last. */
static double lap_wall, lap_work, least_wall = 1e9, least_work = 1e9;

static inline void lap(int step)
{
    const double wall = seconds_of(CLOCK_MONOTONIC), work = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    if (step > 0) {
        least_wall = fmin(least_wall, wall - lap_wall);
        least_work = fmin(least_work, work - lap_work);
    }
    lap_wall = wall;
    lap_work = work;
}

/* What a program prints: of a step, and a result to compare. */
static inline void tell(double result)
{
    printf("wall %.9f work %.9f result %.9e\n", least_wall, least_work, result);
}

#endif
