#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Fixed-width types as in C99: counts of common neighbours of the ends of an edge. */
static int32_t common(const int32_t *start, const int32_t *adj, int32_t a, int32_t b)
{
    int32_t i = start[a], j = start[b], found = 0;
    while (i < start[a + 1] && j < start[b + 1]) {
        if (adj[i] == adj[j]) {
            found++;
            i++;
            j++;
        } else if (adj[i] < adj[j]) {
            i++;
        } else {
            j++;
        }
    }
    return found;
}

int main(void)
{
    enum { N = 200 };
    int32_t *start = malloc((N + 1) * sizeof *start), *adj = malloc(N * N * sizeof *adj), m = 0;
    for (int32_t i = 0; i < N; i++) {
        start[i] = m;
        for (int32_t j = 0; j < N; j++)
            if (i != j && (i * j + i + j) % 11 == 0) adj[m++] = j;
    }
    start[N] = m;
    int64_t triangles = 0;
    int32_t *score = calloc(N, sizeof *score);
#pragma inlay maploop
    for (int32_t i = 0; i < N; i++) {
        for (int32_t k = start[i]; k < start[i + 1]; k++) {
            if (adj[k] <= i) continue;
            const int32_t c = common(start, adj, i, adj[k]);
            triangles += c;
            score[i] += c;
            score[adj[k]] += c;
        }
    }
    int64_t weighted = 0;
    for (int32_t i = 0; i < N; i++) weighted += (int64_t)i * score[i];
    printf("%" PRId64 " triangles, %" PRId64 "\n", triangles / 3, weighted);
    free(start); free(adj); free(score);
    return 0;
}
