/* goto out of two loops. */
#include <stdio.h>

int main(void)
{
    static int g[30][30];
    int i, j, found = 0;
    for (i = 0; i < 30; i++)
        for (j = 0; j < 30; j++) g[i][j] = i * j % 101;
#pragma inlay maploop
    for (i = 0; i < 30; i++)
        for (j = 0; j < 30; j++)
            if (g[i][j] == 77) {
                found = i * 100 + j;
                goto done;
            }
done:
    printf("%d\n", found);
    return 0;
}
