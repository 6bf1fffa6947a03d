/* Where a condition on data does not hold, there is no index. */
#include <stdio.h>

#define N 80
static double weight[N], y[2 * N];
static int to[N], over[N];

static int slot(int i)
{
    if (weight[i] < 0.1) return i;
    return to[i];
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        weight[i] = (i * 7 % 10) / 10.0 - 0.4;
        over[i] = weight[i] > 0 ? i : 2000000000;
        to[i] = weight[i] > 0 ? N + i : -1999999999;
    }
    for (int step = 0; step < 2; step++) {
#pragma inlay maploop
        for (int i = 0; i < N; i++)
            if (weight[i] > 0) y[to[over[i]]] += i;
#pragma inlay maploop
        for (int i = 0; i < N; i++) {
            const double w = 2 * weight[i];
            y[i] += w > 0 ? y[to[i]] : 1;
        }
#pragma inlay maploop
        for (int i = 0; i < N; i++) y[slot(i)] -= 0.25;
        for (int i = 0; i < N; i += 5) weight[i] = -1;
    }
    double s = 0;
    for (int i = 0; i < 2 * N; i++) s += y[i] * (i + 1);
    printf("%.10e\n", s);
    return 0;
}
