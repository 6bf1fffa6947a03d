/* The bound changes while the loop runs. */
#include <stdio.h>

int main(void)
{
    static int size[200];
    int n = 100;
    for (int i = 0; i < 200; i++) size[i] = (i * 17) % 12;
#pragma inlay maploop
    for (int i = 0; i < n; i++) {
        if (size[i] > 9 && n < 200)
            n++;
        size[i] -= 1;
    }
    long s = 0;
    for (int i = 0; i < 200; i++) s += size[i] * i;
    printf("%d %ld\n", n, s);
    return 0;
}
