/* The loop changes the indices that it uses itself. */
#include <stdio.h>

#define N 60
static int at[N];
static double y[N];

int main(void)
{
    for (int i = 0; i < N; i++) at[i] = (i * 7 + 1) % N;
#pragma inlay maploop
    for (int i = 0; i < N; i++) {
        y[at[i]] += 1;
        at[(i + 1) % N] = (at[(i + 1) % N] + at[i]) % N;
    }
    double s = 0;
    for (int i = 0; i < N; i++) s += y[i] * i;
    printf("%.10e\n", s);
    return 0;
}
