/*
 * Conjugate gradients with the diagonal as preconditioner: the sparse matrix-vector product of the paper's Figure 1, whose
 * rows hold the upper triangle of a symmetric matrix. The rows are given to ranks at run time.
 *
 *     mpicc -std=c17 -O2 cg.c program.c $(pkg-config --cflags --libs inlay-irregular) -lm -o cg
 *     mpirun -n 4 ./cg --triangles 200,200 --check
 *
 * The matrix is that of a mesh: -1 for an edge, the number of neighbours and a little more on the diagonal.
 */
#include "program.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The upper triangle: row j holds the columns beyond j. */
typedef struct matrix {
    int32_t rows;
    int64_t *ptr;     /* [rows + 1] */
    int64_t *cols;    /* global numbers */
    double *vals;     /* of entries */
    double *diags;    /* of rows */
    double *solution; /* of rows: the right side is made from it */
} matrix;

static void matrix_free(matrix *a)
{
    void *arrays[] = {a->ptr, a->cols, a->vals, a->diags, a->solution};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        free(arrays[i]);
    }
}

static matrix matrix_of(program *p, const inlay_graph *graph)
{
    int64_t room_for = graph->start[graph->rows];
    matrix a = {.rows = graph->rows,
                .ptr = room(p, (int64_t)graph->rows + 1, sizeof *a.ptr),
                .cols = room(p, room_for, sizeof *a.cols),
                .vals = room(p, room_for, sizeof *a.vals),
                .diags = room(p, graph->rows, sizeof *a.diags),
                .solution = room(p, graph->rows, sizeof *a.solution)};
    for (int64_t j = 0; j < a.rows; j++) {
        int64_t row = graph->first + j, next = a.ptr[j];
        for (int64_t k = graph->start[j]; k < graph->start[j + 1]; k++) {
            if (graph->column[k] > row) {
                a.cols[next] = graph->column[k];
                a.vals[next++] = -1;
            }
        }
        a.ptr[j + 1] = next;
        a.diags[j] = (double)(graph->start[j + 1] - graph->start[j]) + 0.1 + 0.1 * cos((double)row);
        a.solution[j] = sin((double)row);
    }
    return a;
}

/* ---- Conjugate gradients, whatever the product and the sum over ranks ---- */

typedef struct solver {
    program *p;
    MPI_Comm comm;
    int32_t own;
    const matrix *a;
    const int32_t *local; /* numbers of the columns in the arrays below */
    inlay_halo *halo;     /* NULL: the serial program */
    double *x, *r, *z, *d, *kd;
} solver;

/* Figure 1: kp = A p. */
static void product(const solver *s, double *p, double *kp)
{
    const matrix *a = s->a;
    if (s->halo != NULL) {
        must(s->p, inlay_halo_gather(s->halo, p, 1, s->p->diag));
    }
    for (int64_t j = 0; j < s->own; j++) {
        kp[j] += a->diags[j] * p[j];
        for (int64_t k = a->ptr[j]; k < a->ptr[j + 1]; k++) {
            kp[j] += p[s->local[k]] * a->vals[k];
            kp[s->local[k]] += p[j] * a->vals[k];
        }
    }
    if (s->halo != NULL) {
        must(s->p, inlay_halo_scatter_add(s->halo, kp, 1, s->p->diag));
    }
}

static double dot(const solver *s, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t j = 0; j < s->own; j++) {
        sum += a[j] * b[j];
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, s->comm);
    return sum;
}

static void solver_begin(solver *s, int32_t all)
{
    double **arrays[] = {&s->x, &s->r, &s->z, &s->d, &s->kd};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = room(s->p, all, sizeof(double));
    }
    for (int64_t j = 0; j < s->own; j++) {
        s->d[j] = s->a->solution[j];
    }
    product(s, s->d, s->r); /* r = b - A 0 */
    for (int64_t j = 0; j < s->own; j++) {
        s->d[j] = s->z[j] = s->r[j] / s->a->diags[j];
    }
}

static void solver_end(solver *s)
{
    double *arrays[] = {s->x, s->r, s->z, s->d, s->kd};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        free(arrays[i]);
    }
}

/* The residual's length after so many steps. */
static double solve(solver *s, int steps)
{
    double rz = dot(s, s->r, s->z);
    for (int n = 0; n < steps && rz > 0; n++) {
        for (int64_t j = 0; j < s->own; j++) {
            s->kd[j] = 0;
        }
        product(s, s->d, s->kd);
        double alpha = rz / dot(s, s->d, s->kd);
        for (int64_t j = 0; j < s->own; j++) {
            s->x[j] += alpha * s->d[j];
            s->r[j] -= alpha * s->kd[j];
            s->z[j] = s->r[j] / s->a->diags[j];
        }
        double next = dot(s, s->r, s->z), beta = next / rz;
        for (int64_t j = 0; j < s->own; j++) {
            s->d[j] = s->z[j] + beta * s->d[j];
        }
        rz = next;
    }
    return sqrt(dot(s, s->r, s->r));
}

/* ---- The mapping ---- */

/* Figure 3: the graph of the loop, of which S2 alone is needed, and the new owners of the rows. */
static inlay_table *map_rows(program *p, const inlay_table *block, const matrix *a, int64_t first)
{
    inlay_rdg *rdg;
    inlay_graph *graph;
    lap(p);
    must_here(p, inlay_rdg_new(inlay_table_elements(block), a->ptr[a->rows], &rdg, p->diag)); /* init_rdg_hash_table */
    for (int64_t j = 0; j < a->rows; j++) {                                                   /* eliminate_dup_edges */
        must_here(p, inlay_rdg_add(rdg, first + j, a->cols + a->ptr[j], (int32_t)(a->ptr[j + 1] - a->ptr[j]), p->diag));
    }
    must(p, inlay_rdg_generate(rdg, block, &graph, p->diag)); /* generate_rdg */
    inlay_rdg_free(rdg);
    p->seconds[GRAPH] = lap(p);
    inlay_table *table = partition(p, graph); /* RDG_partitioner */
    p->seconds[MAPPER] = lap(p);
    inlay_graph_free(graph);
    return table;
}

/* The rows at their new owners: vals move with schedule 1, diags with schedule 2. */
static matrix move(program *p, const inlay_table *block, const inlay_table *table, const matrix *a)
{
    inlay_csr *csr;
    must(p, inlay_csr_remap(block, table, a->ptr, a->cols, &csr, p->diag)); /* csr_remap */
    matrix moved = {.rows = csr->rows, .ptr = csr->start, .cols = csr->column};
    moved.vals = room(p, moved.ptr[moved.rows], sizeof *moved.vals);
    moved.diags = room(p, moved.rows, sizeof *moved.diags);
    moved.solution = room(p, moved.rows, sizeof *moved.solution);
    must(p, inlay_schedule_move(csr->entries, a->vals, moved.vals, sizeof *a->vals, p->diag));
    must(p, inlay_schedule_move(csr->conformal, a->diags, moved.diags, sizeof *a->diags, p->diag));
    must(p, inlay_schedule_move(csr->conformal, a->solution, moved.solution, sizeof *a->solution, p->diag));
    csr->start = csr->column = NULL; /* kept */
    inlay_csr_free(csr);
    return moved;
}

/* ---- Both ---- */

static double *serial_run(program *p)
{
    inlay_mesh *mesh;
    serial_mesh(p, &mesh);
    matrix a = matrix_of(p, mesh->graph);
    int32_t *local = room(p, a.ptr[a.rows], sizeof *local);
    for (int64_t k = 0; k < a.ptr[a.rows]; k++) {
        local[k] = (int32_t)a.cols[k];
    }
    solver s = {.p = p, .comm = MPI_COMM_SELF, .own = a.rows, .a = &a, .local = local};
    solver_begin(&s, a.rows);
    solve(&s, p->steps);
    double *x = s.x;
    s.x = NULL;
    solver_end(&s);
    free(local);
    matrix_free(&a);
    inlay_mesh_free(mesh);
    return x;
}

int main(int count, char **arguments)
{
    program p;
    inlay_table *block;
    inlay_halo *halo;
    program_begin(&p, count, arguments, "cg", 20);
    matrix given = matrix_of(&p, p.mesh->graph);
    must(&p, inlay_table_block(p.comm, p.mesh->graph->vertices, &block, p.diag));
    inlay_table *table = map_rows(&p, block, &given, p.mesh->graph->first);
    matrix a = move(&p, block, table, &given);
    int32_t *local = room(&p, a.ptr[a.rows], sizeof *local);
    p.seconds[REMAP] = lap(&p);
    must(&p, inlay_halo_make(table, a.cols, a.ptr[a.rows], local, &halo, p.diag)); /* localize */
    p.seconds[LOCALIZE] = lap(&p);
    inlay_halo_figures figures = inlay_halo_figures_of(halo);
    solver s = {.p = &p, .comm = p.comm, .own = a.rows, .a = &a, .local = local, .halo = halo};
    solver_begin(&s, figures.own + figures.ghosts);
    lap(&p);
    double residual = solve(&s, p.steps);
    p.seconds[COMPUTATION] = lap(&p) / p.steps;
    count_ghosts(&p, halo);
    if (p.rank == 0 && !p.csv) {
        printf("cg: residual %.3e after %d steps\n", residual, p.steps);
    }
    if (p.compare) {
        double *serial = p.rank == 0 ? serial_run(&p) : NULL;
        compare(&p, "cg", table, s.x, serial, 1);
        free(serial);
    }
    solver_end(&s);
    matrix_free(&a);
    matrix_free(&given);
    free(local);
    inlay_halo_free(halo);
    inlay_table_free(table);
    inlay_table_free(block);
    return program_end(&p, "cg");
}
