#include <math.h>

static double norm(const double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
    return sqrt(s);
}

double parts(double *x, int n)
{
    double t = norm(x, n);
    for (int i = 0; i < n; i++)
        if (x[i] > t)
            t = t + x[i] * 2;
    return -t;
}

double other(double *x)
{
    while (*x > 1)
        *x /= 2;
    return *x;
}
