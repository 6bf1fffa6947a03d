/* Rows of a sparse matrix: what may be asked of where they start. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int words, char **word)
{
    int64_t n = words > 1 ? atoi(word[1]) : 50, entries = 0, even = 0;
    double *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y), sum = 0;
    int64_t *ptr = malloc((size_t)(n + 1) * sizeof *ptr);
    if (!x || !y || !ptr) return 3;
    ptr[0] = 0;
    for (int64_t j = 0; j < n; j++) {
        x[j] = sin((double)j);
        y[j] = 0;
        ptr[j + 1] = ptr[j] + (1 + j % 3);
    }
    int64_t all = ptr[n];
    int64_t *col = malloc((size_t)all * sizeof *col);
    double *val = malloc((size_t)all * sizeof *val);
    if (!col || !val) return 3;
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = ptr[j]; k < ptr[j + 1]; k++) {
            col[k] = (j * 7 + (k - ptr[j]) * 13 + 1) % n;
            val[k] = 1.0 / (1.0 + (double)j);
        }
    for (int step = 0; step < 3; step++) {
#pragma inlay maploop(x, y)
        for (int64_t j = 0; j < n; j++)
            for (int64_t k = ptr[j]; k < ptr[j + 1]; k++)
                y[j] += val[k] * x[col[k]];
        for (int64_t j = 0; j < n; j++) {
            x[j] += 0.1 * y[j] + (double)(ptr[j + 1] - ptr[j]);
            y[j] = 0;
        }
    }
    /* HERE */
    for (int64_t j = 0; j < n; j++)
        if (ptr[j + 1] - ptr[j] == 2) even++;
    for (int64_t j = 0; j < n; j++)
        entries += ptr[j + 1] - ptr[j];
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = ptr[j]; k < ptr[j + 1]; k++)
            sum += val[k] * (double)(k - ptr[j]) + x[j];
    printf("%ld entries, %ld %ld, %ld rows of two, %.10e\n", (long)ptr[n], (long)all, (long)entries, (long)even, sum);
    free(x), free(y), free(ptr), free(col), free(val);
    return 0;
}
