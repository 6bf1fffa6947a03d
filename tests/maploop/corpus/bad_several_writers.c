/* Several iterations set one element; the last one wins. */
#include <stdio.h>

#define N 50
static int dst[4 * N];
static double x[4 * N], y[N];

int main(void)
{
    for (int e = 0; e < 4 * N; e++) {
        dst[e] = (e * 7 + e / N) % N;
        x[e] = e;
    }
#pragma inlay maploop
    for (int e = 0; e < 4 * N; e++)
        y[dst[e]] = x[e];
    double s = 0;
    for (int i = 0; i < N; i++) s += y[i] * i;
    printf("%.10e\n", s);
    return 0;
}
