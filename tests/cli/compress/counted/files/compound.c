#include "value.h"

static double t, u[4];
static number k;

void run(int n)
{
    for (int i = 0; i < n; i++) {
        t += u[i % 4];
        t -= -u[0];
        t *= 2. * 3.14 * t;
        t /= 1 + (2 - t);
        k = V(i) % 7;
        k %= 3;
        ++t;
        t--;
        u[0]++;
        t = -t + +t;
        t = -1 * t;
        t = t - 10 / 5;
    }
}
