/* A recurrence through a pointer to a scalar. */
#include <stdio.h>

static void filter(int n, const double *x, double *y, double *state)
{
#pragma inlay maploop
    for (int i = 0; i < n; i++) {
        *state = 0.5 * *state + x[i];
        y[i] = *state;
    }
}

int main(void)
{
    static double x[60], y[60];
    double state = 1;
    for (int i = 0; i < 60; i++) x[i] = i % 4;
    filter(60, x, y, &state);
    printf("%.10e %.10e\n", y[30], state);
    return 0;
}
