
int main(void)
{
    static TYPE a[SIZE];
    long sum = 0;
    for (int i = 0; i < SIZE; i++) a[i] = (i * 7919) % 10007;
    ms_mergesort(a);
    for (int i = 0; i < SIZE; i++) sum = (sum * 31 + a[i]) % 1000003;
    printf("%ld %d %d\n", sum, (int)a[0], (int)a[SIZE - 1]);
    return 0;
}
