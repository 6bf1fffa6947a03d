/* The loop of section 1 of the paper. */
#include <math.h>

void figure(double c[100][20], double b, int lmax)
{
    for (int i = 0; i < 100; i++) {
        for (int j = 0; j < 20; j++) {
            double a = (i + j) * b;
            double x = 3. * cos(3.14 * a) + (a - b) * log(i + j + lmax);
            c[i][j] = pow(x, 2) + a / b;
        }
    }
}
