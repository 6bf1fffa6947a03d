/* Two index arrays and a weight per edge. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 500, m = 5 * n;
    int *src = malloc(m * sizeof(*src)), *dst = malloc(m * sizeof(*dst));
    double *w = malloc(m * sizeof(*w)), *x = malloc(n * sizeof(*x)), *y = calloc(n, sizeof(*y));
    unsigned long r = 12345;
    for (int e = 0; e < m; e++) {
        r = (r * 6364136223846793005ul + 1442695040888963407ul);
        src[e] = (r >> 33) % n;
        r = (r * 6364136223846793005ul + 1442695040888963407ul);
        dst[e] = (r >> 33) % n;
        w[e] = 1.0 + (r >> 60);
    }
    for (int i = 0; i < n; i++) x[i] = 1.0 / (i + 1);
#pragma inlay maploop
    for (int e = 0; e < m; e++) {
        y[dst[e]] += w[e] * x[src[e]];
    }
    double s = 0;
    for (int i = 0; i < n; i++) s += y[i] * y[i];
    printf("%.10e\n", s);
    free(src), free(dst), free(w), free(x), free(y);
}
