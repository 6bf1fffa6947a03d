#include <stdio.h>
int main(void) { double x, s = 0; while (scanf("%lf", &x) == 1) s += x * x; FILE *f = fopen("made.txt", "w"); fprintf(f, "%g\n", s); fclose(f); return 0; }
