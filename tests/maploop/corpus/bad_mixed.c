/* Sums and products meet in one element. */
#include <stdio.h>

#define N 30
static int a[90], b[90];
static double y[N];

int main(void)
{
    for (int e = 0; e < 90; e++) {
        a[e] = e % N;
        b[e] = (e * 7 + 1) % N;
    }
#pragma inlay maploop
    for (int e = 0; e < 90; e++) {
        y[a[e]] += 1;
        y[b[e]] *= 0.5;
    }
    for (int i = 0; i < N; i++) printf("%.10e\n", y[i]);
    return 0;
}
