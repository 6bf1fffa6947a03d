#include <math.h>

static int more(int n);
double t, x[10];

double limits(int k)
{
    for (int i = 0; i < 10; i++) {
        if (x[i] > 0)
            t = t * 2 + 1;
        else
            t = sin(t);
        if (k < 3)
            continue;
        if (t > 9)
            break;
        t = x[i] > 1 ? t + 1 : t;
        if (t > 1 && t * t < 2)
            return t;
        switch (k) {
        case 0: t = t + 1 + 1; break;
        case 1: t = t + 1;
        case 2: t = t + 1; break;
        }
    }
    for (int i = 0; i < 5 && t > 1; i++)
        t += 1;
    for (int i = 0; i < 4 && more(i) > -1; i++)
        t += 1;
    if (k > 1)
        goto end;
    t = t ?: 2 * t;
end:
    return t;
}

static int more(int n)
{
    return n + 1;
}
