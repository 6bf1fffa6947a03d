/* Indices through indices: x[map[idx[e]]]. */
#include <stdio.h>
#include <stdlib.h>

static int idx[600], map[200];
static double x[100], y[200];

int main(void)
{
    int e, i;
    for (e = 0; e < 600; e++) idx[e] = (e * e * 3 + e) % 200;
    for (i = 0; i < 200; i++) map[i] = (199 - i) / 2;
    for (i = 0; i < 100; i++) x[i] = i % 10 - 4.5;
#pragma inlay maploop
    for (e = 0; e < 600; e++)
        y[idx[e]] += x[map[idx[e]]] * x[map[idx[e] / 2 + idx[(e + 1) % 600] / 2]];
    double s = 0;
    for (i = 0; i < 200; i++) s += y[i] * i;
    printf("%.10e\n", s);
    return 0;
}
