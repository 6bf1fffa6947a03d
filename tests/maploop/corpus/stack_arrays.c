/* Local arrays of functions that return early, one after the other on the same stack. */
#include <stdio.h>

static double first(int stop)
{
    double a[64], b[64];
#pragma inlay maploop
    for (int i = 0; i < 64; i++) a[i] = i * 0.5 + stop;
#pragma inlay maploop
    for (int i = 0; i < 64; i++) b[i] = a[63 - i] + a[i];
    if (stop) return stop;
    double s = 0;
#pragma inlay maploop
    for (int i = 0; i < 64; i++) s += b[i] * a[(i * 3) % 64];
    return s;
}

static int second(void)
{
    int count[100], marks[40], sum = 0;
    for (int i = 0; i < 100; i++) count[i] = i;
#pragma inlay maploop
    for (int i = 0; i < 40; i++) marks[i] = count[i * 2] + 1;
    for (int i = 0; i < 100; i++) sum += count[i];
    return sum + marks[7];
}

int main(void)
{
    double total = 0;
    for (int k = 2; k >= 0; k--) {
        total += first(k);
        printf("%d %.10e\n", second(), total);
    }
    printf("%d\n", second());
    return 0;
}
