// C99: // comments, declarations in for, designated initialisers, restrict, inline, compound literals.
#include <stdio.h>
#include <stdlib.h>

typedef struct { double re, im; } pair;

static inline pair times(const pair a, const pair b) {
    return (pair){.re = a.re * b.re - a.im * b.im, .im = a.re * b.im + a.im * b.re};
}

static void rotate(int n, const int *restrict idx, const pair *restrict in, pair *restrict out) {
    const pair w = {.re = 0.6, .im = 0.8};
    #pragma inlay maploop
    for (int i = 0; i < n; ++i) {
        out[i] = times(w, in[idx[i]]);  // unit length
    }
}

int main(void) {
    enum { n = 288 };
    int *idx = malloc(sizeof(int[n]));
    pair *a = malloc(sizeof(pair[n])), *b = malloc(sizeof(pair[n]));
    for (int i = 0; i < n; ++i) {
        idx[i] = (i * 5 + 1) % n;
        a[i] = (pair){i % 7, .im = -i % 5};
    }
    for (int t = 0; t < 4; ++t) {
        rotate(n, idx, a, b);
        pair *const c = a;
        a = b, b = c;
    }
    double re = 0, im = 0;
    for (int i = 0; i < n; ++i) re += a[i].re * (i + 1), im += a[i].im;
    printf("%.10e %.10e\n", re, im);
    free(idx), free(a), free(b);
}
