/* fmax into elements through an index, as for time steps at nodes. */
#include <math.h>
#include <stdio.h>

#define NODES 150
#define EDGES 450
static int n1[EDGES], n2[EDGES];
static double speed[NODES], lambda[NODES], low[NODES];

int main(void)
{
    for (int e = 0; e < EDGES; e++) {
        n1[e] = e % NODES;
        n2[e] = (7 * e + 1) % NODES;
    }
    for (int i = 0; i < NODES; i++) {
        speed[i] = fabs(sin(i));
        low[i] = 10;
    }
#pragma inlay maploop
    for (int e = 0; e < EDGES; e++) {
        const double c = speed[n1[e]] + speed[n2[e]];
        lambda[n1[e]] = fmax(lambda[n1[e]], c);
        lambda[n2[e]] = fmax(lambda[n2[e]], c);
        low[n1[e]] = fmin(c, low[n1[e]]);
    }
    double s = 0, t = 0;
    for (int i = 0; i < NODES; i++) {
        s += lambda[i];
        t += low[i];
    }
    printf("%.10e %.10e\n", s, t);
    return 0;
}
