#include <math.h>
#include "value.h"

static double c[100][20];

void run(double b, int lmax)
{
    for (int i = 0; i < 100; i++) {
        for (int j = 0; j < 20; j++) {
            double a = (V(i) + V(j)) * b;
            double x = 3. * cos(3.14 * a) + (a - b) * log(V(i) + V(j) + V(lmax) + 1);
            c[i][j] = pow(x, 2) + a / b;
        }
        b = b + 1;
    }
}
