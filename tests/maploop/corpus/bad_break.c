/* The first hit ends the loop. */
#include <stdio.h>

int main(void)
{
    static int a[500];
    int i, at = -1;
    double before = 0;
    for (i = 0; i < 500; i++) a[i] = (i * 37) % 401;
#pragma inlay maploop
    for (i = 0; i < 500; i++) {
        if (a[i] == 123) {
            at = i;
            break;
        }
        before += a[i];
    }
    printf("%d %g\n", at, before);
    return 0;
}
