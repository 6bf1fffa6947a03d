/* Copies of four bytes each three bytes: they overlap. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    static unsigned char out[400], in[400];
    long s = 0;
    for (int i = 0; i < 400; i++) in[i] = (unsigned char)(i * 7);
#pragma inlay maploop
    for (int i = 0; i < 100; i++)
        memcpy(out + 3 * i, in + 4 * i, 4);
    for (int i = 0; i < 400; i++) s += out[i] * (i % 10);
    printf("%ld\n", s);
    return 0;
}
