
int main(void)
{
    static struct bench_args_t a;
    int nz = 0;
    double sum = 0;
    for (int i = 0; i < N; i++) {
        a.rowDelimiters[i] = nz;
        a.vec[i] = 1.0 + i % 7;
        for (int k = 0; k < 3 + (i % 8 == 0) && nz < NNZ; k++) {
            a.cols[nz] = (i * 3 + k * k * 11) % N;
            a.val[nz++] = 0.25 * (1 + (i + k) % 9);
        }
    }
    a.rowDelimiters[N] = nz;
    spmv(a.val, a.cols, a.rowDelimiters, a.vec, a.out);
    spmv(a.val, a.cols, a.rowDelimiters, a.out, a.vec);
    for (int i = 0; i < N; i++) sum += a.vec[i] * (1 + i % 5);
    printf("%d entries, %.10e %.10e\n", nz, sum, a.vec[17]);
    return 0;
}
