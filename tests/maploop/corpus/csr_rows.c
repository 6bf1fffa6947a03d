/* Rows of a graph in CSR: each takes the mean of its neighbours. */
#include <stdio.h>
#include <stdlib.h>

static int *xadj, *adjncy;
static int n = 400;

static void make(void)
{
    int i, k = 0;
    xadj = malloc((n + 1) * sizeof(int));
    adjncy = malloc(6 * n * sizeof(int));
    for (i = 0; i < n; i++) {
        xadj[i] = k;
        for (int d = 1; d <= 2 + i % 4; d++)
            adjncy[k++] = (i + d * d) % n;
    }
    xadj[n] = k;
}

int main(void)
{
    make();
    double *now = malloc(n * sizeof(double)), *then = malloc(n * sizeof(double));
    for (int i = 0; i < n; i++) now[i] = i % 2;
    for (int step = 0; step < 8; step++) {
#pragma inlay maploop
        for (int i = 0; i < n; i++) {
            double s = 0;
            int k;
            for (k = xadj[i]; k < xadj[i + 1]; k++)
                s += now[adjncy[k]];
            then[i] = 0.5 * now[i] + 0.5 * s / (xadj[i + 1] - xadj[i]);
        }
        double *t = now; now = then; then = t;
    }
    double s = 0;
    for (int i = 0; i < n; i++) s += now[i] * i;
    printf("%.10e %.10e\n", s, now[11]);
    free(xadj); free(adjncy); free(now); free(then);
    return 0;
}
