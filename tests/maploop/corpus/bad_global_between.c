/* A global scalar goes from iteration to iteration through a helper. */
#include <stdio.h>

static double carry;

static double next(double x)
{
    const double old = carry;
    carry = 0.5 * x + 0.25 * carry;
    return old;
}

int main(void)
{
    static double x[80], y[80];
    double s = 0;
    for (int i = 0; i < 80; i++) x[i] = i % 9;
#pragma inlay maploop
    for (int i = 0; i < 80; i++) y[i] = next(x[i]);
    for (int i = 0; i < 80; i++) s += y[i] * i;
    printf("%.10e\n", s);
    return 0;
}
