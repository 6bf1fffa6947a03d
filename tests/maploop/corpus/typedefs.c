/* Types of its own for numbers, indices and arrays. */
#include <stdio.h>
#include <stdlib.h>

typedef double Real;
typedef unsigned short Small;
typedef int Index;
typedef Index Pair[2];
typedef Real Vector[3];

typedef struct Mesh_ {
    Index nv, ne;
    Pair *edges;
} Mesh;

static Mesh *make_mesh(Index nv)
{
    Mesh *m = malloc(sizeof(Mesh));
    m->nv = nv;
    m->ne = 2 * nv;
    m->edges = malloc(m->ne * sizeof(Pair));
    for (Index e = 0; e < m->ne; ++e) {
        m->edges[e][0] = e / 2;
        m->edges[e][1] = (e / 2 + 1 + 12 * (e % 2)) % nv;
    }
    return m;
}

int main(void)
{
    Mesh *m = make_mesh(300);
    Vector *pos = malloc(m->nv * sizeof(Vector)), *force = calloc(m->nv, sizeof(Vector));
    Small *deg = calloc(m->nv, sizeof(Small));
    for (Index v = 0; v < m->nv; ++v)
        for (int d = 0; d < 3; ++d) pos[v][d] = (Real)((v * (d + 2)) % 17) / 4;

#pragma inlay maploop
    for (Index e = 0; e < m->ne; ++e) {
        const Index a = m->edges[e][0], b = m->edges[e][1];
        for (int d = 0; d < 3; ++d) {
            const Real f = pos[b][d] - pos[a][d];
            force[a][d] += f;
            force[b][d] -= f / 2;
        }
        deg[a]++;
        deg[b]++;
    }

    Real s[3] = {0, 0, 0};
    long degrees = 0;
    for (Index v = 0; v < m->nv; ++v) {
        for (int d = 0; d < 3; ++d) s[d] += force[v][d] * force[v][d];
        degrees += deg[v] * deg[v];
    }
    printf("%.10e %.10e %.10e %ld\n", s[0], s[1], s[2], degrees);
    free(pos); free(force); free(deg); free(m->edges); free(m);
    return 0;
}
