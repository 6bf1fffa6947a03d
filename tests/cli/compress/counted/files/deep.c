#include "value.h"

static double t;

/* Cholesky-like, and bounds of two outer variables. */
void run(int n)
{
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++) {
            t = t / 2;
            for (int j = k + 1; j <= i; j++)
                t = t - 3 * t;
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = i; j < 2 * i; j++)
            for (int k = j - i; k <= i + j; k += 2)
                for (int l = 0; l < 3; l++)
                    t += 1;
    for (int b = 0; b < n; b += 4) {
        int end = b + 4 < n ? b + 4 : n;
        COMPUTES(b + 4 < n ? 2 : 1);
        for (int i = b; i < end; i++)
            t = t * t - t;
    }
}
