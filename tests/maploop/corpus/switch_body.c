/* A switch over kinds of elements, with different numbers of corners. */
#include <stdio.h>
#include <stdlib.h>

enum kind { SEGMENT, TRIANGLE, QUAD };
struct element { enum kind kind; int corner[4]; };

int main(void)
{
    const int ne = 300, nn = 128;
    struct element *el = malloc(ne * sizeof *el);
    double *w = calloc(nn, sizeof *w), total = 0;
    for (int e = 0; e < ne; e++) {
        el[e].kind = (enum kind)(e % 3);
        for (int k = 0; k < 4; k++) el[e].corner[k] = (e * 5 + k * 9) % nn;
    }
#pragma inlay maploop
    for (int e = 0; e < ne; e++) {
        int corners = 0;
        switch (el[e].kind) {
        case SEGMENT:
            corners = 2;
            total += 0.5;
            break;
        case TRIANGLE:
            corners = 3;
            total += 1;
            break;
        case QUAD:
            corners = 4;
            total += 2;
        }
        for (int k = 0; k < corners; k++) w[el[e].corner[k]] += 1.0 / corners;
    }
    double s = 0;
    for (int i = 0; i < nn; i++) s += w[i] * w[i];
    printf("%.10e %.10e\n", total, s);
    free(el);
    free(w);
    return 0;
}
