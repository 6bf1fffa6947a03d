/* Clocks around the loops; what they show is not printed, but calls depend on them. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void)
{
    int n = 150, steps = 0;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), spent = 0;
    const time_t began = time(NULL);
    for (int i = 0; i < n; i++) x[i] = i;
    while (steps < 5 && difftime(time(NULL), began) < 1e6) {
        const clock_t start = clock();
#pragma inlay maploop
        for (int i = 0; i < n; i++) y[i] = (x[i] + x[(i * 7) % n]) / 2;
        spent += (double)(clock() - start) / CLOCKS_PER_SEC;
        double *t = x;
        x = y;
        y = t;
        steps++;
    }
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * i;
    printf("%d steps, %s, %.10e\n", steps, spent >= 0 && spent < 1e6 ? "in time" : "late", s);
    free(x);
    free(y);
    return 0;
}
