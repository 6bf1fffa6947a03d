/* What functions of another file do is stated: reads, a row of several, sums, extremes, writes; `using` beside it. */
#include <stdio.h>

#define N 100
void edge_flux(const double *a, const double *b, double *to, double *from);
void limits(double v, double *least, double *most);
double row_sum(const double *row, int count);
static double x[N], y[N], low[10], high[10], row[4 * N];
static int src[N], dst[N];

int main(void)
{
    double s = 0;
    for (int i = 0; i < N; i++) {
        x[i] = i * 13 % 29;
        src[i] = i;
        dst[i] = i * 7 % N;
    }
    for (int i = 0; i < 10; i++) low[i] = 1e300, high[i] = -1e300;
    for (int i = 0; i < 4 * N; i++) row[i] = i % 9;
    for (int step = 0; step < 3; step++) {
#pragma inlay maploop using rsb
        for (int e = 0; e < N; e++) {
            const int a = src[e], b = dst[e];
#pragma inlay access read(x[a], x[b]) add(y[a], y[b])
            edge_flux(&x[a], &x[b], &y[b], &y[a]);
#pragma inlay access read(x[a]) min(low[b % 10]) max(high[b % 10])
            limits(x[a], &low[b % 10], &high[b % 10]);
        }
#pragma inlay maploop
        for (int i = 0; i < N; i++) {
#pragma inlay access read(row[4 * i]:4) write(x[i])
            x[i] += row_sum(&row[4 * i], 4);
        }
    }
    for (int i = 0; i < N; i++) s += x[i] * i + y[i] * (i % 5);
    for (int i = 0; i < 10; i++) s += low[i] * i - high[i];
    printf("%.10e\n", s);
    return 0;
}
