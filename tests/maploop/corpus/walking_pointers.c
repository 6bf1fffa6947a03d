/* Pointers that walk along a row, *p++ and all. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int rows = 80, cols = 33;
    double *a = malloc(rows * cols * sizeof(double)), *x = malloc(cols * sizeof(double)), *y = malloc(rows * sizeof(double));
    double *p = a;
    for (int i = 0; i < rows * cols; i++) *p++ = i % 11 - 3;
    for (int j = 0; j < cols; j++) x[j] = 1.0 / (j + 1);
#pragma inlay maploop
    for (int i = 0; i < rows; i++) {
        const double *row = a + i * cols, *end = row + cols, *q = x;
        double s = 0;
        while (row < end)
            s += *row++ * *q++;
        y[i] = s;
    }
    double s = 0;
    for (p = y; p < y + rows; ++p) s += *p * *p;
    printf("%.10e\n", s);
    free(a); free(x); free(y);
    return 0;
}
