/* k-means: points are assigned to the nearest centre, centres move to the means. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#define POINTS 600
#define K 5
#define DIM 2

static double point[POINTS][DIM], centre[K][DIM], sum[K][DIM];
static int member[POINTS], count[K];

static double distance2(const double *a, const double *b)
{
    double s = 0;
    for (int d = 0; d < DIM; d++) s += (a[d] - b[d]) * (a[d] - b[d]);
    return s;
}

int main(void)
{
    for (int i = 0; i < POINTS; i++) {
        point[i][0] = 3 * (i % K) + sin(i * 12.9898);
        point[i][1] = 2 * ((i * 2) % K) + cos(i * 78.233);
        member[i] = -1;
    }
    for (int k = 0; k < K; k++) centre[k][0] = point[k * 7][0], centre[k][1] = point[k * 7][1];
    int moved = 1, rounds = 0;
    double inertia = 0;
    while (moved && rounds < 50) {
        moved = 0;
        inertia = 0;
        for (int k = 0; k < K; k++) count[k] = 0, sum[k][0] = sum[k][1] = 0;
#pragma inlay maploop
        for (int i = 0; i < POINTS; i++) {
            int best = 0;
            double least = DBL_MAX;
            for (int k = 0; k < K; k++) {
                const double d = distance2(point[i], centre[k]);
                if (d < least) {
                    least = d;
                    best = k;
                }
            }
            if (member[i] != best) moved++;
            member[i] = best;
            inertia += least;
        }
#pragma inlay maploop
        for (int i = 0; i < POINTS; i++) {
            count[member[i]]++;
            for (int d = 0; d < DIM; d++) sum[member[i]][d] += point[i][d];
        }
        for (int k = 0; k < K; k++)
            for (int d = 0; d < DIM && count[k]; d++) centre[k][d] = sum[k][d] / count[k];
        rounds++;
    }
    printf("%d rounds, inertia %.10e\n", rounds, inertia);
    for (int k = 0; k < K; k++) printf("%d: %d (%.10e, %.10e)\n", k, count[k], centre[k][0], centre[k][1]);
    return 0;
}
