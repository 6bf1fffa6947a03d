/* Marked loops where one statement stands: behind if, else, for, while, a case and a label, without braces. */
#include <stdio.h>

#define N 70
static double a[N], b[N];

static void apply(int what)
{
    int i, k = 2;
    switch (what) {
    case 0:
#pragma inlay maploop
        for (i = 0; i < N; i++) a[i] = b[i] + 1;
        break;
    case 1:
    default:
#pragma inlay maploop
        for (i = 0; i < N; i++) b[i] = 0.5 * a[(i + what) % N];
    }
    if (what > 1)
#pragma inlay maploop
        for (i = 0; i < N; i++) a[i] += b[(i * 3) % N];
    else
#pragma inlay maploop
        for (i = 0; i < N; i++) a[i] -= 0.1;
    while (k-- > 0)
#pragma inlay maploop
        for (i = 0; i < N; i++) a[i] *= 1.25;
    for (k = 0; k < 3; k++)
#pragma inlay maploop
        for (i = 0; i < N; i++)
            if (i % 3 == k) b[i] += k;
}

int main(void)
{
    int t;
    double s = 0;
    for (t = 0; t < 4; t++) apply(t);
    for (t = 0; t < N; t++) s += a[t] * t + b[t];
    printf("%.10e\n", s);
    return 0;
}
