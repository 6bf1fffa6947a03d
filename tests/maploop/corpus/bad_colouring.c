/* Greedy colouring: the colours of earlier vertices are read. */
#include <stdio.h>

#define N 100
static int colour[N];

int main(void)
{
    for (int v = 0; v < N; v++) colour[v] = -1;
#pragma inlay maploop
    for (int v = 0; v < N; v++) {
        int used = 0, c = 0;
        for (int k = 1; k <= 4; k++) {
            const int w = (v * k + k) % N;
            if (w != v && colour[w] >= 0) used |= 1 << colour[w];
        }
        while (used & (1 << c)) c++;
        colour[v] = c;
    }
    int most = 0;
    long s = 0;
    for (int v = 0; v < N; v++) {
        if (colour[v] > most) most = colour[v];
        s += colour[v] * v;
    }
    printf("%d colours %ld\n", most + 1, s);
    return 0;
}
