/* A second variable runs along in the loop's header. */
#include <stdio.h>

#define N 120
static double xyz[3 * N], len[N];

int main(void)
{
    int i, k;
    for (i = 0; i < 3 * N; i++) xyz[i] = i % 8;
#pragma inlay maploop
    for (i = 0, k = 0; i < N; i++, k += 3)
        len[i] = xyz[k] * xyz[k] + xyz[k + 1] * xyz[k + 1] + xyz[k + 2] * xyz[k + 2];
    double s = 0;
    for (i = 0; i < N; i++) s += len[i] * i;
    printf("%d %.10e\n", k, s);
    return 0;
}
