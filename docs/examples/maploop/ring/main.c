#include "ring.h"
#include <stdio.h>

int main(void)
{
    double x[SIZE], y[SIZE] = {0};
    for (int i = 0; i < SIZE; i++) {
        x[i] = i;
    }
    for (int step = 0; step < 3; step++) {
        spread(y, x, SIZE);
    }
    printf("%g %g\n", y[0], y[1]);
    return 0;
}
