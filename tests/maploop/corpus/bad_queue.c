/* Breadth-first search: places of a queue are given out in order. */
#include <stdio.h>

#define N 80
static int adj[N][3], dist[N], queue[N];

int main(void)
{
    int head = 0, tail = 0;
    for (int i = 0; i < N; i++) {
        adj[i][0] = (i + 1) % N;
        adj[i][1] = (i * 3) % N;
        adj[i][2] = (i * i) % N;
        dist[i] = -1;
    }
    dist[0] = 0;
    queue[tail++] = 0;
    while (head < tail) {
        const int v = queue[head++];
#pragma inlay maploop
        for (int k = 0; k < 3; k++) {
            if (dist[adj[v][k]] < 0) {
                dist[adj[v][k]] = dist[v] + 1;
                queue[tail++] = adj[v][k];
            }
        }
    }
    long s = 0;
    for (int i = 0; i < N; i++) s += (long)dist[i] * i;
    printf("%d reached %ld\n", tail, s);
    return 0;
}
