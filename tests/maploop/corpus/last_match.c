/* The last match stays, as in the serial program. */
#include <stdio.h>

int main(void)
{
    static int key[300];
    int at = -1;
    for (int i = 0; i < 300; i++) key[i] = (i * 17) % 23;
#pragma inlay maploop
    for (int i = 0; i < 300; i++)
        if (key[i] == 5)
            at = i;
    printf("%d\n", at);
    return 0;
}
