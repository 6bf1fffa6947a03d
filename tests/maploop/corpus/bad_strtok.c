/* strtok() goes on where the last call stopped. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char text[] = "5 9 2 6 5 3 5 8 9 7 9 3";
    static int number[12];
    long s = 0;
    number[0] = atoi(strtok(text, " "));
#pragma inlay maploop
    for (int i = 1; i < 12; i++)
        number[i] = atoi(strtok(NULL, " "));
    for (int i = 0; i < 12; i++) s = s * 3 + number[i];
    printf("%ld\n", s);
    return 0;
}
