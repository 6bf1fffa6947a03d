/* malloc'ed rows, double **. */
#include <stdio.h>
#include <stdlib.h>

static double **matrix(int rows, int cols)
{
    double **m = malloc(rows * sizeof(double *));
    for (int i = 0; i < rows; i++) {
        m[i] = malloc(cols * sizeof(double));
        for (int j = 0; j < cols; j++)
            m[i][j] = 0;
    }
    return m;
}

static void matrix_free(double **m, int rows)
{
    for (int i = 0; i < rows; i++)
        free(m[i]);
    free(m);
}

int main(void)
{
    const int n = 60, m = 45, l = 30;
    double **a = matrix(n, m), **b = matrix(m, l), **c = matrix(n, l);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = (i * j) % 7 - 2;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < l; j++)
            b[i][j] = 1.0 / (1 + i + j);

#pragma inlay maploop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < l; j++) {
            double sum = 0;
            for (int k = 0; k < m; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
    }
    double trace = 0, all = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < l; j++) {
            all += c[i][j];
            if (i == j) trace += c[i][j];
        }
    printf("%.10e %.10e\n", trace, all);
    matrix_free(a, n);
    matrix_free(b, m);
    matrix_free(c, n);
    return 0;
}
