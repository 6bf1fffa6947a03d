/* double (*x)[3]: rows of fixed length by a pointer to arrays; a variable one too. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    const int n = 180, m = 540, d = 4;
    double (*x)[3] = malloc(n * sizeof *x), (*f)[3] = calloc(n, sizeof *f);
    double (*t)[d] = calloc(n, sizeof(double[d]));
    int (*e)[2] = malloc(m * sizeof *e);
    for (int i = 0; i < n; i++) {
        x[i][0] = i % 6;
        x[i][1] = i / 6;
        x[i][2] = 0.5 * (i % 4);
    }
    for (int k = 0; k < m; k++) {
        e[k][0] = k % n;
        e[k][1] = (k % n + 1 + 6 * (k / n)) % n;
    }
#pragma inlay maploop
    for (int k = 0; k < m; k++) {
        int *ends = e[k];
        double dist = 1;
        for (int c = 0; c < 3; c++) dist += (x[ends[0]][c] - x[ends[1]][c]) * (x[ends[0]][c] - x[ends[1]][c]);
        for (int c = 0; c < 3; c++) {
            f[ends[0]][c] += (x[ends[1]][c] - x[ends[0]][c]) / dist;
            f[ends[1]][c] -= (x[ends[1]][c] - x[ends[0]][c]) / dist;
        }
        t[ends[0]][k % d] += dist;
    }
    double s = 0, u = 0;
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < 3; c++) s += f[i][c] * f[i][c];
        for (int c = 0; c < d; c++) u += t[i][c] * (c + 1);
    }
    printf("%.10e %.10e\n", s, u);
    free(x); free(f); free(t); free(e);
    return 0;
}
