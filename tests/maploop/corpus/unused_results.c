/* Marked loops whose results are used late: many loops, then a function that reads all at once. */
#include <stdio.h>
#include <string.h>

#define N 140
typedef struct { double a[N], b[N], c[N]; int count[N]; } store;

static double digest(const store *s)
{
    unsigned char bytes[sizeof s->a[0]];
    double t = 0;
    memcpy(bytes, &s->a[3], sizeof bytes);
    for (int i = 0; i < N; i++) t += s->a[i] + 2 * s->b[i] + 3 * s->c[i] + s->count[i];
    return t + bytes[0] * 0;
}

int main(void)
{
    static store s, copy;
#pragma inlay maploop
    for (int i = 0; i < N; i++) s.a[i] = i * 0.5;
#pragma inlay maploop
    for (int i = 0; i < N; i++) s.b[N - 1 - i] = s.a[i];
#pragma inlay maploop
    for (int i = 0; i < N; i++) {
        s.c[i] = s.b[i] - s.a[(i * 3) % N];
        s.count[i * i % N]++;
    }
    copy = s;
#pragma inlay maploop
    for (int i = 0; i < N; i++) s.a[i] = copy.c[i] + s.count[i];
    printf("%.10e %.10e\n", digest(&s), digest(&copy));
    return 0;
}
