#include <stdio.h>
#include <stdlib.h>

int g;
double t;

void told(int n)
{
    for (int i = 0; i < n; i++)
        t += 1;
    for (int i = 0; i < g; i++)
        t += 1;
    for (int i = 0; i < 10; i--) t += 1;
    for (unsigned i = 10; i >= 0; i--) t += 1;
    for (int i = 0, j = n; i < j; i++, j--) t += 1;
    while (t > 1) t /= 2;
    printf("%g\n", t);
    t = labs(3);
    if (n > 9)
        told(n - 1);
}

void open(int n, const double *x, double (*f)(double))
{
    for (int i = 0; i < n; i++)
        t += 1;
    for (int i = 0; i < g; i++)
        t += 1;
    for (int i = 0; i < 10; i--)
        t += 1;
    for (unsigned i = 10; i >= 0; i--)
        t += 1;
    for (int i = 0, j = n; i < j; i++, j--)
        t += 1;
    while (t > 1)
        t /= 2;
    do {
        t *= 2;
    } while (t < 100);
    for (int i = 0; i < 10; i++)
        i += n;
    for (;;)
        t += 1;
    for (int i = 0, m = 4; i < 10; i += m) {
        m = (int)t;
        scanf("%d", &m);
    }
    printf("%g\n", t);
    open(n - 1, x, f);
    t = f(t);
    __asm__("nop");
again:
    t = t + 1;
    if (t < 7)
        goto again;
    switch (n) {
        if (n > 1) {
        case 2: t = t + 1;
        }
    }
}

/* Each of these needs more tries than there are. */
void deep(void)
{
    for (int i = 0; i < 90000; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < j; k++)
                t = t + 1;
}
