#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define _UNUSED 1
enum { LEFT, RIGHT };
#define ADD_TO(what, value) (what) += (value)
#ifdef ABSENT
#include <absent.h>
#endif

/* Twice. */
__attribute__((unused)) static
double twice(double a)
{
    return 2 * a;
}

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
    double *before = malloc((size_t)n * sizeof *before);
    for (int64_t i = 0; i < n; i++) before[i] = x[i];
    for (int64_t i = 0; i < n; i++) largest = fmax(largest, before[i]);
    free(before);
#pragma inlay maploop(x, y)
        for (int64_t e = 0; e < nedges; e++) {
            y[end[e][LEFT]] += x[end[e][RIGHT]];
            y[end[e][1]] -= 0.5 * x[end[e][0]];
        }
    /* HERE */
    for (int64_t i = 0; i < n; i++) ADD_TO(sum, twice(x[i]) + y[i]);
    printf("%.10e %.10e\n", sum, largest);
    free(x), free(y), free(end);
    return 0;
}
