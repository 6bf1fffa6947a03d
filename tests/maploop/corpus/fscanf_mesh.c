/* Reads a mesh that the test gives: vertices, edges, then a line for each edge. */
#include <stdio.h>
#include <stdlib.h>

typedef struct { int nv, ne; int *tail, *head; } mesh_t;

static int read_mesh(const char *path, mesh_t *m)
{
    FILE *in = fopen(path, "r");
    int e;
    if (in == NULL) {
        perror(path);
        return 0;
    }
    if (fscanf(in, "%d %d", &m->nv, &m->ne) != 2) {
        fprintf(stderr, "%s: no sizes\n", path);
        return 0;
    }
    m->tail = malloc(m->ne * sizeof(int));
    m->head = malloc(m->ne * sizeof(int));
    for (e = 0; e < m->ne; e++)
        if (fscanf(in, "%d %d", &m->tail[e], &m->head[e]) != 2) {
            fprintf(stderr, "%s: edge %d is missing\n", path, e);
            return 0;
        }
    fclose(in);
    return 1;
}

int main(int argc, char **argv)
{
    mesh_t m;
    if (argc < 2 || !read_mesh(argv[1], &m)) return 1;
    double *x = malloc(m.nv * sizeof(double)), *y = calloc(m.nv, sizeof(double));
    for (int v = 0; v < m.nv; v++) x[v] = 1.0 + v;
#pragma inlay maploop
    for (int e = 0; e < m.ne; e++) {
        y[m.tail[e]] += x[m.head[e]];
        y[m.head[e]] += x[m.tail[e]];
    }
    for (int v = 0; v < m.nv; v++) printf("%d %.10e\n", v, y[v]);
    free(m.tail); free(m.head); free(x); free(y);
    return 0;
}
