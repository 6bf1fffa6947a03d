/* Forms of loops that the examples do not have: rows of elements, indices without a variable, an array of iterations. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define HALF(a) ((a) / 2)

static double flux(double left, double right, double weight)
{
    double difference = left - right;
    for (int i = 0; i < 3; i++) {
        difference *= weight;
    }
    return difference;
}

static void report(const char *what, double value)
{
    printf("%s: %.10e\n", what, value);
    if (value < 0)
        puts("negative");
    else
        puts("positive");
}

int main(int words, char **word)
{
    const int size = words > 1 ? atoi(word[1]) : 500;
    int64_t n = size, nedges = 3 * (int64_t)size, positive = 0;
    double(*q)[3] = calloc((size_t)n, sizeof *q), (*change)[3] = calloc(n, sizeof *change), *mass;
    double *weight = malloc(sizeof *weight * (size_t)nedges);
    int64_t(*end)[2] = malloc((size_t)nedges * sizeof *end);
    mass = malloc((size_t)n * sizeof *mass);
    if (!q || change == NULL || mass == NULL || !weight || !end) return 3;
    for (int i = 0; i < n; i += 1) {
        for (int c = 0; c < 3; c++) {
            q[i][c] = cos(i + c);
        }
        mass[i] = 1 + i % 3;
    }
    for (int64_t e = 0; e < nedges; ++e) {
        end[e][0] = e % n;
        end[e][1] = e * e % n;
        weight[e] = 1 / (1.0 + (double)e);
    }
    double least = 1e30, total = 100, after = 0;
#pragma inlay compute on owner(change[end[e][1]][0])
#pragma inlay maploop(q, change) using rsb
    for (int64_t e = 0; e < nedges; e++) {
        for (int c = 0; c < 3; c++) {
            double moved_by = flux(q[end[e][0]][c], q[end[e][1]][c], weight[e]);
            if (weight[e] < 0.5) {
                change[end[e][0]][c] -= moved_by / mass[end[e][0]];
                change[end[e][1]][c] = HALF(moved_by) + change[end[e][1]][c];
            }
        }
        total += weight[e];
    }
    for (int64_t e = 0; e < nedges; e++) {
        const int64_t a = end[e][0], b = end[e][1];
        weight[e] = q[a][0] * mass[b];
        after += weight[e];
    }
    /* what was gathered is accumulated into */
    for (int64_t e = 0; e < nedges; e++) {
        mass[end[e][0]] += weight[e];
    }
    for (int64_t i = 0; i < n; i++) {
        for (int c = 0; c < 3; c++) {
            q[i][c] += change[i][c] * (double)i;
            total -= q[i][c];
            least = fmin(least, q[i][c]);
            if (q[i][c] > 0) positive++;
        }
        total += mass[i];
    }
    report("total", total);
    report("least", least);
    report("after", after);
    printf("%lld are positive\n", (long long)positive);
    return 0;
}
