#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int words, char **word)
{
    int64_t n = words > 1 ? atoi(word[1]) : 40, nedges = 3 * n;
    double *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y), sum = 0;
    int64_t(*end)[2] = malloc((size_t)nedges * sizeof *end);
    if (!x || !y || !end) return 3;
    for (int64_t i = 0; i < n; i++) {
        x[i] = sin((double)i);
        y[i] = 0;
    }
    for (int64_t e = 0; e < nedges; e++) {
        end[e][0] = e % n;
        end[e][1] = (e * e + 7) % n;
    }
    char *table = malloc((size_t)1 << 30);
    if (table == NULL) {
        fputs("this rank would end alone\n", stderr);
        return 2;
    }
    free(table);
#pragma inlay maploop(x, y)
        for (int64_t e = 0; e < nedges; e++) {
            y[end[e][0]] += x[end[e][1]];
            y[end[e][1]] -= 0.5 * x[end[e][0]];
        }
    for (int64_t i = 0; i < n; i++) sum += x[i] * x[i] + y[i];
    printf("%.10e\n", sum);
    free(x), free(y), free(end);
    return 0;
}
