
int main(void)
{
    static struct bench_args_t a;
    double sum = 0;
    for (int i = 0; i < N; i++) {
        a.m1[i] = (i * 7 % 13) * 0.1;
        a.m2[i] = (i * 5 % 11) * 0.2;
    }
    gemm(a.m1, a.m2, a.prod);
    for (int i = 0; i < N; i++) sum += a.prod[i] * (1 + i % 3);
    printf("%.10e %.10e\n", sum, a.prod[N - 1]);
    return 0;
}
