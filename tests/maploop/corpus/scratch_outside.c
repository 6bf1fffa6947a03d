/* A scratch array declared outside of the loop, wholly written before it is read in each iteration. */
#include <stdio.h>
#include <stdlib.h>

static int neighbours(int v, int side, int *list)
{
    int n = 0, i = v / side, j = v % side;
    if (i > 0) list[n++] = v - side;
    if (i < side - 1) list[n++] = v + side;
    if (j > 0) list[n++] = v - 1;
    if (j < side - 1) list[n++] = v + 1;
    return n;
}

int main(void)
{
    int side = 18, n = side * side, nb[4];
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), s = 0;
    for (int i = 0; i < n; i++) x[i] = i % 17;
#pragma inlay maploop
    for (int v = 0; v < n; v++) {
        int count = neighbours(v, side, nb);
        y[v] = 0;
        for (int k = 0; k < count; k++) y[v] += x[nb[k]] - x[v];
    }
    for (int i = 0; i < n; i++) s += y[i] * y[i];
    printf("%.10e\n", s);
    free(x); free(y);
    return 0;
}
