#include <stdio.h>
#include <stdlib.h>

/* unsigned int for everything that counts */
int main(void)
{
    const unsigned n = 333, m = 999;
    unsigned *from = malloc(m * sizeof(unsigned)), *to = malloc(m * sizeof(unsigned));
    unsigned long *paths = malloc(n * sizeof(unsigned long)), *more = malloc(n * sizeof(unsigned long));
    for (unsigned e = 0; e < m; ++e) {
        from[e] = (e * 2654435761u) % n;
        to[e] = (e * 40503u + 7u) % n;
    }
    for (unsigned i = 0; i < n; ++i) paths[i] = 1;
    for (unsigned round = 0; round < 6; ++round) {
        for (unsigned i = 0; i < n; ++i) more[i] = 0;
#pragma inlay maploop
        for (unsigned e = 0; e < m; ++e) more[to[e]] += paths[from[e]];
        unsigned long *t = paths;
        paths = more;
        more = t;
    }
    unsigned long sum = 0, top = 0;
    for (unsigned i = 0; i < n; ++i) {
        sum += paths[i];
        if (paths[i] > top) top = paths[i];
    }
    printf("%lu paths, %lu at most\n", sum, top);
    free(from);
    free(to);
    free(paths);
    free(more);
    return 0;
}
