/* Reads a file in the loop. */
#include <stdio.h>

int main(int argc, char **argv)
{
    static double x[400];
    double s = 0;
    FILE *in = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (!in) return 1;
#pragma inlay maploop
    for (int i = 0; i < 20; i++) {
        int v;
        if (fscanf(in, "%d", &v) == 1)
            x[i] = v;
    }
    fclose(in);
    for (int i = 0; i < 20; i++) s += x[i] * i;
    printf("%.10e\n", s);
    return 0;
}
