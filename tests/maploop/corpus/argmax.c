/* The place of the largest value; of equal ones the lowest index, whatever the order. */
#include <math.h>
#include <stdio.h>

typedef struct { double value; int at; } best_t;

int main(void)
{
    static double a[800];
    best_t best = {-1e300, -1};
    for (int i = 0; i < 800; i++) a[i] = floor(50 * sin(i * 0.37));
#pragma inlay maploop
    for (int i = 0; i < 800; i++) {
        if (a[i] > best.value || (a[i] == best.value && i < best.at)) {
            best.value = a[i];
            best.at = i;
        }
    }
    printf("largest %.10e at %d\n", best.value, best.at);
    return 0;
}
