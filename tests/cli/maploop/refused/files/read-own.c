#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int words, char **word)
{
    const int64_t n = words > 1 ? atoll(word[1]) : 100, nedges = 2 * n;
    double *x = calloc((size_t)n, sizeof *x), *y = calloc((size_t)n, sizeof *y);
    int64_t(*nde)[2] = calloc((size_t)nedges, sizeof *nde);
    double sum = 0;

    for (int step = 0; step < 10; step++) {
#pragma inlay maploop(x, y)
        for (int64_t e = 0; e < nedges; e++) {
            const int64_t n1 = nde[e][0], n2 = nde[e][1];
            y[n1] += x[n2] * y[n2];
        }
    }
    printf("%g %g\n", sum, sum);
    return 0;
}
