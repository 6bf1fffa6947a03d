/* Every second element, a loop with a step from a variable, and the loop's variable after the loop. */
#include <stdio.h>

#define N 301
double a[N], b[N];

int main(void)
{
    int i, k = 3, last;
    for (i = 0; i < N; i++) a[i] = i;
#pragma inlay maploop
    for (i = 1; i < N; i += 2)
        b[i] = a[i] + a[i - 1];
    last = i;
#pragma inlay maploop
    for (i = 0; i <= N - k; i += k)
        b[i] += 0.5 * a[i + k - 1];
    printf("%d %d\n", last, i);
#pragma inlay maploop
    for (i = N - 1; i > 0; i -= 4) a[i] = -b[i];
    printf("%d\n", i);
    double s = 0;
    for (i = 0; i < N; i++) s += a[i] * (i % 4 + 1);
    printf("%.10e\n", s);
    return 0;
}
