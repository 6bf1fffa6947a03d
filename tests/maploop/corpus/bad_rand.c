/* rand() in the loop: the sequence hangs on the order. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    enum { N = 200 };
    static double x[N];
    double s = 0;
    srand(1);
#pragma inlay maploop
    for (int i = 0; i < N; i++)
        x[i] = (double)(rand() % 100) + i;
    for (int i = 0; i < N; i++) s += x[i];
    printf("%d\n", s > 0);
    return 0;
}
