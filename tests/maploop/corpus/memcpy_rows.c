/* memset and memcpy of whole rows in an iteration. */
#include <stdio.h>
#include <string.h>

#define ROWS 60
#define COLS 9
static double a[ROWS][COLS], b[ROWS][COLS], sum[ROWS][COLS];

int main(void)
{
    int order[ROWS], i, j;
    for (i = 0; i < ROWS; i++) {
        order[i] = (i * 7 + 3) % ROWS;
        for (j = 0; j < COLS; j++) a[i][j] = i + 0.1 * j;
    }
#pragma inlay maploop
    for (i = 0; i < ROWS; i++) {
        memcpy(b[i], a[order[i]], sizeof b[i]);
        memset(sum[i], 0, sizeof sum[i]);
        for (j = 0; j < COLS; j++) sum[i][j] += b[i][j] * j;
    }
    double s = 0;
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < COLS; j++) s += sum[i][j] * (i + 1);
    printf("%.10e %.10e\n", s, b[5][2]);
    return 0;
}
