/* A helper counts its calls in a global variable, and how often it took a branch in a static array. */
#include <stdio.h>

#define N 300
long calls;
static int taken[3];
static double x[N], y[N];

static double curve(double v)
{
    calls++;
    if (v < 1) {
        taken[0]++;
        return v;
    }
    if (v < 2) {
        taken[1]++;
        return 2 - v;
    }
    taken[2]++;
    return 0;
}

int main(void)
{
    for (int i = 0; i < N; i++) x[i] = i % 30 * 0.1;
#pragma inlay maploop
    for (int i = 0; i < N; i++) y[i] = curve(x[i]) + curve(0.5 * x[i]);
    double s = 0;
    for (int i = 0; i < N; i++) s += y[i];
    printf("%ld calls (%d %d %d), %.10e\n", calls, taken[0], taken[1], taken[2], s);
    return 0;
}
