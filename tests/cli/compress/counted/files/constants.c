#include <stddef.h>
#include "value.h"

enum { ROWS = 6, COLUMNS = ROWS * 2 + 1 };
static const int depth = 4;
static int width = 3;
static double t, v[9];

void run(void)
{
    const int local = depth + ROWS;
    int later, early = 2;
    COMPUTES(3);
    for (int i = 0; i < ROWS; i++)
        for (int j = -COLUMNS; j < COLUMNS; j++)
            t += 1;
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        t -= 1;
    for (int i = 0; i < local * width; i++)
        t *= 2;
    later = local - 3;
    for (int i = early; i < later; i++)
        t /= 2;
    early = later + 5;
    later = 1;
    for (int i = 0; i < early; i += later)
        t = t + 2;
    for (char c = 'a'; c <= 'z'; c++)
        t = t + 3;
    for (int i = 0; i < (int)2.5e1; i++)
        t = t + 4;
    for (int i = 0; i < 1e2; i++)
        t = t + 5;
}
