static double a[20][20], b[20][20], c[20][20], v[400];
static int permutation[400];

static double first(const double *p, int n)
{
    return *(p + n * 2) + p[n + 1] * *p;
}

void run(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    double *p = v, *end = v + n * n;
    for (int i = 0; i < n * n; i++, p++)
        *p += v[permutation[i]] + v[i * 1 + 0];
    p -= 2 * n;
    end = p + (end - p) / 2;
    v[1] = first(v, n) - *end;
    1[v] *= 3;
}
