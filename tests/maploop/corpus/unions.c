/* Values are written as one member of a union and read as another. */
#include <stdint.h>
#include <stdio.h>

typedef union { double real; uint64_t bits; struct { uint32_t low, high; } half; } word;

static word w[120];
static uint32_t mix[120];

int main(void)
{
    uint64_t all = 0, sum = 0;
#pragma inlay maploop
    for (int i = 0; i < 120; i++) {
        w[i].real = 1.0 + i * 0.25;
        mix[i] = w[i].half.low ^ w[i].half.high;
    }
#pragma inlay maploop
    for (int i = 0; i < 120; i++) all += w[(i * 7) % 120].bits * (uint64_t)(i + 1);
#pragma inlay maploop
    for (int i = 0; i < 120; i++) w[i].half.low = mix[119 - i];
    for (int i = 0; i < 120; i++) sum += w[i].bits % 1000003u * (unsigned)(i + 1);
    printf("%llx %llu\n", (unsigned long long)all, (unsigned long long)sum);
    return 0;
}
