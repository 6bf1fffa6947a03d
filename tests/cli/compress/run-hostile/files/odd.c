#include <complex.h>
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <math.h>
#define SWAP(a, b) do { double t_ = (a); (a) = (b); (b) = t_; } while (0)
#define FOR(i, n) for (int i = 0; i < (n); ++i)
#define SQ(x) ((x) * (x))
int old(a, b) int a; double b; { return a * 2 + (int)b; }
void duff(double *to, const double *from, int count)
{
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++ * 2;
    case 7:      *to++ = *from++ * 2;
    case 6:      *to++ = *from++ * 2;
    case 5:      *to++ = *from++ * 2;
    case 4:      *to++ = *from++ * 2;
    case 3:      *to++ = *from++ * 2;
    case 2:      *to++ = *from++ * 2;
    case 1:      *to++ = *from++ * 2;
            } while (--n > 0);
    }
}
static inline double vla(int n, double m[n][n]) { double s = 0; FOR(i, n) FOR(j, n) s += SQ(m[i][j]); return s; }
double stmt(double x) { return ({ double y = x * 2; if (y > 3) y += 1; y; }) + 1; }
double elvis(double x) { return (x - 1) ?: x * 2; }
double _Complex cplx(double _Complex z) { int n = 0; while (cabs(z) < 2 && n++ < 50) z = z * z + 0.3; return z; }
_Thread_local int tl;
int main(int argc, char **argv)
{
    double a[20], b[20], m[4][4];
    FOR(i, 20) b[i] = i;
    duff(a, b, 13);
    SWAP(a[0], a[1]);
    FOR(i, 16) m[i / 4][i % 4] = i;
    assert(a[0] >= 0 && a[0] * 2 < 1000);
    if (argc > 1 && !strcmp(argv[1], "x")) goto end;
    printf("%g %g %g %g %d\n", vla(4, m), stmt(2), elvis(1), creal(cplx(0)), old(3, 2.));
    for (int i = 0, j = 9; i < j; i++, j--) (a[i] += b[j]);
    if (a[0] > 1) (a[0] -= 1); else if (a[0] > 0) { a[0] -= 2; } else (void)(a[1] * 2);
end:
    return 0;
}
