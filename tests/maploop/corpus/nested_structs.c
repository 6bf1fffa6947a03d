/* mesh->elem[e].node[k].id: structs in structs in arrays. */
#include <stdio.h>
#include <stdlib.h>

struct node_ref { int id; double weight; };
struct elem { int n; struct node_ref node[6]; struct { double area, load; } data; };
struct mesh {
    size_t elems, nodes;
    struct elem *elem;
    struct { double *x; double *sum; } field;
};

static struct mesh *mesh_new(size_t nodes)
{
    struct mesh *m = malloc(sizeof *m);
    m->nodes = nodes;
    m->elems = 2 * nodes;
    m->elem = malloc(m->elems * sizeof *m->elem);
    m->field.x = malloc(nodes * sizeof(double));
    m->field.sum = calloc(nodes, sizeof(double));
    for (size_t e = 0; e < m->elems; e++) {
        m->elem[e].n = 3 + (int)(e % 4);
        m->elem[e].data.area = 1.0 + (double)(e % 8) / 8;
        m->elem[e].data.load = 0;
        for (int k = 0; k < 6; k++) {
            m->elem[e].node[k].id = (int)((e + (size_t)(k * k * 5)) % nodes);
            m->elem[e].node[k].weight = 1.0 / (k + 1);
        }
    }
    for (size_t i = 0; i < nodes; i++) m->field.x[i] = (double)(i % 19);
    return m;
}

int main(void)
{
    struct mesh *mesh = mesh_new(120);
#pragma inlay maploop
    for (size_t e = 0; e < mesh->elems; e++) {
        struct elem *el = &mesh->elem[e];
        for (int k = 0; k < el->n; k++) el->data.load += el->node[k].weight * mesh->field.x[el->node[k].id];
        for (int k = 0; k < mesh->elem[e].n; k++)
            mesh->field.sum[mesh->elem[e].node[k].id] += mesh->elem[e].data.area;
    }
    double a = 0, b = 0;
    for (size_t e = 0; e < mesh->elems; e++) a += mesh->elem[e].data.load;
    for (size_t i = 0; i < mesh->nodes; i++) b += mesh->field.sum[i] * (double)i;
    printf("%.10e %.10e\n", a, b);
    free(mesh->field.x); free(mesh->field.sum); free(mesh->elem); free(mesh);
    return 0;
}
