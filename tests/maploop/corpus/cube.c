/* Three dimensions, static, seven points. */
#include <stdio.h>

#define L 14
typedef double grid[L][L][L];
static grid u, v;

static void smooth(grid from, grid to, double c)
{
    int i, j, k;
#pragma inlay maploop
    for (i = 1; i < L - 1; i++)
        for (j = 1; j < L - 1; j++)
            for (k = 1; k < L - 1; k++)
                to[i][j][k] = from[i][j][k] + c * (from[i - 1][j][k] + from[i + 1][j][k] + from[i][j - 1][k] +
                              from[i][j + 1][k] + from[i][j][k - 1] + from[i][j][k + 1] - 6 * from[i][j][k]);
}

int main(void)
{
    int i, j, k, t;
    double s = 0;
    for (i = 0; i < L; i++)
        for (j = 0; j < L; j++)
            for (k = 0; k < L; k++) u[i][j][k] = v[i][j][k] = (i * j + k) % 5;
    for (t = 0; t < 5; t++) {
        smooth(u, v, 0.1);
        smooth(v, u, 0.05);
    }
    for (i = 0; i < L; i++)
        for (j = 0; j < L; j++)
            for (k = 0; k < L; k++) s += u[i][j][k] * (1 + k);
    printf("%.10e %.10e\n", s, u[L / 2][L / 2][L / 2]);
    return 0;
}
