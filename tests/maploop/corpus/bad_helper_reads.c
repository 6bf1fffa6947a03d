/* The helper reads what other iterations write, out of sight of the loop. */
#include <stdio.h>

#define N 75
static double level[N];

static double around(int i) { return (i ? level[i - 1] : 0) + (i + 1 < N ? level[i + 1] : 0); }

int main(void)
{
    for (int i = 0; i < N; i++) level[i] = i % 6;
    for (int t = 0; t < 3; t++) {
#pragma inlay maploop
        for (int i = 0; i < N; i++) level[i] = 0.4 * around(i);
    }
    double s = 0;
    for (int i = 0; i < N; i++) s += level[i];
    printf("%.10e\n", s);
    return 0;
}
