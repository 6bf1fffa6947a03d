/* The game of life on a torus of bits in bytes, neighbours by tables. */
#include <stdio.h>
#include <string.h>

#define S 32
typedef unsigned char board[S][S];

static board now, then;
static int up[S], down[S];

static int alive(int r, int c)
{
    return now[up[r]][up[c]] + now[up[r]][c] + now[up[r]][down[c]] + now[r][up[c]] + now[r][down[c]] + now[down[r]][up[c]] + now[down[r]][c] + now[down[r]][down[c]];
}

int main(void)
{
    int r, c, t, population = 0;
    for (r = 0; r < S; r++) {
        up[r] = (r + S - 1) % S;
        down[r] = (r + 1) % S;
        for (c = 0; c < S; c++) now[r][c] = (r * r + 3 * c + r * c) % 5 < 2;
    }
    for (t = 0; t < 20; t++) {
#pragma inlay maploop
        for (r = 0; r < S; r++)
            for (c = 0; c < S; c++) {
                const int k = alive(r, c);
                then[r][c] = k == 3 || (now[r][c] && k == 2);
            }
        memcpy(now, then, sizeof now);
    }
    for (r = 0; r < S; r++)
        for (c = 0; c < S; c++) population += now[r][c] * (1 + (r + c) % 2);
    for (r = 0; r < 4; r++) {
        for (c = 0; c < S; c++) putchar(now[r][c] ? '#' : '.');
        putchar('\n');
    }
    printf("%d\n", population);
    return 0;
}
