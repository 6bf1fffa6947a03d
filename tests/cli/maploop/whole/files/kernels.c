/* Loops as people write them, each in a function of its own that prints what came out. */
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 90
#define M 250
#define IDX(i, j) ((i) * 3 + (j))
#define ADD(array, place, what) array[place] += (what)
#define GREATER(p, q) ((p) > (q) ? (p) : (q))

typedef struct { double x, y; } vec;
typedef struct { vec at, force; int cell; } particle;
typedef struct mesh { int n, m; int *from, *to; double *old, *new; unsigned char *kind; } mesh;
typedef uint32_t number;

static int a[M], b[M], ends[2 * M], near[4 * N];
static double x[N], y[N], w[M], flat[3 * N];
static long total;

static void fill(void)
{
    for (int e = 0; e < M; e++) {
        a[e] = (e * 7 + 1) % N;
        b[e] = (e * 13 + 5) % N;
        ends[2 * e] = a[e];
        ends[2 * e + 1] = b[e];
        w[e] = 1.0 / (1 + e % 11);
    }
    for (int i = 0; i < N; i++) {
        x[i] = sin(i);
        y[i] = 0;
        flat[IDX(i, 0)] = flat[IDX(i, 1)] = flat[IDX(i, 2)] = 0;
        for (int k = 0; k < 4; k++) near[4 * i + k] = (i * 3 + k) % 5 == 0 ? -1 : (i + 17 * k + 1) % N;
    }
}

static double sum_of(const double *v, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += v[i] * (1 + i % 7);
    return s;
}

static void say(const char *what, double value) { printf("%-12s %.10e\n", what, value); }

static void edges(void)
{
#pragma inlay maploop
    for (int e = 0; e < M; e++) {
        const double f = w[e] * (x[a[e]] - x[b[e]]);
        y[a[e]] += f;
        y[b[e]] -= f;
    }
    say("edges", sum_of(y, N));
}

static void old_style(void)
{
    int e, n1, n2;
    double d, s = 0;
#pragma inlay maploop
    for (e = 0; e < M; e++) {
        n1 = ends[2 * e];
        n2 = ends[2 * e + 1];
        d = x[n1] * x[n2];
        s = s + d;
        y[n1] = y[n1] + d;
    }
    say("old style", sum_of(y, N) + s + n1 + 3 * n2 + d + e);
}

static void backwards(void)
{
#pragma inlay maploop
    for (long e = M - 1; e >= 0; e -= 2) y[b[e]] += x[a[e]];
    say("backwards", sum_of(y, N));
}

static void macros(void)
{
#pragma inlay maploop
    for (int e = 0; e < M; e++) {
        for (int c = 0; c < 3; c++) ADD(flat, IDX(a[e], c), w[e] * (c + 1));
        flat[IDX(b[e], 1)] += GREATER(x[a[e]], x[b[e]]);
    }
    say("macros", sum_of(flat, 3 * N));
}

static void neighbours(void)
{
#pragma inlay maploop
    for (unsigned i = 0; i < N; i++) {
        double s = 0;
        for (int k = 0; k < 4; k++) {
            const int j = near[4 * i + k];
            if (j < 0) continue;
            s += x[j];
        }
        y[i] = s;
    }
    say("neighbours", sum_of(y, N));
}

static void extremes(void)
{
    double least = 1e30, most = -1e30, best = -1;
    int where = -1, any = 0, all = 1;
    unsigned bits = 0;
#pragma inlay maploop
    for (int i = 0; i < N; i++) {
        if (x[i] < least) least = x[i];
        most = fmax(most, x[i]);
        if (fabs(x[i]) > best) {
            best = fabs(x[i]);
            where = i;
        }
        any = any || x[i] > 0.99;
        all = all && x[i] < 2;
        bits |= 1u << (i % 13);
    }
    say("extremes", least + 2 * most + 4 * best + where + any + all + bits);
}

static void flagged(void)
{
    int found = 0, last = -1;
#pragma inlay maploop
    for (int i = 0; i < N; i++) {
        if (x[i] > 0.9) found = 1;
        if (x[i] < -0.5) last = i;
    }
    say("flagged", 1000 * found + last);
}

static void histogram(void)
{
    int count[10] = {0};
#pragma inlay maploop
    for (int i = 0; i < N; i++) count[(int)(5 * (x[i] + 1)) % 10]++;
    double s = 0;
    for (int k = 0; k < 10; k++) s += count[k] * (k + 1);
    say("histogram", s);
}

static void least_of(void)
{
    double low[N], high[N];
    for (int i = 0; i < N; i++) low[i] = 9, high[i] = -9;
#pragma inlay maploop
    for (int e = 0; e < M; e++) {
        if (x[b[e]] < low[a[e]]) low[a[e]] = x[b[e]];
        high[b[e]] = x[a[e]] > high[b[e]] ? x[a[e]] : high[b[e]];
    }
    say("least of", sum_of(low, N) + sum_of(high, N));
}

static void rows(void)
{
    int start[N + 1], column[3 * N];
    size_t entries = 0;
    for (int i = 0; i < N; i++) {
        start[i] = (int)entries;
        for (int k = 0; k < i % 4; k++) column[entries++] = (i * 5 + k * 11) % N;
    }
    start[N] = (int)entries;
    for (int step = 0; step < 3; step++) {
#pragma inlay maploop
        for (int i = 0; i < N; i++) {
            int k = start[i];
            double s = 0;
            while (k < start[i + 1]) {
                s += x[column[k]];
                k++;
            }
            y[i] = s / 2;
        }
#pragma inlay maploop
        for (int i = 0; i < N; i++) x[i] = 0.5 * (x[i] + y[i]);
    }
    say("rows", sum_of(x, N));
}

static void swapped(void)
{
    double *now = x, *next = y;
    for (int step = 0; step < 5; step++) {
#pragma inlay maploop
        for (int i = 0; i < N; i++) next[i] = 0.25 * (now[(i + 1) % N] + now[(i + N - 1) % N]) + 0.5 * now[i];
        double *t = now;
        now = next;
        next = t;
    }
    say("swapped", sum_of(now, N));
}

static void push(particle *p, const vec *f, double by)
{
    p->force.x += by * f->x;
    p->force.y -= by * f->y;
}

static void particles(void)
{
    particle *p = calloc(N, sizeof *p);
    for (int i = 0; i < N; i++) p[i] = (particle){{x[i], 1 - x[i]}, {0, 0}, (i * 3) % N};
    for (int step = 0; step < 2; step++) {
#pragma inlay maploop
        for (int e = 0; e < M; e++) {
            vec f = {p[a[e]].at.x - p[b[e]].at.x, p[a[e]].at.y - p[b[e]].at.y};
            push(&p[a[e]], &f, 0.1);
            push(&p[b[e]], &f, -0.1);
        }
#pragma inlay maploop
        for (int i = 0; i < N; i++) {
            particle *q = p + i;
            q->at.x += q->force.x;
            q->at.y += q->force.y;
            memset(&q->force, 0, sizeof q->force);
        }
    }
    double s = 0;
    for (int i = 0; i < N; i++) s += p[i].at.x * i + p[i].at.y;
    say("particles", s);
    free(p);
}

static void relax(mesh *m)
{
#pragma inlay maploop
    for (int e = 0; e < m->m; e++)
        if (m->kind[e] != 0) m->new[m->to[e]] += 0.5 * m->old[m->from[e]];
        else m->new[m->from[e]] -= m->old[m->to[e]];
}

static void meshes(void)
{
    unsigned char kind[M];
    for (int e = 0; e < M; e++) kind[e] = e % 3 == 0;
    mesh m = {N, M, a, b, malloc(N * sizeof(double)), calloc(N, sizeof(double)), kind};
    memcpy(m.old, x, N * sizeof *x);
    for (int step = 0; step < 4; step++) {
        relax(&m);
        double *t = m.old;
        m.old = m.new;
        m.new = t;
    }
    say("meshes", sum_of(m.old, m.n) + sum_of(m.new, m.n));
    free(m.old);
    free(m.new);
}

static void other_numbers(void)
{
    float f[N] = {0};
    double complex z[N] = {0};
    number k[N] = {0};
    long long far = 0;
#pragma inlay maploop
    for (size_t e = 0; e < M; ++e) {
        f[a[e]] += 0.5f;
        z[b[e]] += w[e] * I + 1;
        k[a[e]] ^= (number)e;
        far += (long long)e << 20;
    }
    double s = 0;
    for (int i = 0; i < N; i++) s += f[i] * i + creal(z[i]) + cimag(z[i]) * 2 + k[i];
    say("numbers", s + (double)far);
}

static double dot(int n, const double *p, const double *q)
{
    double s = 0;
#pragma inlay maploop
    for (int i = 0; i < n; i++) s += p[i] * q[i];
    return s;
}

static void axpy(int n, double by, const double *p, double *q)
{
#pragma inlay maploop
    for (int i = 0; i < n; i++) q[i] += by * p[i];
}

static void solver(void)
{
    double history[4];
    for (int step = 0; step < 4; step++) {
        axpy(N, 0.1, x, y);
        history[step] = sqrt(dot(N, y, y)) + x[step];
        if (dot(N, x, y) > 1e9) break;
    }
    say("solver", sum_of(history, 4));
}

static int corners(int e, int *list)
{
    list[0] = ends[2 * e];
    list[1] = ends[2 * e + 1];
    return list[0] == list[1] ? 1 : 2;
}

static void elements(void)
{
#pragma inlay maploop
    for (int e = 0; e < M; e++) {
        int node[2];
        double local[2] = {w[e], 2 * w[e]};
        const int count = corners(e, node);
        for (int k = 0; k < count; k++) y[node[k]] += local[k] * x[node[0]];
    }
    say("elements", sum_of(y, N));
}

static void kinds(void)
{
#pragma inlay maploop
    for (int e = 0; e < M; e++) {
        switch (e % 4) {
        case 0: y[a[e]] += 1; break;
        case 1:
        case 2: y[b[e]] -= w[e]; /* fallthrough */
        default: y[a[e]] += 2 * w[e];
        }
    }
    say("kinds", sum_of(y, N));
}

static void changing(void)
{
    for (int step = 0; step < 4; step++) {
#pragma inlay maploop
        for (int e = 0; e < M; e++) y[a[e]] += x[b[e]];
        for (int e = 0; e < M; e++) b[e] = (b[e] + step + 1) % N;
    }
    say("changing", sum_of(y, N));
}

static void boundary(void)
{
    const int list[] = {3, 17, 40, 41, 88};
    for (int step = 0; step < 3; step++) {
#pragma inlay maploop
        for (int i = 0; i < (int)(sizeof list / sizeof *list); i++) y[list[i]] = x[list[i]] + step;
#pragma inlay maploop
        for (int e = 0; e < M; e++) x[a[e]] += 0.01 * y[b[e]];
    }
    say("boundary", sum_of(x, N) + sum_of(y, N));
}

static void linked(void)
{
    int head[N], next[M];
    for (int i = 0; i < N; i++) head[i] = -1;
    for (int e = 0; e < M; e++) {
        next[e] = head[a[e]];
        head[a[e]] = e;
    }
#pragma inlay maploop
    for (int i = 0; i < N; i++)
        for (int e = head[i]; e >= 0; e = next[e]) y[i] += w[e] * x[b[e]];
    say("linked", sum_of(y, N));
}

static void counted(void)
{
    total = 0;
#pragma inlay maploop
    for (int e = 0; e < M; e++) {
        if (a[e] == b[e]) continue;
        total++;
    }
    say("counted", (double)total);
}

static void products(void)
{
    double p[N], s = 1;
    for (int i = 0; i < N; i++) p[i] = 1;
#pragma inlay maploop
    for (int e = 0; e < M; e++) {
        p[a[e]] *= 1 + w[e] / 10;
        s *= 1 + w[e] / 100;
    }
    say("products", sum_of(p, N) + s);
}

static void compacted(void)
{
    int list[N][8], count[N];
#pragma inlay maploop
    for (int i = 0; i < N; i++) {
        int n = 0;
        for (int j = 0; j < N && n < 8; j++)
            if (fabs(x[i] - x[j]) < 0.1) list[i][n++] = j;
        count[i] = n;
    }
    double s = 0;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < count[i]; k++) s += list[i][k] * (k + 1);
    say("compacted", s);
}

static void twice(double *into)
{
    int i = 4;
#pragma inlay maploop
    for (; i < N; i += 3) {
        into[i] = 2 * x[i];
    }
    say("open start", sum_of(into, N) + i);
}

int main(void)
{
    void (*const all[])(void) = {edges, old_style, backwards, macros, neighbours, extremes, flagged, histogram, least_of,
                                 rows, swapped, particles, meshes, other_numbers, solver, elements, kinds, changing,
                                 boundary, linked, counted, products, compacted};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        fill();
        all[k]();
    }
    fill();
    twice(y);
    return 0;
}
