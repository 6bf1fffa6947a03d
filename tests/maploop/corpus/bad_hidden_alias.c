/* Two parameters that are one array: only the run shows that y[i] is x[i + 1]. */
#include <stdio.h>

static void half(int n, const double *x, double *y)
{
#pragma inlay maploop
    for (int i = 0; i < n; i++)
        y[i] = 0.5 * x[i] + 1;
}

int main(void)
{
    static double a[101];
    for (int i = 0; i < 101; i++) a[i] = i;
    half(100, a, a + 1);
    printf("%.10e %.10e\n", a[50], a[100]);
    return 0;
}
