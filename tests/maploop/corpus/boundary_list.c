/* Interior edges, then a list of boundary points with values of their own. */
#include <stdio.h>
#include <stdlib.h>

struct boundary {
    int count;
    int *point;
    double *value;
};

int main(void)
{
    const int s = 24, n = s * s;
    int m = 0, (*e)[2] = malloc(2 * n * sizeof *e);
    struct boundary b = {0, malloc(4 * s * sizeof(int)), malloc(4 * s * sizeof(double))};
    double *u = calloc(n, sizeof *u), *r = calloc(n, sizeof *r);
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            if (i + 1 < s) { e[m][0] = i * s + j; e[m++][1] = (i + 1) * s + j; }
            if (j + 1 < s) { e[m][0] = i * s + j; e[m++][1] = i * s + j + 1; }
            if (i == 0 || j == 0 || i == s - 1 || j == s - 1) {
                b.value[b.count] = i == 0 ? 1.0 : 0.25 * j / s;
                b.point[b.count++] = i * s + j;
            }
        }
    for (int it = 0; it < 40; it++) {
#pragma inlay maploop
        for (int k = 0; k < b.count; k++)
            u[b.point[k]] = b.value[k];
#pragma inlay maploop
        for (int k = 0; k < m; k++) {
            const double d = u[e[k][1]] - u[e[k][0]];
            r[e[k][0]] += d;
            r[e[k][1]] -= d;
        }
#pragma inlay maploop
        for (int i = 0; i < n; i++) {
            u[i] += 0.2 * r[i];
            r[i] = 0;
        }
    }
    double sum = 0;
    for (int i = 0; i < n; i++) sum += u[i];
    printf("%d points at the boundary, sum %.10e, middle %.10e\n", b.count, sum, u[n / 2 + s / 2]);
    free(e); free(b.point); free(b.value); free(u); free(r);
    return 0;
}
