#include "gemm.h"
#include "driver.h"
static TYPE a[N], b[N], c[N];
int main(void)
{
    for (int i = 0; i < N; i++) a[i] = next() % 10, b[i] = next() % 10;
    gemm(a, b, c);
    return 0;
}
