/* Marked loops in functions that a table holds: memory is looked at right behind such a call. */
#include <stdio.h>

#define N 90
static double x[N], y[N];

static void push(double *v)
{
#pragma inlay maploop
    for (int i = 0; i < N; i++) v[i] += 0.5 * x[(i * 7) % N];
}

static void halve(double *v)
{
#pragma inlay maploop
    for (int i = 0; i < N; i++) v[i] *= 0.5;
}

static const struct { void (*run)(double *); } step[] = {{push}, {halve}};

int main(void)
{
    double s = 0;
    for (int i = 0; i < N; i++) x[i] = i % 11;
    for (int t = 0; t < 6; t++) {
        step[t % 2].run(y);
        s += y[t] + y[N - 1 - t];
    }
    printf("%.10e\n", s);
    return 0;
}
