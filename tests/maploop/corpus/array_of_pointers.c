/* Objects of their own on the heap; links hold pointers to them. */
#include <stdio.h>
#include <stdlib.h>

typedef struct body { double pos, force; int id; } body;
typedef struct { body *a, *b; double k; } link;

int main(void)
{
    enum { N = 80, M = 200 };
    body *all[N];
    link links[M];
    for (int i = 0; i < N; i++) {
        all[i] = malloc(sizeof(body));
        all[i]->pos = i + 0.1 * (i % 3);
        all[i]->force = 0;
        all[i]->id = i;
    }
    for (int l = 0; l < M; l++) links[l] = (link){all[l % N], all[(l * 3 + 1) % N], 1.0 / (1 + l % 4)};
    for (int t = 0; t < 5; t++) {
#pragma inlay maploop
        for (int l = 0; l < M; l++) {
            const double f = links[l].k * (links[l].b->pos - links[l].a->pos);
            links[l].a->force += f;
            links[l].b->force -= f;
        }
#pragma inlay maploop
        for (int i = 0; i < N; i++) {
            all[i]->pos += 0.01 * all[i]->force;
            all[i]->force = 0;
        }
    }
    double s = 0;
    for (int i = 0; i < N; i++) s += all[i]->pos * all[i]->id;
    printf("%.10e\n", s);
    for (int i = 0; i < N; i++) free(all[i]);
    return 0;
}
