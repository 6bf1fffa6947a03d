/* qsort and bsearch between marked loops. */
#include <stdio.h>
#include <stdlib.h>

struct item { int key; double score; };

static int by_score(const void *a, const void *b)
{
    const struct item *p = a, *q = b;
    if (p->score != q->score)
        return p->score < q->score ? 1 : -1;
    return p->key - q->key;
}

int main(void)
{
    enum { N = 240 };
    static struct item it[N];
    static double vote[N];
    for (int i = 0; i < N; i++) it[i].key = i;
    for (int round = 0; round < 3; round++) {
#pragma inlay maploop
        for (int i = 0; i < N; i++) {
            vote[(it[i].key * 5 + round) % N] += 1.0 / (1 + i);
            vote[(it[i].key * 3) % N] += 0.5;
        }
#pragma inlay maploop
        for (int i = 0; i < N; i++) it[i].score = vote[it[i].key];
        qsort(it, N, sizeof it[0], by_score);
    }
    for (int i = 0; i < 8; i++) printf("%d %.10e\n", it[i].key, it[i].score);
    return 0;
}
