/* A whole structure is written, a field of its neighbour is read. */
#include <stdio.h>

struct p { int n; double v; };

int main(void)
{
    static struct p a[90], b[90];
    for (int i = 0; i < 90; i++) a[i].v = b[i].v = i;
#pragma inlay maploop
    for (int i = 1; i < 90; i++) {
        a[i] = b[i];
        b[i].v = a[i - 1].v + 1;
    }
    printf("%.10e\n", b[89].v + a[40].v);
    return 0;
}
