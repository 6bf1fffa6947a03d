/* A place that moves on in each iteration by as much as the iteration needs. */
#include <stdio.h>

int main(void)
{
    static double out[2000];
    int pos = 0;
    double s = 0;
#pragma inlay maploop
    for (int i = 0; i < 100; i++) {
        for (int k = 0; k <= i % 5; k++) out[pos + k] = i + 0.1 * k;
        pos += i % 5 + 1;
    }
    for (int i = 0; i < pos; i++) s += out[i] * (i % 3);
    printf("%d %.10e\n", pos, s);
    return 0;
}
