/* Adds to elements that other iterations read. */
#include <stdio.h>

#define N 120
static int src[3 * N], dst[3 * N];
static double y[N];

int main(void)
{
    for (int i = 0; i < N; i++) y[i] = 1;
    for (int e = 0; e < 3 * N; e++) {
        src[e] = e % N;
        dst[e] = (e * 5 + 2) % N;
    }
#pragma inlay maploop
    for (int e = 0; e < 3 * N; e++)
        y[dst[e]] += 0.01 * y[src[e]];
    double s = 0;
    for (int i = 0; i < N; i++) s += y[i] * i;
    printf("%.10e\n", s);
    return 0;
}
