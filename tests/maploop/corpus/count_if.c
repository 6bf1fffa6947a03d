/* Counting: crossings of a random cut, with the count in a struct. */
#include <stdio.h>
#include <stdlib.h>

struct counts { int inside, across; double weight; };

int main(void)
{
    int n = 100, m = 1000, e;
    int *u = malloc(m * sizeof(int)), *v = malloc(m * sizeof(int));
    char *side = malloc(n);
    struct counts c = {0, 0, 0.0};
    for (e = 0; e < n; e++) side[e] = (e * 13) % 7 < 3;
    for (e = 0; e < m; e++) {
        u[e] = (e * 31) % n;
        v[e] = (e * e) % n;
    }
#pragma inlay maploop
    for (e = 0; e < m; e++) {
        if (side[u[e]] != side[v[e]]) {
            c.across++;
            c.weight += 1.5;
        } else {
            c.inside++;
        }
    }
    printf("%d inside, %d across, weight %g\n", c.inside, c.across, c.weight);
    free(u); free(v); free(side);
    return 0;
}
