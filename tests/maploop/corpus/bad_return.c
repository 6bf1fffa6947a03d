/* return out of the loop in a function that searches. */
#include <stdio.h>

static int find(const int *a, int n, int wanted)
{
#pragma inlay maploop
    for (int i = 0; i < n; i++)
        if (a[i] == wanted)
            return i;
    return -1;
}

int main(void)
{
    int a[100];
    for (int i = 0; i < 100; i++) a[i] = (i * i) % 31;
    printf("%d %d\n", find(a, 100, 25), find(a, 100, 99));
    return 0;
}
