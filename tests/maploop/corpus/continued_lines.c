/* Lines that go on behind a backslash, statements in macros of several lines, other pragmas around. */
#include <stdio.h>

#define NV 50
#define ADD_EDGE(arr, e, val) \
    do {                      \
        arr[u[e]] += (val);   \
        arr[v[e]] -= (val);   \
    } while (0)
#define WEIGHT(e) \
    (1.0 /        \
     (1 + (e) % 5))

static int u[150], v[150];
static double x[NV], r[NV];

int main(void)
{
    for (int e = 0; e < 150; e++) {
        u[e] = e % NV;
        v[e] = (e * 3 + 1) % NV;
    }
    for (int i = 0; i < NV; i++) x[i] = i % 6;
#pragma inlay maploop
#pragma omp parallel for
    for (int e = 0; \
         e < 150;   \
         e++) {
        const double d = WEIGHT(e) * \
                         (x[v[e]] - x[u[e]]);
        ADD_EDGE(r, e, d);
    }
    double s = 0;
    for (int i = 0; i < NV; i++) s += r[i] * i;
    printf("%.10e\n", s);
    return 0;
}
