/* Heads of linked lists: next[e] is what the head was. */
#include <stdio.h>

#define V 20
#define E 100
static int head[V], next[E], to[E];

int main(void)
{
    int e, v;
    long s = 0;
    for (v = 0; v < V; v++) head[v] = -1;
    for (e = 0; e < E; e++) to[e] = (e * 7) % V;
#pragma inlay maploop
    for (e = 0; e < E; e++) {
        next[e] = head[to[e]];
        head[to[e]] = e;
    }
    for (v = 0; v < V; v++)
        for (e = head[v]; e >= 0; e = next[e]) s = (s * 3 + e) % 1000003;
    printf("%ld\n", s);
    return 0;
}
