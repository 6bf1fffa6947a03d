/* Gauss-Seidel: reads what the iteration before has written. */
#include <stdio.h>

#define N 100
static double u[N];

int main(void)
{
    int i, it;
    u[0] = 1;
    for (it = 0; it < 10; it++) {
#pragma inlay maploop
        for (i = 1; i < N - 1; i++)
            u[i] = 0.5 * (u[i - 1] + u[i + 1]);
    }
    for (i = 0; i < 10; i++) printf("%.10e\n", u[i]);
    return 0;
}
