/* Prints between the steps, all elements in order, and ends with a status of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show(const char *title, const double *v, int n)
{
    char out[80];
    puts(title);
    for (int i = 0; i < n; i++) {
        snprintf(out, sizeof out, "%3d: %.10e", i, v[i]);
        fputs(out, stdout);
        putchar(i % 3 == 2 ? '\n' : ' ');
    }
    putchar('\n');
    fflush(stdout);
}

int main(void)
{
    int n = 40;
    double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v);
    for (int i = 0; i < n; i++) u[i] = i * i;
    for (int t = 0; t < 2; t++) {
#pragma inlay maploop
        for (int i = 0; i < n; i++) v[i] = (u[i] + u[(i * 3) % n]) / 2;
        show(t ? "second" : "first", v, n);
        memcpy(u, v, n * sizeof *u);
    }
    free(u);
    free(v);
    exit(0);
}
