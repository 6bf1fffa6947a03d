#include <math.h>
#include <stdlib.h>
#include <stdio.h>
typedef double (*fn)(double);
struct op { fn f; };
static double twice(double x) { return x * 2; }
double apply(const struct op *o, int n, double x) { for (int i = 0; i < n; i++) x = o[i % 2].f(x); return x; }
double apply2(fn f, double x) { return (*f)(x) + f(x); }
int main(void) { struct op o[2] = {{twice}, {twice}}; double a[5] = {3,1,2,5,4};
 printf("%g %g %g\n", apply(o, 4, 1), apply2(twice, a[0]), apply2(sin, 1)); return 0; }
