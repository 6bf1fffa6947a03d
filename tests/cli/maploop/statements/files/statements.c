#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int words, char **word)
{
    int64_t n = words > 1 ? atoi(word[1]) : 40, nedges = 3 * n;
    double *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y), sum = 0, largest = 0;
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
    if (sum > 0) for (int64_t i = 0; i < n; i++) sum += x[i]; else for (int64_t i = 0; i < n; i++) largest += fabs(x[i]);
    /* OPEN */
#pragma inlay maploop(x, y)
        for (int64_t e = 0; e < nedges; e++) {
            y[end[e][0]] += x[end[e][1]];
            y[end[e][1]] -= 0.5 * x[end[e][0]];
        }
    /* CLOSE */
    for (int64_t i = 0; i < n; i++)
        if (x[i] > 0) sum += x[i] * (double)i;
        else sum -= y[i];
    for (int64_t i = 0; i < n; i++) largest = fmax(largest, x[i]); // the largest
    if (sum > -1e9)
        for (int64_t e = 0; e < nedges; e++)
            y[end[e][0]] += 1 /* one */
                ;
    do for (int64_t i = 0; i < n; i++) sum += y[i]; while (sum < -1e9);
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            if (k) { sum += x[i]; } else
                largest = fmax(largest, y[i]);
    switch (words) { case 1: for (int64_t i = 0; i < n; i++) sum += x[i]; break; default: for (int64_t i = 0; i < n; i++) sum += 2; }
    { double *copy = NULL; (void)copy; }
    printf("%.10e %.10e\n", sum, largest);
    free(x), free(y), free(end);
    return 0;
}
