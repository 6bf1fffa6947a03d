/* do ... while a norm is too large; nested in a loop over right sides. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 64, rhs, i, steps;
    double *x = malloc(n * sizeof(double)), *y = malloc(n * sizeof(double)), err;
    for (rhs = 1; rhs <= 3; rhs++) {
        for (i = 0; i < n; i++) x[i] = 0;
        steps = 0;
        do {
            err = 0;
#pragma inlay maploop
            for (i = 0; i < n; i++) {
                double b = rhs * (1 + i % 3);
                double left = i ? x[i - 1] : 0, right = i < n - 1 ? x[i + 1] : 0;
                y[i] = (b + left + right) / 4;
                err += fabs(y[i] - x[i]);
            }
#pragma inlay maploop
            for (i = 0; i < n; i++) x[i] = y[i];
            steps++;
        } while (err > 1e-3);
        printf("%d: %d steps, %.10e\n", rhs, steps, x[n / 2]);
    }
    free(x);
    free(y);
    return 0;
}
