/* |=, &=, ^= and *= into elements through indices. */
#include <stdint.h>
#include <stdio.h>

enum { V = 90, E = 360 };
static uint64_t seen[V], both[V], odd[V];
static double factor[V];
static int a[E], b[E];

int main(void)
{
    for (int e = 0; e < E; e++) {
        a[e] = e % V;
        b[e] = (e * 7 + 2) % V;
    }
    for (int v = 0; v < V; v++) {
        both[v] = ~UINT64_C(0);
        factor[v] = 1;
    }
#pragma inlay maploop
    for (int e = 0; e < E; e++) {
        seen[a[e]] |= UINT64_C(1) << (b[e] % 64);
        both[b[e]] &= ~(UINT64_C(1) << (e % 64));
        odd[a[e]] ^= (uint64_t)e * 0x9e3779b97f4a7c15u;
        factor[b[e]] *= 1 + 0.01 * (e % 5);
    }
    uint64_t x = 0, y = 0, z = 0;
    double p = 0;
    for (int v = 0; v < V; v++) {
        x = x * 31 + seen[v];
        y = y * 31 + both[v];
        z = z * 31 + odd[v];
        p += factor[v];
    }
    printf("%016llx %016llx %016llx %.10e\n", (unsigned long long)x, (unsigned long long)y, (unsigned long long)z, p);
    return 0;
}
