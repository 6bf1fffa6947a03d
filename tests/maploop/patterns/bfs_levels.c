/* Breadth-first search by levels: unreached vertices look for a reached neighbour. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define UNSEEN INT8_MAX

int main(void)
{
    const uint32_t n = 512, deg = 3;
    uint32_t *nb = malloc(n * deg * sizeof *nb);
    int8_t *level = malloc(n), *next = malloc(n);
    uint64_t found = 1, per[64] = {0};
    int8_t depth = 0;
    for (uint32_t v = 0; v < n; v++) {
        nb[v * deg] = (v * 5 + 1) % n;
        nb[v * deg + 1] = (v + 37) % n;
        nb[v * deg + 2] = v / 2;
        level[v] = next[v] = v == 3 ? 0 : UNSEEN;
    }
    while (found) {
        found = 0;
#pragma inlay maploop
        for (uint32_t v = 0; v < n; v++) {
            if (level[v] != UNSEEN) continue;
            for (uint32_t k = 0; k < deg; k++)
                if (level[nb[v * deg + k]] == depth) {
                    next[v] = (int8_t)(depth + 1);
                    found++;
                    break;
                }
        }
#pragma inlay maploop
        for (uint32_t v = 0; v < n; v++) level[v] = next[v];
        depth++;
    }
#pragma inlay maploop
    for (uint32_t v = 0; v < n; v++)
        if (level[v] != UNSEEN) per[level[v]]++;
    for (int l = 0; l < depth; l++) printf("%d: %llu\n", l, (unsigned long long)per[l]);
    free(nb);
    free(level);
    free(next);
    return 0;
}
