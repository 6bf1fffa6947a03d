/* A generator of its own, with its state in a helper. */
#include <stdio.h>

static unsigned next_random(void)
{
    static unsigned state = 1;
    state = state * 1664525u + 1013904223u;
    return state >> 16;
}

int main(void)
{
    unsigned hit[8] = {0};
#pragma inlay maploop
    for (int i = 0; i < 1000; i++)
        hit[next_random() % 8]++;
    for (int b = 0; b < 8; b++) printf("%u ", hit[b]);
    printf("\n");
    return 0;
}
