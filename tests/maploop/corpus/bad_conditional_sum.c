/* Sums of a count that stops at a limit. */
#include <stdio.h>

int main(void)
{
    static int size[200], taken[200];
    int room = 500;
    for (int i = 0; i < 200; i++) size[i] = (i * 13) % 17;
#pragma inlay maploop
    for (int i = 0; i < 200; i++) {
        if (size[i] <= room) {
            taken[i] = 1;
            room -= size[i];
        }
    }
    long s = 0;
    for (int i = 0; i < 200; i++) s += taken[i] * i;
    printf("%d %ld\n", room, s);
    return 0;
}
