#include <math.h>
#include "value.h"

static double t;

static double norm(const double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
    return sqrt(s);
}

static void half(double *x, int from, int to)
{
    for (int i = from; i < to; i++)
        x[i] /= 2;
}

void run(void)
{
    double x[30];
    int m = 7;
    t = norm(x, 30) + norm(x, m);
    for (int i = 0; i < 10; i++) {
        half(x, i, 2 * i);
        COMPUTES(1);
        t += norm(x + i, i);
    }
    m = 3;
    half(x, 0, m);
}
