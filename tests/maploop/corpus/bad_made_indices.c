/* The index that an iteration makes is the one that another has left. */
#include <stdio.h>

#define N 70
static double y[N];
static int at[N];

int main(void)
{
    double s = 0;
#pragma inlay maploop
    for (int i = 0; i < N; i++) {
        const int before = at[(i + 1) % N];
        at[i] = (before + i) % N;
        y[at[i]] += i;
    }
    for (int i = 0; i < N; i++) s += y[i] * (i + 1);
    printf("%.10e\n", s);
    return 0;
}
