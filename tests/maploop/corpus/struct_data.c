/* Structs are assigned whole: a = b, where b comes through an index. */
#include <stdio.h>
#include <stdlib.h>

struct vec { double x, y, z; };
struct site { struct vec pos; int owner; char kind; };

static struct vec middle(struct vec a, struct vec b)
{
    struct vec m = {(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2};
    return m;
}

int main(void)
{
    int n = 150, i;
    struct site *s = malloc(n * sizeof *s), *t = malloc(n * sizeof *t);
    int *partner = malloc(n * sizeof *partner);
    for (i = 0; i < n; i++) {
        s[i].pos.x = i;
        s[i].pos.y = i * 0.5;
        s[i].pos.z = i % 4;
        s[i].owner = i % 3;
        s[i].kind = (char)('a' + i % 5);
        partner[i] = (i * 7 + 1) % n;
    }
#pragma inlay maploop
    for (i = 0; i < n; i++) {
        t[i] = s[partner[i]];
        t[i].pos = middle(s[i].pos, s[partner[i]].pos);
        if (t[i].kind == 'c')
            t[i].owner = -1;
    }
    double x = 0, z = 0;
    int owners = 0;
    for (i = 0; i < n; i++) {
        x += t[i].pos.x * (i % 5);
        z += t[i].pos.z;
        owners += t[i].owner;
    }
    printf("%.10e %.10e %d %c\n", x, z, owners, t[9].kind);
    free(s); free(t); free(partner);
    return 0;
}
