/* Areas of triangles tri[3*e+k], lumped to their corners. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    const int s = 25, np = s * s, nt = 2 * (s - 1) * (s - 1);
    int *tri = malloc(3 * nt * sizeof(int)), t = 0;
    double *px = malloc(np * sizeof(double)), *py = malloc(np * sizeof(double));
    double *area = malloc(nt * sizeof(double)), *lumped = calloc(np, sizeof(double));
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            px[i * s + j] = i + 0.2 * sin(i + j);
            py[i * s + j] = j + 0.2 * cos(3.0 * i - j);
        }
    for (int i = 0; i + 1 < s; i++)
        for (int j = 0; j + 1 < s; j++) {
            const int a = i * s + j, b = a + 1, c = a + s, d = c + 1;
            tri[3 * t] = a; tri[3 * t + 1] = c; tri[3 * t + 2] = d; t++;
            tri[3 * t] = a; tri[3 * t + 1] = d; tri[3 * t + 2] = b; t++;
        }
    double whole = 0;
#pragma inlay maploop
    for (int e = 0; e < nt; e++) {
        const int *v = &tri[3 * e];
        const double ax = px[v[1]] - px[v[0]], ay = py[v[1]] - py[v[0]];
        const double bx = px[v[2]] - px[v[0]], by = py[v[2]] - py[v[0]];
        area[e] = 0.5 * (ax * by - ay * bx);
        whole += area[e];
        for (int k = 0; k < 3; k++) lumped[tri[3 * e + k]] += area[e] / 3;
    }
    double most = 0, check = 0;
    for (int p = 0; p < np; p++) {
        check += lumped[p];
        if (lumped[p] > most) most = lumped[p];
    }
    printf("area %.10e, at corners %.10e, largest share %.10e\n", whole, check, most);
    free(tri); free(px); free(py); free(area); free(lumped);
    return 0;
}
