/* Neighbours are swapped where they are out of order. */
#include <stdio.h>

int main(void)
{
    static int a[70];
    for (int i = 0; i < 70; i++) a[i] = (i * 43) % 71;
    for (int pass = 0; pass < 5; pass++) {
#pragma inlay maploop
        for (int i = 0; i < 69; i++) {
            if (a[i] > a[i + 1]) {
                int t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
            }
        }
    }
    for (int i = 0; i < 70; i++) printf("%d ", a[i]);
    printf("\n");
    return 0;
}
