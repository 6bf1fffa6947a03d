/* Several sums, one with -=, one product, in one loop. */
#include <math.h>
#include <stdio.h>

int main(void)
{
    enum { N = 5000 };
    static double x[N];
    double sum = 0, square = 0.5, left = 100, product = 1;
    long odd = 0;
    for (int i = 0; i < N; i++) x[i] = 1 + 0.001 * (i % 97);
#pragma inlay maploop
    for (int i = 0; i < N; i++) {
        sum += x[i];
        square = square + x[i] * x[i];
        left -= 0.001 * x[i];
        product *= 1 + 1e-4 * x[i];
        odd += i & 1;
    }
    printf("%.10e %.10e %.10e %.10e %ld\n", sum, sqrt(square), left, product, odd);
    return 0;
}
