#include <math.h>
#include <stdio.h>
#include <stdlib.h>
int cost(double *into, int of);
static double x[50], y[50], sum, state;
static int at[50], queue[50], tail;
static double *to[50];
static struct { double value; const char *name; } named[50];
static struct { unsigned on : 1; } flags[50];
static double step(void) { return state = state * 0.5 + 1; }
static int deep(int *p, int n); static int deeper(int *p, int n) { return n > 0 ? p[n] + deep(p, n - 1) : 0; } static int deep(int *p, int n) { return deeper(p, n); }
int main(void)
{
    double carried = 0;
#pragma inlay maploop
    for (int i = 1; i < 50; i++) {
        /* HERE */
    }
    return to[0] != NULL || named[0].name != NULL || flags[0].on || printf("%g %g %d\n", sum, carried + y[3], tail + queue[2] + (int)step() + deep(at, 2)) < 0;
}
