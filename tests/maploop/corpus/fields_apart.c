/* An iteration writes one field of its element and reads another one of others': they never meet. */
#include <stdio.h>

typedef struct { double old, new; int next; } item;

int main(void)
{
    static item it[250];
    for (int i = 0; i < 250; i++) it[i] = (item){i % 9, 0, (i * 11 + 4) % 250};
    for (int t = 0; t < 4; t++) {
#pragma inlay maploop
        for (int i = 0; i < 250; i++) it[i].new = 0.5 * (it[i].old + it[it[i].next].old);
#pragma inlay maploop
        for (int i = 0; i < 250; i++) it[i].old = it[i].new + 1;
    }
    double s = 0;
    for (int i = 0; i < 250; i++) s += it[i].old * (i % 6);
    printf("%.10e\n", s);
    return 0;
}
