/* A list of boundary points in which one stands twice, with other values. */
#include <stdio.h>

int main(void)
{
    int point[40];
    double value[40];
    static double u[200];
    for (int k = 0; k < 40; k++) {
        point[k] = 5 * k;
        value[k] = k;
    }
    point[33] = 15;
#pragma inlay maploop
    for (int k = 0; k < 40; k++)
        u[point[k]] = value[k];
    printf("%.10e\n", u[15]);
    return 0;
}
