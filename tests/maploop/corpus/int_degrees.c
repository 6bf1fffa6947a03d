/* Degrees by ++, from an edge list, and a check of them. */
#include <assert.h>
#include <stdio.h>

#define VERTICES 128
#define EDGES 640

int src[EDGES], dst[EDGES], outdeg[VERTICES], indeg[VERTICES];

int main(void)
{
    int e, v, loops = 0, sum = 0, most = 0;
    for (e = 0; e < EDGES; e++) {
        src[e] = (e * 37) % VERTICES;
        dst[e] = (e * e + 5) % VERTICES;
    }
#pragma inlay maploop
    for (e = 0; e < EDGES; e++) {
        outdeg[src[e]]++;
        ++indeg[dst[e]];
        if (src[e] == dst[e])
            loops++;
    }
    for (v = 0; v < VERTICES; v++) {
        sum += outdeg[v] - 2 * indeg[v];
        if (indeg[v] > most) most = indeg[v];
    }
    assert(sum == -EDGES);
    printf("%d loops, at most %d come in at one vertex\n", loops, most);
    for (v = 0; v < 10; v++) printf("%d:%d/%d ", v, indeg[v], outdeg[v]);
    printf("\n");
    return 0;
}
