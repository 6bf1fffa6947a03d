#include "spmv.h"
#include "driver.h"
static TYPE val[NNZ], vec[N], out[N];
static int32_t cols[NNZ], rows[N + 1];
int main(void)
{
    for (int i = 0; i < NNZ; i++) val[i] = next() % 10, cols[i] = (int32_t)(next() % N);
    for (int i = 0; i < N; i++) vec[i] = i, rows[i + 1] = rows[i] + (int32_t)(next() % 4);
    spmv(val, cols, rows, vec, out);
    return 0;
}
