/* Bit-fields have no address. */
#include <stdio.h>

struct cell { unsigned solid : 1, level : 5, kind : 2; double flow; };

int main(void)
{
    static struct cell c[100];
    double sum = 0;
    unsigned kinds = 0;
    for (int i = 0; i < 100; i++) {
        c[i].solid = i % 3 == 0;
        c[i].kind = i % 4;
    }
#pragma inlay maploop
    for (int i = 0; i < 100; i++) {
        const int up = (i * 7 + 1) % 100;
        c[i].flow = c[up].solid ? 0 : 0.5 * c[up].kind;
        c[i].level = (unsigned)i % 20;
    }
    for (int i = 0; i < 100; i++) {
        sum += c[i].flow * i;
        kinds += c[i].kind * c[i].level;
    }
    printf("%.10e %u\n", sum, kinds);
    return 0;
}
