/* flux(a, b, f): helpers that read elements by pointers and write a local array. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void flux(const double *a, const double *b, double *f)
{
    double pa = 0.4 * (a[2] - 0.5 * a[1] * a[1] / a[0]);
    double pb = 0.4 * (b[2] - 0.5 * b[1] * b[1] / b[0]);
    double lambda = 1.5;
    f[0] = 0.5 * (a[1] + b[1]) - 0.5 * lambda * (b[0] - a[0]);
    f[1] = 0.5 * (a[1] * a[1] / a[0] + pa + b[1] * b[1] / b[0] + pb) - 0.5 * lambda * (b[1] - a[1]);
    f[2] = 0.5 * ((a[2] + pa) * a[1] / a[0] + (b[2] + pb) * b[1] / b[0]) - 0.5 * lambda * (b[2] - a[2]);
}

int main(void)
{
    const int n = 200, m = n - 1;
    int *l = malloc(m * sizeof(int)), *r = malloc(m * sizeof(int));
    double *u = malloc(3 * n * sizeof(double)), *res = calloc(3 * n, sizeof(double));
    for (int i = 0; i < n; i++) {
        u[3 * i] = i < n / 2 ? 1.0 : 0.125;
        u[3 * i + 1] = 0;
        u[3 * i + 2] = i < n / 2 ? 2.5 : 0.25;
    }
    for (int e = 0; e < m; e++) { l[e] = e; r[e] = e + 1; }
    for (int step = 0; step < 20; step++) {
#pragma inlay maploop
        for (int e = 0; e < m; e++) {
            double f[3];
            flux(&u[3 * l[e]], &u[3 * r[e]], f);
            for (int k = 0; k < 3; k++) {
                res[3 * l[e] + k] -= f[k];
                res[3 * r[e] + k] += f[k];
            }
        }
        for (int i = 3; i < 3 * n - 3; i++) u[i] += 0.3 * res[i];
        for (int i = 0; i < 3 * n; i++) res[i] = 0;
    }
    double mass = 0, energy = 0;
    for (int i = 0; i < n; i++) { mass += u[3 * i]; energy += u[3 * i + 2]; }
    printf("mass %.10e energy %.10e at shock %.10e\n", mass, energy, u[3 * (n / 2)]);
    free(l); free(r); free(u); free(res);
    return 0;
}
