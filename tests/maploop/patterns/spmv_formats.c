/* One matrix in COO, CSR and ELL: three products that agree. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ELL_NONE -1

int main(void)
{
    int n = 300, nnz = 0, width = 0, i, k;
    int *row = malloc(8 * n * sizeof(int)), *col = malloc(8 * n * sizeof(int)), *ptr = calloc(n + 1, sizeof(int));
    double *val = malloc(8 * n * sizeof(double)), *x = malloc(n * sizeof(double));
    double *y1 = calloc(n, sizeof(double)), *y2 = calloc(n, sizeof(double)), *y3 = calloc(n, sizeof(double));
    for (i = 0; i < n; i++) {
        int len = 1 + (i * 5) % 7;
        for (k = 0; k < len; k++) {
            row[nnz] = i;
            col[nnz] = (i + k * (k + i % 3) + k) % n;
            val[nnz] = 1.0 + k - 0.25 * (i % 5);
            nnz++;
        }
        ptr[i + 1] = nnz;
        if (len > width) width = len;
        x[i] = 1 + cos(i);
    }
    int *ecol = malloc(n * width * sizeof(int));
    double *eval = malloc(n * width * sizeof(double));
    for (i = 0; i < n; i++)
        for (k = 0; k < width; k++) {
            int in = ptr[i] + k < ptr[i + 1];
            ecol[k * n + i] = in ? col[ptr[i] + k] : ELL_NONE;
            eval[k * n + i] = in ? val[ptr[i] + k] : 0;
        }
#pragma inlay maploop
    for (k = 0; k < nnz; k++)
        y1[row[k]] += val[k] * x[col[k]];
#pragma inlay maploop
    for (i = 0; i < n; i++) {
        int j;
        for (j = ptr[i]; j < ptr[i + 1]; j++)
            y2[i] += val[j] * x[col[j]];
    }
#pragma inlay maploop
    for (i = 0; i < n; i++) {
        double sum = 0;
        int j = 0;
        while (j < width && ecol[j * n + i] != ELL_NONE) {
            sum += eval[j * n + i] * x[ecol[j * n + i]];
            j++;
        }
        y3[i] = sum;
    }
    double most = 0, s = 0;
    for (i = 0; i < n; i++) {
        most = fmax(most, fmax(fabs(y1[i] - y2[i]), fabs(y2[i] - y3[i])));
        s += y3[i] * y3[i];
    }
    printf("%d entries, %s, %.10e\n", nnz, most < 1e-12 ? "equal" : "not equal", s);
    free(row); free(col); free(ptr); free(val); free(x); free(y1); free(y2); free(y3); free(ecol); free(eval);
    return 0;
}
