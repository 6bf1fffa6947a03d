/* Row starts as prefix sums. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 64;
    int *len = malloc(n * sizeof(int)), *start = malloc((n + 1) * sizeof(int));
    for (int i = 0; i < n; i++) len[i] = i % 5;
    start[0] = 0;
#pragma inlay maploop
    for (int i = 0; i < n; i++)
        start[i + 1] = start[i] + len[i];
    printf("%d\n", start[n]);
    free(len);
    free(start);
    return 0;
}
