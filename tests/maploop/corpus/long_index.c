/* long indices and a loop that counts down */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    long n = 480, i, step;
    long *next = (long *) malloc(n * sizeof(long));
    double *x = (double *) malloc(n * sizeof(double));
    double *y = (double *) malloc(n * sizeof(double));
    for (i = 0; i < n; i++) {
        next[i] = (i * i + 1) % n;
        x[i] = (double) (i % 31);
    }
    for (step = 0; step < 3; step++) {
#pragma inlay maploop
        for (i = n - 1; i >= 0; i--) {
            long j = next[i];
            y[i] = x[i] + 0.5 * x[j] + 0.25 * x[next[j]];
        }
#pragma inlay maploop
        for (i = n; i > 0; --i)
            x[i - 1] = y[i - 1] / 2;
    }
    double s = 0;
    for (i = 0; i < n; i++) s += (double) (i + 1) * x[i];
    printf("%.10e\n", s);
    free(next); free(x); free(y);
    return 0;
}
