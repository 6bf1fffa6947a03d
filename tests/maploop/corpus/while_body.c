/* while and do-while inside of an iteration. */
#include <math.h>
#include <stdio.h>

#define N 500
static int steps[N + 1];
static double root[N + 1];

int main(void)
{
    long most = 0, all = 0;
    double sum = 0;
#pragma inlay maploop
    for (int i = 1; i <= N; i++) {
        long x = i;
        while (x != 1) {
            x = x % 2 ? 3 * x + 1 : x / 2;
            steps[i]++;
        }
        double r = i, d;
        do {
            d = (r * r - i) / (2 * r);
            r -= d;
        } while (fabs(d) > 1e-13 * r);
        root[i] = r;
    }
    for (int i = 1; i <= N; i++) {
        all += steps[i];
        if (steps[i] > most) most = steps[i];
        sum += root[i];
    }
    printf("%ld steps, at most %ld, roots %.10e\n", all, most, sum);
    return 0;
}
