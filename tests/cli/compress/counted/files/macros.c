#include <math.h>
#define N 12
#define FOR(i, n) for (int i = 0; i < (n); i++)
#define SQUARE(x) ((x) * (x))
#define TWICE(x) SQUARE(x) + SQUARE(x)
#define TIMES *
#define LOOP for (;;)
#define ADD(to, what)                                                                                                  \
    do {                                                                                                               \
        to += what;                                                                                                    \
    } while (0)
#define AT(a, i, j) a[(i) * N + (j)]
#define LESS(a, b) a < b
#define COUNT(i, n) int i = 0; i < n; i++

static double t, a[N * N];

void run(void)
{
    FOR(i, N)
    {
        FOR(j, i)
        {
            AT(a, i, j) = SQUARE(t) TIMES t - TWICE(t + 1);
            ADD(t, AT(a, i, j) * 2);
        }
        for (COUNT(k, 3))
            t = sin(t) /* a comment with * and + */ + SQUARE(a[i /* here too * */ + 1 - 1]);
    }
    int m = 0;
    for (m = 0; LESS(m, N); m += 2)
        t = -t;
    for (m = 3; m < 5;) {
        m++;
        t = t + 1;
    }
}
