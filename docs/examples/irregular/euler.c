/*
 * An unstructured Euler-like flow: the sweep over edges of the paper's Figure 2, in five-stage Runge-Kutta steps. The
 * vertices and the edges are given to ranks at run time.
 *
 *     mpicc -std=c17 -O2 euler.c program.c $(pkg-config --cflags --libs inlay-irregular) -lm -o euler
 *     mpirun -n 4 ./euler --tetrahedra 40,40,40 --check
 */
#include "flux.h"
#include "program.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Vertices have places in space; where the mesh file has none, made-up ones that depend on the number alone. */
static double *places(program *p, const inlay_mesh *mesh)
{
    double *place = room(p, 3 * (int64_t)mesh->graph->rows, sizeof *place);
    for (int64_t v = 0; v < mesh->graph->rows; v++) {
        for (int i = 0; i < 3; i++) {
            place[3 * v + i] = i < mesh->dimensions   ? mesh->coordinate[mesh->dimensions * v + i]
                               : mesh->dimensions > 0 ? 0
                                                      : 0.5 + 0.5 * sin((double)(mesh->graph->first + v) * (i + 1) + i);
        }
    }
    return place;
}

/* ---- Serial: what the program is without the library ---- */

static void direction(const double *from, const double *to, double *n)
{
    for (int i = 0; i < 3; i++) {
        n[i] = to[i] - from[i];
    }
}

/* One step of edges end[2 i], end[2 i + 1] between `count` vertices. */
static void serial_step(int64_t count, int64_t edges, const int64_t *end, const double *normal, const double *around,
                        double *q, double *q0, double *y)
{
    memcpy(q0, q, (size_t)count * FLOW * sizeof *q);
    for (int s = 0; s < STAGES; s++) {
        for (int64_t e = 0; e < edges; e++) {
            int64_t n1 = end[2 * e], n2 = end[2 * e + 1];
            flux_edge(q + FLOW * n1, q + FLOW * n2, normal + 3 * e, y + FLOW * n1, y + FLOW * n2);
        }
        for (int64_t v = 0; v < count; v++) {
            flux_update(q + FLOW * v, q0 + FLOW * v, y + FLOW * v, around[v], stage[s]);
        }
    }
}

/* Directions of edges, and the sum of their lengths around each vertex. */
static void measure_edges(int64_t edges, const int64_t *end, const double *place, double *normal, double *around)
{
    for (int64_t e = 0; e < edges; e++) {
        double *n = normal + 3 * e;
        direction(place + 3 * end[2 * e], place + 3 * end[2 * e + 1], n);
        double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        around[end[2 * e]] += 2 * length;
        around[end[2 * e + 1]] += 2 * length;
    }
}

/* ---- Distributed ---- */

typedef struct flow {
    inlay_table *table;
    inlay_halo *halo;
    int32_t own, all; /* vertices: of this rank, and with its ghosts */
    int32_t edges;
    int32_t *end; /* local numbers of the ends of this rank's edges */
    double *place, *normal, *around, *q, *q0, *y;
} flow;

/* The runtime data graph of the loop, and the new owners that the partitioner makes of it. */
static void map_data(program *p, const inlay_table *block, const int64_t *nde, int32_t edges, inlay_table **table)
{
    inlay_rdg *rdg;
    inlay_graph *graph;
    lap(p);
    must_here(p, inlay_rdg_new(inlay_table_elements(block), edges, &rdg, p->diag)); /* init_rdg_hash_table */
    for (int64_t e = 0; e < edges; e++) {                                           /* eliminate_dup_edges */
        must_here(p, inlay_rdg_add(rdg, nde[2 * e], &nde[2 * e + 1], 1, p->diag));
    }
    must(p, inlay_rdg_generate(rdg, block, &graph, p->diag)); /* generate_rdg */
    inlay_rdg_free(rdg);
    p->seconds[GRAPH] = lap(p);
    *table = partition(p, graph); /* RDG_partitioner */
    p->seconds[MAPPER] = lap(p);
    inlay_graph_free(graph);
}

static int by_ends(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;
    int32_t left = x[0] < x[1] ? x[0] : x[1], right = y[0] < y[1] ? y[0] : y[1];
    return left != right ? (left > right) - (left < right) : x[0] + x[1] - y[0] - y[1];
}

/* The edges that this rank shall sweep, and local numbers of their ends. */
static void map_iterations(program *p, const int64_t *nde, int32_t edges, int64_t first, flow *f)
{
    inlay_rig rig = {.iterations = edges, .first = first, .touched = 2, .element = nde};
    inlay_ripa *ripa;
    inlay_iterations *mine;
    lap(p);
    must(p, inlay_ripa_make(f->table, &rig, &ripa, p->diag));                            /* deref_rig */
    must(p, inlay_iterations_make(f->table, &rig, ripa, p->rule, 0.05, &mine, p->diag)); /* iteration_partitioner */
    p->seconds[ITERATIONS] = lap(p);
    f->edges = mine->count;
    f->end = room(p, 2 * (int64_t)f->edges, sizeof *f->end);
    must(p, inlay_halo_make(f->table, mine->element, 2 * (int64_t)f->edges, f->end, &f->halo, p->diag)); /* localize */
    if (p->numbers != NULL) { /* edges go in the order of their vertices */
        qsort(f->end, (size_t)f->edges, 2 * sizeof *f->end, by_ends);
    }
    p->seconds[LOCALIZE] = lap(p);
    inlay_iterations_free(mine);
    inlay_ripa_free(ripa);
}

static void gather(program *p, flow *f, double *value, int width)
{
    must(p, inlay_halo_gather(f->halo, value, width, p->diag));
}

static void scatter_add(program *p, flow *f, double *value, int width)
{
    must(p, inlay_halo_scatter_add(f->halo, value, width, p->diag));
}

/* The arrays come to the new owners, with room for ghosts. */
static void map_arrays(program *p, const inlay_table *block, flow *f)
{
    inlay_halo_figures figures = inlay_halo_figures_of(f->halo);
    inlay_schedule *schedule;
    f->own = figures.own;
    f->all = figures.own + figures.ghosts;
    double **arrays[] = {&f->q, &f->q0, &f->y};
    for (int i = 0; i < 3; i++) {
        *arrays[i] = room(p, (int64_t)FLOW * f->all, sizeof(double));
    }
    f->place = room(p, 3 * (int64_t)f->all, sizeof(double));
    f->around = room(p, f->all, sizeof(double));
    f->normal = room(p, 3 * (int64_t)f->edges, sizeof(double));
    double *place = places(p, p->mesh);
    lap(p);
    must(p, inlay_remap(block, f->table, &schedule, p->diag)); /* remap */
    must(p, inlay_schedule_move(schedule, place, f->place, 3 * sizeof *place, p->diag));
    p->seconds[REMAP] = lap(p);
    inlay_schedule_free(schedule);
    free(place);
    for (int64_t v = 0; v < f->own; v++) {
        flux_start(f->place + 3 * v, f->q + FLOW * v);
    }
    gather(p, f, f->place, 3);
    for (int64_t e = 0; e < f->edges; e++) {
        int64_t n1 = f->end[2 * e], n2 = f->end[2 * e + 1];
        double *n = f->normal + 3 * e;
        direction(f->place + 3 * n1, f->place + 3 * n2, n);
        double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        f->around[n1] += 2 * length;
        f->around[n2] += 2 * length;
    }
    scatter_add(p, f, f->around, 1);
}

static void sweep(flow *f)
{
    for (int64_t e = 0; e < f->edges; e++) {
        int64_t n1 = f->end[2 * e], n2 = f->end[2 * e + 1];
        flux_edge(f->q + FLOW * n1, f->q + FLOW * n2, f->normal + 3 * e, f->y + FLOW * n1, f->y + FLOW * n2);
    }
}

static void step(program *p, flow *f)
{
    memcpy(f->q0, f->q, (size_t)f->own * FLOW * sizeof *f->q);
    for (int s = 0; s < STAGES; s++) {
        gather(p, f, f->q, FLOW);
        sweep(f);
        scatter_add(p, f, f->y, FLOW);
        for (int64_t v = 0; v < f->own; v++) {
            flux_update(f->q + FLOW * v, f->q0 + FLOW * v, f->y + FLOW * v, f->around[v], stage[s]);
        }
    }
}

static void flow_free(flow *f)
{
    void *arrays[] = {f->end, f->place, f->normal, f->around, f->q, f->q0, f->y};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        free(arrays[i]);
    }
    inlay_halo_free(f->halo);
    inlay_table_free(f->table);
}

/* ---- Both ---- */

/* What the flow is after all steps of the serial program, on rank 0. */
static double *serial_run(program *p)
{
    inlay_mesh *mesh;
    int64_t *nde, first;
    int32_t edges;
    serial_mesh(p, &mesh);
    must(p, inlay_mesh_edges(mesh, &nde, &edges, &first, p->diag));
    int64_t n = mesh->graph->vertices;
    double *place = places(p, mesh), *normal = room(p, 3 * (int64_t)edges, sizeof *normal);
    double *around = room(p, n, sizeof *around), *y = room(p, FLOW * n, sizeof *y);
    double *q = room(p, FLOW * n, sizeof *q), *q0 = room(p, FLOW * n, sizeof *q0);
    measure_edges(edges, nde, place, normal, around);
    for (int64_t v = 0; v < n; v++) {
        flux_start(place + 3 * v, q + FLOW * v);
    }
    for (int s = 0; s < p->steps; s++) {
        serial_step(n, edges, nde, normal, around, q, q0, y);
    }
    void *arrays[] = {place, normal, around, y, q0, nde};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        free(arrays[i]);
    }
    inlay_mesh_free(mesh);
    return q;
}

int main(int count, char **arguments)
{
    program p;
    flow f = {0};
    inlay_table *block;
    int64_t *nde, first;
    int32_t edges;
    program_begin(&p, count, arguments, "euler", 10);
    must(&p, inlay_table_block(p.comm, p.mesh->graph->vertices, &block, p.diag));
    must(&p, inlay_mesh_edges(p.mesh, &nde, &edges, &first, p.diag));
    map_data(&p, block, nde, edges, &f.table);
    map_iterations(&p, nde, edges, first, &f);
    map_arrays(&p, block, &f);
    free(nde);
    lap(&p);
    for (int s = 0; s < p.steps; s++) {
        step(&p, &f);
    }
    p.seconds[COMPUTATION] = lap(&p) / p.steps;
    count_ghosts(&p, f.halo);
    if (p.compare) {
        double *serial = p.rank == 0 ? serial_run(&p) : NULL;
        compare(&p, "euler", f.table, f.q, serial, FLOW);
        free(serial);
    }
    flow_free(&f);
    inlay_table_free(block);
    return program_end(&p, "euler");
}
