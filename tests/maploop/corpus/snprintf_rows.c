/* Each iteration makes a name of its own. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    static char name[40][24];
    static double value[40];
    size_t length = 0;
    for (int i = 0; i < 40; i++) value[i] = 0.125 * i;
#pragma inlay maploop
    for (int i = 0; i < 40; i++) {
        snprintf(name[i], sizeof name[i], "%s-%d (%.3f)", i % 2 ? "odd" : "even", i, value[i]);
        length += strlen(name[i]);
    }
    for (int i = 0; i < 40; i += 9) puts(name[i]);
    printf("%zu\n", length);
    return 0;
}
