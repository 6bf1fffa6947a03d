
int main(void)
{
    static struct bench_args_t a;
    long sum = 0;
    for (int i = 0; i < row_size * col_size; i++) a.orig[i] = (i * 37) % MAX + MIN;
    for (int i = 0; i < f_size; i++) a.filter[i] = i * i - 7;
    stencil(a.orig, a.sol, a.filter);
    for (int i = 0; i < row_size * col_size; i++) sum += a.sol[i] * (1L + i % 4);
    printf("%ld %d\n", sum, a.sol[col_size + 5]);
    return 0;
}
