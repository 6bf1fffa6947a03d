/* all, any, bits seen, parity. */
#include <stdbool.h>
#include <stdio.h>

int main(void)
{
    int n = 900, i;
    unsigned seen = 0, common = ~0u, parity = 0;
    bool sorted = true, negative = false;
    int ok = 1, any = 0;
    static int a[900];
    for (i = 0; i < n; i++) a[i] = i * 5 + 1;
#pragma inlay maploop
    for (i = 0; i < n; i++) {
        seen |= 1u << (a[i] % 17);
        common &= (unsigned)a[i] | 8u;
        parity ^= (unsigned)a[i];
        if (i > 0 && a[i] < a[i - 1]) sorted = false;
        if (a[i] < 0) negative = true;
        ok = ok && a[i] > 0;
        any = any || a[i] == 496;
    }
    printf("%x %x %x %d %d %d %d\n", seen, common, parity, sorted, negative, ok, any);
    return 0;
}
