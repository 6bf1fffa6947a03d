/* A filter: the scalar goes from one iteration to the next. */
#include <stdio.h>

int main(void)
{
    static double x[300], y[300];
    double state = 0;
    for (int i = 0; i < 300; i++) x[i] = i % 7;
#pragma inlay maploop
    for (int i = 0; i < 300; i++) {
        state = 0.9 * state + 0.1 * x[i];
        y[i] = state;
    }
    double s = 0;
    for (int i = 0; i < 300; i++) s += y[i];
    printf("%.10e\n", s);
    return 0;
}
