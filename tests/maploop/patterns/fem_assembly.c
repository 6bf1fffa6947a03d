/* Linear triangles: the stiffness matrix is assembled into CSR, then conjugate gradients. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct matrix { int n, *start, *col; double *val; };

static int place(const struct matrix *a, int row, int col)
{
    int lo = a->start[row], hi = a->start[row + 1] - 1;
    while (lo < hi) {
        const int mid = (lo + hi) / 2;
        if (a->col[mid] < col) lo = mid + 1; else hi = mid;
    }
    return lo;
}

static void multiply(const struct matrix *a, const double *x, double *y)
{
#pragma inlay maploop
    for (int i = 0; i < a->n; i++) {
        double s = 0;
        for (int k = a->start[i]; k < a->start[i + 1]; k++) s += a->val[k] * x[a->col[k]];
        y[i] = s;
    }
}

static double dot(int n, const double *a, const double *b)
{
    double s = 0;
#pragma inlay maploop
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}

int main(int argc, char **argv)
{
    const int s = argc > 1 ? atoi(argv[1]) : 14, n = s * s, nt = 2 * (s - 1) * (s - 1);
    int *tri = malloc(3 * nt * sizeof *tri), t = 0, nz = 0;
    double (*p)[2] = malloc(n * sizeof *p);
    struct matrix a = {n, malloc((n + 1) * sizeof(int)), malloc(9 * n * sizeof(int)), calloc(9 * n, sizeof(double))};
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            const int v = i * s + j;
            p[v][0] = (double)i / s + 0.01 * sin(v);
            p[v][1] = (double)j / s;
            a.start[v] = nz;
            for (int di = -1; di <= 1; di++)
                for (int dj = -1; dj <= 1; dj++)
                    if (i + di >= 0 && i + di < s && j + dj >= 0 && j + dj < s && di * dj >= 0) a.col[nz++] = v + di * s + dj;
            if (i + 1 < s && j + 1 < s) {
                const int c[6] = {v, v + s, v + s + 1, v, v + s + 1, v + 1};
                for (int k = 0; k < 6; k++) tri[3 * t + k] = c[k];
                t += 2;
            }
        }
    a.start[n] = nz;
    double *b = calloc(n, sizeof *b), *x = calloc(n, sizeof *x), *r = malloc(n * sizeof *r), *d = malloc(n * sizeof *d), *q = malloc(n * sizeof *q);
#pragma inlay maploop
    for (int e = 0; e < nt; e++) {
        double gx[3], gy[3];
        const double *v[3];
        for (int k = 0; k < 3; k++) v[k] = p[tri[3 * e + k]];
        const double area = 0.5 * ((v[1][0] - v[0][0]) * (v[2][1] - v[0][1]) - (v[2][0] - v[0][0]) * (v[1][1] - v[0][1]));
        for (int k = 0; k < 3; k++) {
            gx[k] = (v[(k + 1) % 3][1] - v[(k + 2) % 3][1]) / (2 * area);
            gy[k] = (v[(k + 2) % 3][0] - v[(k + 1) % 3][0]) / (2 * area);
        }
        for (int i = 0; i < 3; i++) {
            b[tri[3 * e + i]] += area / 3;
            for (int j = 0; j < 3; j++)
                a.val[place(&a, tri[3 * e + i], tri[3 * e + j])] += area * (gx[i] * gx[j] + gy[i] * gy[j]) + area * (i == j ? 2 : 1) / 12;
        }
    }
    double rr = 0;
    for (int i = 0; i < n; i++) { r[i] = d[i] = b[i] * (1 + i % 3); rr += r[i] * r[i]; }
    int it = 0;
    for (; it < 300 && rr > 1e-14; it++) {
        multiply(&a, d, q);
        const double alpha = rr / dot(n, d, q), old = rr;
#pragma inlay maploop
        for (int i = 0; i < n; i++) {
            x[i] += alpha * d[i];
            r[i] -= alpha * q[i];
        }
        rr = dot(n, r, r);
#pragma inlay maploop
        for (int i = 0; i < n; i++) d[i] = r[i] + rr / old * d[i];
    }
    printf("%d entries, %s, x.b %.6e, trace %.10e\n", nz, it < 300 ? "solved" : "not solved", dot(n, x, b), a.val[0] + a.val[nz - 1]);
    free(tri); free(p); free(a.start); free(a.col); free(a.val); free(b); free(x); free(r); free(d); free(q);
    return 0;
}
