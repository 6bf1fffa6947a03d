#include <stdlib.h>
double f(double);
int main(int c, char **v) { for (int i = 1; i < c; i++) if (f(atof(v[i])) > 0.9) return 0; return 5; }
