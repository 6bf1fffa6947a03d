/* A string: leapfrog in time, three arrays in a ring, fixed ends. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 800, steps = argc > 2 ? atoi(argv[2]) : 60;
    double *u[3];
    for (int k = 0; k < 3; k++) u[k] = calloc(n + 1, sizeof **u);
    for (int i = 0; i <= n; i++) u[0][i] = u[1][i] = exp(-0.01 * (i - n / 3) * (i - n / 3));
    u[0][0] = u[1][0] = u[0][n] = u[1][n] = 0;
    for (int t = 2; t < steps + 2; t++) {
        const double *past = u[(t - 2) % 3], *now = u[(t - 1) % 3];
        double *next = u[t % 3];
#pragma inlay maploop
        for (int i = 1; i < n; i++)
            next[i] = 2 * now[i] - past[i] + 0.64 * (now[i + 1] - 2 * now[i] + now[i - 1]);
    }
    const double *end = u[(steps + 1) % 3];
    double sum = 0, most = 0;
    for (int i = 0; i <= n; i++) {
        sum += end[i] * end[i];
        most = fmax(most, end[i]);
    }
    printf("%.10e %.10e\n", sum, most);
    for (int k = 0; k < 3; k++) free(u[k]);
    return 0;
}
