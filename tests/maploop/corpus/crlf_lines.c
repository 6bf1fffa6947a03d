/* CRLF: lines as Windows ends them, static arrays, a sweep over edges. */
#include <math.h>
#include <stdio.h>

#define NNODES 500
#define NEDGES 1500

static int edge[NEDGES][2];
static double x[NNODES], y[NNODES];

int main(void)
{
    int i, e, step, n1, n2;
    double sum;

    for (e = 0; e < NEDGES; e++) {
        edge[e][0] = e % NNODES;
        edge[e][1] = (e * 7 + 3) % NNODES;
    }
    for (i = 0; i < NNODES; i++) {
        x[i] = 1.0 + sin(0.1 * i);
        y[i] = 0.0;
    }
    for (step = 0; step < 5; step++) {
#pragma inlay maploop
        for (e = 0; e < NEDGES; e++) {
            n1 = edge[e][0];
            n2 = edge[e][1];
            y[n1] += 0.5 * (x[n2] - x[n1]);
            y[n2] += 0.5 * (x[n1] - x[n2]);
        }
        for (i = 0; i < NNODES; i++) {
            x[i] += 0.1 * y[i];
            y[i] = 0.0;
        }
    }
    sum = 0.0;
    for (i = 0; i < NNODES; i++)
        sum += x[i] * x[i];
    printf("norm %.10e\n", sqrt(sum));
    printf("x[7] %.10e\n", x[7]);
    return 0;
}
