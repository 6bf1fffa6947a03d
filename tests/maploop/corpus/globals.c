/* Global pointers and sizes; functions without parameters. */
#include <stdio.h>
#include <stdlib.h>

int nnodes = 700, nedges;
int *ia, *ib;
double *temp, *heat, *cond;

void allocate(void)
{
    nedges = 3 * nnodes;
    ia = malloc(sizeof(int) * nedges);
    ib = malloc(sizeof(int) * nedges);
    cond = malloc(sizeof(double) * nedges);
    temp = malloc(sizeof(double) * nnodes);
    heat = malloc(sizeof(double) * nnodes);
}

void fill(void)
{
    int i;
    for (i = 0; i < nedges; i++) {
        ia[i] = i / 3;
        ib[i] = (i / 3 + 1 + (i % 3) * (i % 3) * 7) % nnodes;
        cond[i] = 0.01 * (1 + i % 5);
    }
    for (i = 0; i < nnodes; i++)
        temp[i] = i < 50 ? 100 : 20;
}

void exchange_heat(void)
{
    int i;
    for (i = 0; i < nnodes; i++)
        heat[i] = 0;
#pragma inlay maploop
    for (i = 0; i < nedges; i++) {
        double q = cond[i] * (temp[ia[i]] - temp[ib[i]]);
        heat[ia[i]] -= q;
        heat[ib[i]] += q;
    }
}

void advance(void)
{
    int i;
#pragma inlay maploop
    for (i = 0; i < nnodes; i++)
        temp[i] += heat[i];
}

int main(void)
{
    int step;
    double total = 0, hot = 0;
    allocate();
    fill();
    for (step = 0; step < 12; step++) {
        exchange_heat();
        advance();
    }
    for (step = 0; step < nnodes; step++) {
        total += temp[step];
        if (temp[step] > hot) hot = temp[step];
    }
    printf("total %.10e hottest %.10e\n", total, hot);
    free(ia); free(ib); free(cond); free(temp); free(heat);
    return 0;
}
