/* Pure helpers of numbers, one recursive. */
#include <math.h>
#include <stdio.h>

static double minmod(double a, double b)
{
    if (a * b <= 0)
        return 0;
    return fabs(a) < fabs(b) ? a : b;
}

static int fib(int k) { return k < 2 ? k : fib(k - 1) + fib(k - 2); }

int main(void)
{
    enum { N = 400 };
    static double u[N], slope[N];
    static int number[N];
    for (int i = 0; i < N; i++) u[i] = i % 20 < 10 ? i % 10 : 10 - i % 10;
#pragma inlay maploop
    for (int i = 1; i < N - 1; i++) {
        slope[i] = minmod(u[i] - u[i - 1], u[i + 1] - u[i]);
        number[i] = fib(i % 15);
    }
    double s = 0;
    long f = 0;
    for (int i = 0; i < N; i++) {
        s += slope[i] * i;
        f += number[i];
    }
    printf("%.10e %ld\n", s, f);
    return 0;
}
