/*
 * As many arithmetic operations and function evaluations as figure does, in short loops.
 * Written by `inlay compress`. Needs the mathematical library: cc -O2 FILE -lm
 */
#include <math.h>

/* 24000 arithmetic operations and 4000 function evaluations */
static double figure_work(double x, double a, double b)
{
    (void)a, (void)b;

    /* line 7 of figure(): 2000 times 12 arithmetic operations and 2 function evaluations */
    for (long long i = 0; i < 2000; i++) {
        x = x * a;
        x = x + b;
        x = x * a;
        x = x + b;
        x = x * a;
        x = x + b;
        x = x * a;
        x = x + b;
        x = x * a;
        x = x + b;
        x = x * a;
        x = x + b;
        x = sin(x);
        x = sin(x);
    }
    return x;
}

int main(int words, char **word)
{
    double a = words > 1000 ? 0.25 : 0.5, b = words > 1000 ? 0.5 : 0.25, x = 0.5;
    (void)word;
    x = figure_work(x, a, b);
    return x > 1000;
}
