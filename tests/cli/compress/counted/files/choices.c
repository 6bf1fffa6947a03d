#include "value.h"

static double t, u;

void run(int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (i == j)
                t = t + 1;
            else if (i < j && j % 2 == 0)
                t = t * t * t;
            COMPUTES(i < j); /* the remainder */
            u = j > i ? t + 1 + 2 : -t;
            if (n > 100)
                t = t / 2 / 2 / 2 / 2;
        }
        if (t > u)
            t = t + 1;
        else
            t = t - 1;
        switch (i) {
        case 0:
        case 1: t = t + 1; break;
        case 2: t = t * 2; break;
        default: t = t / 2;
        }
        if (t > 3)
            u = t;
    }
}
