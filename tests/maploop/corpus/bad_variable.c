/* The body moves the loop's own variable. */
#include <stdio.h>

int main(void)
{
    static int code[100];
    long s = 0;
    for (int i = 0; i < 100; i++) code[i] = (i * 11) % 9;
#pragma inlay maploop
    for (int i = 0; i < 100; i++) {
        if (code[i] == 4)
            i += 2;
        s += i * 10;
    }
    printf("%ld\n", s);
    return 0;
}
