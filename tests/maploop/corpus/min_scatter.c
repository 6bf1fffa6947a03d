/* Relaxation: the least over the edges that come in, by if, into another array. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    const int n = 300, m = 1200, far = 1 << 30;
    int *s = malloc(m * sizeof *s), *d = malloc(m * sizeof *d), *len = malloc(m * sizeof *len);
    int *dist = malloc(n * sizeof *dist), *best = malloc(n * sizeof *best);
    for (int e = 0; e < m; e++) {
        s[e] = e % n;
        d[e] = (e % n + 1 + (e / n) * 23) % n;
        len[e] = 1 + e % 9;
    }
    for (int v = 0; v < n; v++) dist[v] = best[v] = v ? far : 0;
    for (int round = 0; round < 20; round++) {
#pragma inlay maploop
        for (int e = 0; e < m; e++) {
            if (dist[s[e]] == far) continue;
            int c = dist[s[e]] + len[e];
            if (c < best[d[e]]) best[d[e]] = c;
        }
#pragma inlay maploop
        for (int v = 0; v < n; v++) dist[v] = best[v];
    }
    long sum = 0;
    int reached = 0;
    for (int v = 0; v < n; v++)
        if (dist[v] < far) {
            sum += dist[v];
            reached++;
        }
    printf("%d reached, %ld in all\n", reached, sum);
    free(s); free(d); free(len); free(dist); free(best);
    return 0;
}
