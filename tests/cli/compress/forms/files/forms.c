/* Forms of C. What a line counts stands behind it. */
#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define REPEAT(n) for (int r = 0; r < n; r++)

typedef struct {
    double x, y;
    int n;
} point;

double t;
double complex z;
float f;
long double ld;
_Bool flag;

int old(a, b)
int a;
double b;
{
    t = a * b; /* 1 */
    return 0;
}

static inline double square(double x)
{
    return x * x; /* 1 */
}

void loops(size_t n, point *p)
{
    REPEAT(3) REPEAT(4) t += square(t); /* 12 times 1, and 12 times square() */
    for (size_t i = 0; i + 1 < n; i++)
        p[i].x = p[i + 1].x * 2 + p[i].y; /* 9 times 2 */
    for (size_t i = n; i-- > 0;)
        t += 1; /* 10 times 1, as told */
    for (int i = 0, e = 3; i < e; ++i)
        for (char c = 0; c < 4; c++)
            t -= i; /* 12 times 1 */
    int i = 0;
    for (i = 10; i > 0; --i) {
        int i = 5;
        t = t + i; /* 10 times 1 */
    }
}

void expressions(int n, point *p)
{
    z = z * z + 1;                    /* 2 */
    f *= 2;                           /* 1 */
    ld = fabsl(ld) + sqrtl(ld);       /* 2, 1 function */
    t = creal(z) * cabs(z);           /* 1, 1 function */
    flag = n > 1 && isnan(t);         /* 0 */
    t += ({ double q = t * 2; q + 1; }); /* 3 */
    double a[3] = {t + 1, t * 2, -t}, b[] = {[1] = t - 1}; /* 4 */
    point s = {.x = t * 3, .y = 4, n}, *q = &(point){t + 1, 2, 3}; /* 2 */
    t = (t + 1, t * 2);               /* 2 */
    p += n * 2;                       /* 0 */
    t += p[n * 3].x + (&p[1])->y + a[0] + b[1] + q->x + s.x; /* 6 */
    t = *(&t + (n - 1));              /* 0 */
    ptrdiff_t d = &p[n] - p;          /* 0 */
    t += d;                           /* 1 */
    t = (n << 2) | ((n >> 1) & ~n);   /* 0 */
    t = sizeof(double[n * 2]) + sizeof t * 2; /* 0 */
    t = (double)n / 3 + (float)(t * 2); /* 3 */
    int k = n;
    k = -k;                           /* 1 */
    k *= 2;                           /* 1 */
    k++, --k;                         /* 0 */
    if (0) t = t / 2; else t = t - 1; /* 1 */
    if (true) t = t + 2;              /* 1 */
    t = M_PI * 2 * t;                 /* 1 */
    t = INFINITY + t;                 /* 1 */
    old(3, 4);                        /* that of old() */
}
