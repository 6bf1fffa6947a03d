/* The sum so far is read in the loop. */
#include <stdio.h>

int main(void)
{
    static int load[150], bin[150];
    int sum = 0, over = 0;
    for (int i = 0; i < 150; i++) load[i] = (i * 13) % 10;
#pragma inlay maploop
    for (int i = 0; i < 150; i++) {
        sum += load[i];
        bin[i] = sum / 100;
        if (sum > 500) over++;
    }
    long s = 0;
    for (int i = 0; i < 150; i++) s += bin[i] * i;
    printf("%d %d %ld\n", sum, over, s);
    return 0;
}
