/* Parameters of array types: x[], x[N], x[n], x[static n], m[][3]. */
#include <stdio.h>

#define N 80

static void blend(int n, double a[N], double out[], int at[n])
{
    int i;
    double sum;
#pragma inlay maploop
    for (i = 0; i < n; i++) {
        sum = a[i];
        for (int k = 1; k < 3; k++) sum += a[(at[i] + k) % n];
        out[i] = sum / 3;
    }
}

static double spread(int n, double m[static 1][3], const double x[static n])
{
    double s = 0;
#pragma inlay maploop
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < 3; c++) m[i][c] += (c + 1) * x[i];
        s += m[i][2];
    }
    return s;
}

int main(void)
{
    static double x[N], y[N], z[N], m[N][3];
    int at[N];
    for (int i = 0; i < N; i++) {
        x[i] = i % 11;
        at[i] = (i * 9 + 2) % N;
    }
    blend(N, x, y, at);
    blend(N, y, z, at);
    blend(N / 2, z, x, at + N / 2 - 1);
    printf("%.10e %.10e\n", spread(N, m, x), spread(N / 2, m + 10, z));
    double s = 0;
    for (int i = 0; i < N; i++) s += m[i][0] * i + x[i];
    printf("%.10e\n", s);
    return 0;
}
