static double a[40][40], x[40], y[40];

void run(int n)
{
    for (int i = 0; i < n; i++) {
        double s = x[i];
        for (int j = 0; j < i; j++)
            s -= a[i][j] * y[j];
        y[i] = s / a[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        double s = y[i];
        for (int j = i + 1; j < n; j++)
            s -= a[j][i] * x[j];
        x[i] = s / a[i][i];
    }
    for (int i = 0; i < n; ++i)
        for (int j = n; j > i; --j)
            x[i] = x[i] + y[j - 1] * 2;
}
