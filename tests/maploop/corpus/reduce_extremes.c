/* Extremes by fmin and fmax, by if, by ?:, by a macro. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))

static double v[1200];
static int k[1200];

int main(void)
{
    double low = DBL_MAX, high = -DBL_MAX, widest = 0;
    int least = INT_MAX, most = INT_MIN;
    for (int i = 0; i < 1200; i++) {
        v[i] = sin(i * 1.3) * i;
        k[i] = (i * 7919) % 1009 - 500;
    }
#pragma inlay maploop
    for (int i = 0; i < 1200; i++) {
        low = fmin(low, v[i]);
        high = fmax(high, v[i]);
        if (k[i] < least)
            least = k[i];
        most = k[i] > most ? k[i] : most;
        widest = MAX(widest, fabs(v[i]));
    }
    printf("%.10e %.10e %.10e %d %d\n", low, high, widest, least, most);
    return 0;
}
