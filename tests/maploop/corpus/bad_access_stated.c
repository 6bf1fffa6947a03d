/* What is stated is a write, which several iterations would do to one element. */
#include <stdio.h>

#define N 100
void edge_flux(const double *a, const double *b, double *to, double *from);
static double x[N], y[N];

int main(void)
{
    double s = 0;
    for (int i = 0; i < N; i++) x[i] = i * 13 % 29;
#pragma inlay maploop
    for (int e = 0; e < N; e++) {
        const int b = e * 7 % N;
#pragma inlay access read(x[e], x[b]) write(y[e], y[b])
        edge_flux(&x[e], &x[b], &y[b], &y[e]);
    }
    for (int i = 0; i < N; i++) s += y[i] * i;
    printf("%.10e\n", s);
    return 0;
}
