#include "ring.h"

void spread(double *to, const double *from, int n)
{
#pragma inlay maploop
    for (int i = 0; i < n; i++) {
        to[next_of(i, n)] += from[i];
    }
}
