/* Static local arrays and scalars keep their values from call to call; the loop stands in the function. */
#include <stdio.h>

static double step(int reset)
{
    static double state[75], rate = 0.1;
    static int calls;
    double sum = 0;
    if (reset) {
        for (int i = 0; i < 75; i++) state[i] = i % 7;
        calls = 0;
    }
#pragma inlay maploop
    for (int i = 0; i < 75; i++) {
        state[i] += rate * (i + calls);
        sum += state[i];
    }
    calls++;
    rate *= 0.9;
    return sum;
}

int main(void)
{
    printf("%.10e\n", step(1));
    for (int t = 0; t < 5; t++) printf("%.10e\n", step(0));
    printf("%.10e\n", step(1));
    return 0;
}
