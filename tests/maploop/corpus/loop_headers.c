/* Loops of other forms: a global variable, an enum, a char, no initialisation, <=, !=, a bound that is an expression. */
#include <stdio.h>

enum colour { RED, GREEN, BLUE, COLOURS };
typedef struct { int first, last; } range;
int g;
static double v[200], w[COLOURS];

static int limit(const range *r) { return r->last - r->first; }

int main(void)
{
    range r = {20, 150};
    double s = 0;
    int j = 5;
#pragma inlay maploop
    for (g = 0; g < 200; ++g) v[g] = g * 0.5;
    printf("%d\n", g);
#pragma inlay maploop
    for (enum colour c = RED; c < COLOURS; c++) w[c] = v[10 * c] + 1;
#pragma inlay maploop
    for (; j <= 50; j++) v[j] += 1;
    printf("%d\n", j);
#pragma inlay maploop
    for (unsigned char b = 0; b != 100; b++) s += v[b];
#pragma inlay maploop
    for (int i = r.first; i < r.first + limit(&r); i = i + 2) v[i] -= 0.25;
#pragma inlay maploop
    for (short k = 199; k >= 100; k -= 3) v[k] *= 2;
    for (int i = 0; i < 200; i++) s += v[i] * (i % 3);
    printf("%.10e %.10e\n", s, w[0] + w[1] + w[2]);
    return 0;
}
