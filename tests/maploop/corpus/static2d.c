/* Jacobi on a static 2-D array, rows shared out. */
#include <stdio.h>

#define N 64
static double a[N][N], b[N][N];

int main()
{
    int i, j, it;
    double diff = 0, total = 0;
    for (i = 0; i < N; i++) a[i][0] = b[i][0] = 1.0;
    for (it = 0; it < 20; it++)
    {
        diff = 0;
#pragma inlay maploop
        for (i = 1; i < N - 1; i++)
        {
            for (j = 1; j < N - 1; j++)
            {
                b[i][j] = 0.25 * (a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1]);
                diff += (b[i][j] - a[i][j]) * (b[i][j] - a[i][j]);
            }
        }
#pragma inlay maploop
        for (i = 1; i < N - 1; i++)
        {
            for (j = 1; j < N - 1; j++)
                a[i][j] = b[i][j];
        }
    }
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            total += a[i][j];
    printf("diff %.10e total %.10e\n", diff, total);
    return 0;
}
