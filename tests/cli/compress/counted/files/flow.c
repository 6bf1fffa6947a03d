#include "value.h"

static double t;

void run(int n)
{
    int m = n, rest;
    for (int step = 0; step < 3; step++) {
        int length = n - step;
        for (int i = 0; i < length; i++)
            t += 1;
        length = length / 2;
        COMPUTES(2);
        for (int i = 0; i < length; i++)
            t *= 2;
    }
    if (m > 4) {
        rest = m - 4;
        COMPUTES(1);
    } else
        rest = 1;
    for (int i = 0; i < rest; i++)
        t -= 1;
    int i;
    for (i = 0; i < m; i++)
        t /= 2;
    for (; i < 2 * m; i++)
        t = t + 1 + t;
    {
        int m = 2;
        for (int k = 0; k < m; k++)
            t = t - 1;
        m++;
        for (int k = 0; k < m; k++)
            t = t - 1;
    }
    for (int k = 0; k < m; k++)
        t = t * 3;
}
