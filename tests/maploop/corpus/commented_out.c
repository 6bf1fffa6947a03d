/* Marked loops that are commented out or left out by the preprocessor, words of pragmas in strings. */
#include <stdio.h>

#define FAST 0
static double x[90], y[90];

int main(void)
{
    for (int i = 0; i < 90; i++) x[i] = i % 8;
/*
#pragma inlay maploop
    for (int i = 0; i < 90; i++) y[i] = 0;
*/
#if FAST
#pragma inlay maploop
    for (int i = 0; i < 90; i++) y[i] = x[89 - i];
#else
#pragma inlay maploop
    for (int i = 0; i < 90; i++)
        y[i] = x[i] /* #pragma inlay maploop */ + x[(i + 5) % 90];
#endif
    // #pragma inlay maploop
    for (int i = 1; i < 90; i++) y[i] += y[i - 1];
    printf("#pragma inlay maploop: %.10e\n", y[89]);
    return 0;
}
