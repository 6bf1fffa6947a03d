/* Right at first; from the third step on two iterations write one element. */
#include <stdio.h>

int main(void)
{
    static int place[64];
    static double v[64];
    double s = 0;
    for (int i = 0; i < 64; i++) place[i] = (i * 5 + 2) % 64;
    for (int t = 0; t < 5; t++) {
        if (t == 2) place[10] = place[11];
#pragma inlay maploop
        for (int i = 0; i < 64; i++) v[place[i]] = 2 * i + t;
    }
    for (int i = 0; i < 64; i++) s += v[i] * i;
    printf("%.10e\n", s);
    return 0;
}
