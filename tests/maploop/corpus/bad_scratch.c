/* An array outside of the loop from which an iteration reads what another has left there. */
#include <stdio.h>

#define N 70
static double y[N];

static int neighbours(int i, int *list)
{
    int n = 0;
    if (i % 3 != 0) list[n++] = i;
    list[n++] = (i + 5) % N;
    return n;
}

int main(void)
{
    int list[2] = {0};
    double s = 0;
#pragma inlay maploop
    for (int i = 0; i < N; i++) {
        neighbours(i, list);
        for (int k = 0; k < 2; k++) y[list[k]] += i;
    }
    for (int i = 0; i < N; i++) s += y[i] * (i + 1);
    printf("%.10e\n", s);
    return 0;
}
