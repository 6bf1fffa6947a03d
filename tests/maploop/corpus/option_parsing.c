/* getenv, strtol, a usage line, long double sums outside; a conditional marked loop. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int usage(const char *name)
{
    fprintf(stderr, "usage: %s [-n SIZE] [-s]\n", name);
    return 2;
}

int main(int argc, char *argv[])
{
    long n = 128;
    int square = 0;
    for (int i = 1; i < argc; i++) {
        char *end;
        if (!strcmp(argv[i], "-s")) {
            square = 1;
        } else if (!strcmp(argv[i], "-n") && i + 1 < argc) {
            errno = 0;
            n = strtol(argv[++i], &end, 10);
            if (errno || *end || n < 1) return usage(argv[0]);
        } else {
            return usage(argv[0]);
        }
    }
    float *v = malloc(n * sizeof *v);
    short *bucket = malloc(n * sizeof *bucket);
    int counts[10] = {0};
    for (long i = 0; i < n; i++) {
        v[i] = (float)(i % 32) / 4;
        bucket[i] = (short)(i * i % 10);
    }
    if (square) {
#pragma inlay maploop
        for (long i = 0; i < n; i++) v[i] *= v[i];
    } else {
#pragma inlay maploop
        for (long i = 0; i < n; i++) v[i] += v[i];
    }
#pragma inlay maploop
    for (long i = 0; i < n; i++) counts[bucket[i]] += (int)v[i];
    long double all = 0;
    for (long i = 0; i < n; i++) all += v[i];
    printf("%.10Le", all);
    for (int b = 0; b < 10; b++) printf(" %d", counts[b]);
    printf("\n");
    free(v);
    free(bucket);
    return 0;
}
