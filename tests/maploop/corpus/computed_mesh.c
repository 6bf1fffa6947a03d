/* One marked loop writes the indices that another reads. */
#include <stdio.h>

#define N 320
static int target[N];
static double pos[N], vel[N], cellsum[20];

int main(void)
{
    int i, t;
    for (i = 0; i < N; i++) { pos[i] = (i * 0.061) - (int)(i * 0.061); vel[i] = 0.01 * (i % 7 - 3); }
    for (t = 0; t < 8; t++) {
#pragma inlay maploop
        for (i = 0; i < N; i++) {
            pos[i] += vel[i];
            if (pos[i] < 0) pos[i] += 1;
            if (pos[i] >= 1) pos[i] -= 1;
            target[i] = (int)(pos[i] * 20);
        }
#pragma inlay maploop
        for (i = 0; i < N; i++) cellsum[target[i]] += pos[i];
    }
    for (i = 0; i < 20; i++) printf("%d %.10e\n", i, cellsum[i]);
    return 0;
}
