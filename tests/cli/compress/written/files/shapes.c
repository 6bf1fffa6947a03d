#include <math.h>

static double t;

/* Bodies of many operations, of few, of unequal numbers and of none. */
void shapes(void)
{
#define TEN(x) x + x + x + x + x + x + x + x + x + x
    for (int i = 0; i < 7; i++)
        t = TEN(t) + TEN(t) + TEN(t) * TEN(t) - TEN(t) + TEN(t);
    for (int i = 0; i < 10; i++)
        if (i % 4 == 0)
            t = sin(t) + 1;
    for (int i = 0; i < 3; i++)
        ;
    for (int i = 5; i < 0; i++)
        t = t + 1;
    t = cos(t);
}
