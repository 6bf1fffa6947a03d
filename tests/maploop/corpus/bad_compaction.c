/* What fits is packed into the next free place. */
#include <stdio.h>

int main(void)
{
    static double in[400], out[400];
    int kept = 0;
    for (int i = 0; i < 400; i++) in[i] = (i * 29) % 100;
#pragma inlay maploop
    for (int i = 0; i < 400; i++) {
        if (in[i] > 70)
            out[kept++] = in[i];
    }
    double s = 0;
    for (int i = 0; i < kept; i++) s += out[i] * i;
    printf("%d %.10e\n", kept, s);
    return 0;
}
