#include <float.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include "size.h"

static double t;

static double twice(double x)
{
    return x + x;
}

/* n is a parameter, N and FACTOR are macros; the call of twice() is told, and not looked into. */
void given(int n)
{
    for (int64_t i = 0; i < n; i++)
        t += 1;
    for (int i = 0; i < SIZE; i++)
        t = twice(t);
    for (int i = 0; i < CHAR_BIT; i++)
        t = t * DBL_EPSILON;
    while (t > 1)
        t = t / 2;
    srand(7);
}
