#include <math.h>
#include "value.h"

static double t;

void run(int n)
{
    for (int i = 0; i < n; i++) {
        t = sin(t) + cos(t) - tan(t) * atan(t) + exp(t) + log(t) + sqrt(t);
        t += tanh(t) + cbrt(t) + erf(t) + atan2(t, 2.5) + sqrtf(t);
        t = fabs(t) + floor(t) + ceil(t) + fmax(t, 3);
        t = pow(t, 2) + pow(t, 3.0) + pow(t, -4) + pow(t, 0.5) + pow(t, 9) + pow(t, V(n));
    }
}
