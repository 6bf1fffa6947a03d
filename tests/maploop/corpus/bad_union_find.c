/* Union-find: each edge changes what the next one finds. */
#include <stdio.h>

#define N 64
static int parent[N];

static int find(int v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

int main(void)
{
    int sets = N;
    for (int v = 0; v < N; v++) parent[v] = v;
#pragma inlay maploop
    for (int e = 0; e < N / 2; e++) {
        const int a = find(e), b = find((e * 5 + 3) % N);
        if (a != b) {
            parent[b] = a;
            sets--;
        }
    }
    printf("%d\n", sets);
    return 0;
}
