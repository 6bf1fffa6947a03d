/* The loop itself comes from a macro. */
#include <stdio.h>

#define N 400
#define M (3 * N)
#define FOR(i, n) for (int i = 0; i < (n); i++)

double u[N], r[N];
int from[M], to[M];

int main(void) {
    FOR(e, M) {
        from[e] = e % N;
        to[e] = (11 * e + 2) % N;
    }
    FOR(i, N) u[i] = 1.0 / (1 + i);
    FOR(t, 3) {
#pragma inlay maploop
        FOR(e, M) {
            r[from[e]] += u[to[e]];
            r[to[e]] += u[from[e]];
        }
        FOR(i, N) { u[i] += 0.01 * r[i]; r[i] = 0; }
    }
    double s = 0;
    FOR(i, N) s += u[i];
    printf("sum = %.10e, first = %.10e\n", s, u[0]);
    return 0;
}
