/* Elements that a condition on data chooses are packed into the iteration's own part; a search that ends early. */
#include <stdio.h>

#define N 60
static double w[4 * N], x[5 * N], packed[4 * N], first[5 * N];
static int open[4 * N];

int main(void)
{
    for (int i = 0; i < 4 * N; i++) {
        w[i] = (i * 7 % 10) / 10.0;
        open[i] = i % 5 == 0;
    }
    for (int i = 0; i < 5 * N; i++) x[i] = i;
    for (int step = 0; step < 3; step++) {
#pragma inlay maploop
        for (int i = 0; i < N; i++) {
            int n = 0, k;
            for (k = 0; k < 4; k++) {
                if (w[4 * i + k] < 0.5) continue;
                packed[4 * i + n] = x[i + k];
                n++;
            }
            for (; n < 4; n++) packed[4 * i + n] = -1;
            for (k = 0; k < 4; k++)
                if (open[4 * i + k]) break;
            first[5 * i + k] += i;
            if (k < 4) open[4 * i + k] = 0;
        }
        w[step] += 0.4;
    }
    double s = 0;
    for (int i = 0; i < 4 * N; i++) s += packed[i] * (i + 1);
    for (int i = 0; i < 5 * N; i++) s += first[i] * (i + 1);
    printf("%.10e\n", s);
    return 0;
}
