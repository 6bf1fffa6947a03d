/* Connected components: labels sink to the least of the neighbours', until none changes. */
#include <stdio.h>
#include <stdlib.h>

#define min(a, b) ((a) < (b) ? (a) : (b))

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 600, m = n;
    int *a = malloc(m * sizeof *a), *b = malloc(m * sizeof *b), *label = malloc(n * sizeof *label), *low = malloc(n * sizeof *low);
    int changes, rounds = 0, parts = 0;
    for (int e = 0; e < m; e++) {
        a[e] = (e * 131) % n;
        b[e] = e % 3 == 2 ? a[e] : (e * 131 + 12) % n;
    }
    for (int v = 0; v < n; v++) label[v] = v;
    do {
        changes = 0;
#pragma inlay maploop
        for (int v = 0; v < n; v++) low[v] = label[v];
#pragma inlay maploop
        for (int e = 0; e < m; e++) {
            low[a[e]] = min(low[a[e]], label[b[e]]);
            low[b[e]] = min(low[b[e]], label[a[e]]);
        }
#pragma inlay maploop
        for (int v = 0; v < n; v++)
            if (low[v] != label[v]) {
                label[v] = low[v];
                changes++;
            }
        rounds++;
    } while (changes > 0);
#pragma inlay maploop
    for (int v = 0; v < n; v++)
        if (label[v] == v) parts++;
    long sum = 0;
    for (int v = 0; v < n; v++) sum += label[v];
    printf("%d components after %d rounds, labels %ld\n", parts, rounds, sum);
    free(a); free(b); free(label); free(low);
    return 0;
}
