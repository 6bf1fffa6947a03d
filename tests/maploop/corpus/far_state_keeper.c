#include "far_state.h"
#include <stdio.h>

static int points, edges, *ends, steps;
static double *value, *change;

void remember(int n, int m, int *to, double *x, double *y)
{
    points = n;
    edges = m;
    ends = to;
    value = x;
    change = y;
}

void report(void)
{
    double s = 0;
    for (int i = 0; i < points; i++) s += change[i] * (i + 1);
    printf("%d %.10e\n", steps, s);
}

void tick(void)
{
    steps++;
    for (int i = 0; i < points; i++) {
        value[i] += 0.1 * change[i];
        change[i] = 0;
    }
    for (int e = steps; e < edges; e += 3) ends[e] = (ends[e] + steps) % points;
}
