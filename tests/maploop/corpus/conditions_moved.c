/* A condition that reads what the loop adds to nothing: bounds, masks, early continue, nested ?:. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    const int n = 220, m = 880;
    int *a = malloc(m * sizeof *a), *b = malloc(m * sizeof *b), *active = malloc(n * sizeof *active), skipped = 0;
    double *x = malloc(n * sizeof *x), *y = calloc(n, sizeof *y), *z = calloc(n, sizeof *z);
    for (int e = 0; e < m; e++) {
        a[e] = e % n;
        b[e] = e % 50 == 49 ? n + 7 : (e * 5 + 2) % n;
    }
    for (int i = 0; i < n; i++) {
        x[i] = sin(i);
        active[i] = i % 7 != 0;
    }
#pragma inlay maploop
    for (int e = 0; e < m; e++) {
        if (b[e] >= n || !active[a[e]]) {
            skipped++;
            continue;
        }
        const double d = x[b[e]] - x[a[e]];
        y[d > 0 ? a[e] : b[e]] += fabs(d);
        if (d > 0.5 && active[b[e]])
            z[b[e]] += d > 1 ? 1 : d;
        else if (d < -0.5)
            z[a[e]] -= d < -1 ? -1 : d;
    }
    double s = 0, t = 0;
    for (int i = 0; i < n; i++) {
        s += y[i] * (i % 3);
        t += z[i];
    }
    printf("%d %.10e %.10e\n", skipped, s, t);
    free(a); free(b); free(active); free(x); free(y); free(z);
    return 0;
}
