/* float: values are binary fractions, so that sums are exact in any order. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    const int n = 300, m = 900;
    float *mass = malloc(n * sizeof(float)), *flow = calloc(n, sizeof(float)), total = 0.0f;
    int *a = malloc(m * sizeof(int)), *b = malloc(m * sizeof(int));
    for (int i = 0; i < n; i++) mass[i] = (float)(i % 16) * 0.25f;
    for (int e = 0; e < m; e++) {
        a[e] = e % n;
        b[e] = (e * 3 + 1 + e / n) % n;
    }
#pragma inlay maploop
    for (int e = 0; e < m; e++) {
        float f = 0.5f * (mass[b[e]] - mass[a[e]]);
        flow[a[e]] += f;
        flow[b[e]] -= 0.5f * f;
        total += f * f;
    }
    double sum = 0;
    for (int i = 0; i < n; i++) sum += flow[i] * flow[i];
    printf("total %.6f sum %.10e flow[3] %.4f\n", total, sum, flow[3]);
    free(mass); free(flow); free(a); free(b);
    return 0;
}
