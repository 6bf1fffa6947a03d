/* A histogram of integers from a hash. */
#include <stdint.h>
#include <stdio.h>

#define BINS 32
static long bin[BINS];

static uint32_t hash(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
}

int main(void)
{
#pragma inlay maploop
    for (uint32_t i = 0; i < 20000; i++)
        bin[hash(i) % BINS] += 1;

    for (int b = 0; b < BINS; b++)
        printf("%2d %ld\n", b, bin[b]);
    return 0;
}
