/* long double elements and sums, signed char marks, unsigned long long counts. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 130, m = 520;
    long double *w = malloc(n * sizeof *w), *z = calloc(n, sizeof *z), all = 0;
    signed char *mark = calloc(n, 1);
    unsigned long long hits = 0;
    int *a = malloc(m * sizeof *a);
    for (int i = 0; i < n; i++) w[i] = 1.0L / (i + 1);
    for (int e = 0; e < m; e++) a[e] = (e * e + 3 * e) % n;
#pragma inlay maploop
    for (int e = 0; e < m; e++) {
        z[a[e]] += w[(a[e] + 1) % n];
        mark[a[e]] |= 1;
        all += w[a[e]];
        hits += (unsigned long long)a[e];
    }
    int marked = 0;
    long double s = 0;
    for (int i = 0; i < n; i++) {
        marked += mark[i];
        s += z[i];
    }
    printf("%.10Le %.10Le %llu %d\n", s, all, hits, marked);
    free(w); free(z); free(mark); free(a);
    return 0;
}
