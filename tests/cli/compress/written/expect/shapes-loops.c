/*
 * As many arithmetic operations and function evaluations as shapes does, in short loops.
 * Written by `inlay compress`. Needs the mathematical library: cc -O2 FILE -lm
 */
#include <math.h>

/* 426 arithmetic operations and 4 function evaluations */
static double shapes_work(double x, double a, double b)
{
    (void)a, (void)b;

    /* line 6 of shapes(): 1 times 0 arithmetic operations and 1 function evaluations */
    for (long long i = 0; i < 1; i++) {
        x = sin(x);
    }

    /* line 9 of shapes(): 7 times 59 arithmetic operations and 0 function evaluations */
    for (long long i = 0; i < 7; i++) {
        for (long long k = 0; k < 2; k++) {
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
        }
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
    }

    /* line 11 of shapes(): 10 times 1 arithmetic operations and 0 function evaluations */
    for (long long i = 0; i < 10; i++) {
        x = x * a;
    }
    /* and the rest */
    x = x * a;
    x = x + b;
    x = x * a;
    x = sin(x);
    x = sin(x);
    x = sin(x);
    return x;
}

int main(int words, char **word)
{
    double a = words > 1000 ? 0.25 : 0.5, b = words > 1000 ? 0.5 : 0.25, x = 0.5;
    (void)word;
    x = shapes_work(x, a, b);
    return x > 1000;
}
