/*
 * What bench/irregular.c starts on two ranks: a sweep over the rows of a mesh, y(i) = sum of x over the neighbours of i, whose
 * ghosts are fetched before it, or while the rows run that need none; by Inlay, and by PETSc's PetscSF where that is there
 * (PETSC), in turns, so that both meet the same computer. Prints a line `NAME SECONDS` each, the least of the rounds.
 *
 *     mpirun -n 2 exchange NX NY NZ WIDTH
 */
#include <inlay/irregular.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef PETSC
#include <petscsf.h>
#endif

typedef struct sweep {
    MPI_Comm comm;
    int rank, width;
    inlay_table *table;
    inlay_halo *halo;
    inlay_halo_figures figures;
    int64_t *start, *column;
    int32_t *local, *order;
    int32_t inner;
    double *x, *y;
    inlay_field field; /* x */
    inlay_diag *diag;
#ifdef PETSC
    PetscSF sf;
    MPI_Datatype unit; /* `width` doubles */
#endif
} sweep;

static void must(const sweep *s, int status)
{
    if (status != INLAY_OK) {
        fprintf(stderr, "%s\n", inlay_diag_message(s->diag));
        MPI_Abort(s->comm, 1);
    }
}

static void *room(const sweep *s, size_t count, size_t bytes)
{
    void *made = calloc(count + 1, bytes);
    if (made == NULL) {
        MPI_Abort(s->comm, 3);
    }
    return made;
}

/* ---- The mesh, its partition, and the rows at their owners ---- */

static void make_rows(sweep *s, const int32_t n[3])
{
    inlay_mesh *mesh;
    inlay_table *block;
    inlay_csr *csr;
    must(s, inlay_mesh_generate(s->comm, INLAY_MESH_TETRAHEDRA, n[0], n[1], n[2], 0, &mesh, s->diag));
    inlay_graph *graph = mesh->graph;
    int ranks;
    MPI_Comm_size(s->comm, &ranks);
    int32_t *part = room(s, (size_t)graph->rows, sizeof *part);
    inlay_partition_options options = {.method = "ptscotch", .parts = ranks};
    must(s, inlay_table_block(s->comm, graph->vertices, &block, s->diag));
    must(s, inlay_partition(graph, &options, part, s->diag));
    must(s, inlay_table_of_parts(block, part, &s->table, s->diag));
    must(s, inlay_csr_remap(block, s->table, graph->start, graph->column, &csr, s->diag));
    s->start = csr->start;
    s->column = csr->column;
    csr->start = csr->column = NULL; /* kept */
    inlay_csr_free(csr);
    inlay_table_free(block);
    inlay_mesh_free(mesh);
    free(part);
}

static void make_halo(sweep *s)
{
    int32_t rows = inlay_table_local(s->table);
    int64_t count = s->start[rows];
    s->local = room(s, (size_t)count, sizeof *s->local);
    s->order = room(s, (size_t)rows, sizeof *s->order);
    must(s, inlay_halo_make(s->table, s->column, count, s->local, &s->halo, s->diag));
    s->figures = inlay_halo_figures_of(s->halo);
    s->inner = inlay_halo_inner(s->halo, s->local, s->start, 0, rows, s->order);
    size_t all = (size_t)(s->figures.own + s->figures.ghosts) * (size_t)s->width;
    s->x = room(s, all, sizeof *s->x);
    s->y = room(s, all, sizeof *s->y);
    s->field = (inlay_field){s->x, MPI_DOUBLE, s->width};
}

#ifdef PETSC
static void petsc(const sweep *s, PetscErrorCode code)
{
    if (code != 0) {
        fprintf(stderr, "PETSc failed\n");
        MPI_Abort(s->comm, 1);
    }
}

/* The same ghosts: leaf k is ghost k. */
static void make_star_forest(sweep *s)
{
    int32_t own = s->figures.own, ghosts = s->figures.ghosts;
    int64_t *global = room(s, (size_t)ghosts, sizeof *global);
    int32_t *owner = room(s, (size_t)ghosts, sizeof *owner), *offset = room(s, (size_t)ghosts, sizeof *offset);
    PetscSFNode *remote = room(s, (size_t)ghosts, sizeof *remote);
    for (int64_t k = 0; k < s->start[own]; k++) {
        if (s->local[k] >= own) {
            global[s->local[k] - own] = s->column[k];
        }
    }
    must(s, inlay_table_dereference(s->table, global, ghosts, owner, offset, s->diag));
    for (int32_t k = 0; k < ghosts; k++) {
        remote[k] = (PetscSFNode){.rank = owner[k], .index = offset[k]};
    }
    petsc(s, PetscSFCreate(s->comm, &s->sf));
    petsc(s, PetscSFSetFromOptions(s->sf));
    petsc(s, PetscSFSetGraph(s->sf, own, ghosts, NULL, PETSC_COPY_VALUES, remote, PETSC_COPY_VALUES));
    petsc(s, PetscSFSetUp(s->sf));
    MPI_Type_contiguous(s->width, MPI_DOUBLE, &s->unit);
    MPI_Type_commit(&s->unit);
    free(global);
    free(owner);
    free(offset);
    free(remote);
}
#endif

/* ---- Sweeps ---- */

static void rows(const sweep *s, int32_t from, int32_t to)
{
    for (int32_t n = from; n < to; n++) {
        int32_t i = s->order[n];
        for (int c = 0; c < s->width; c++) {
            double sum = 0;
            for (int64_t k = s->start[i]; k < s->start[i + 1]; k++) {
                sum += s->x[(int64_t)s->local[k] * s->width + c];
            }
            s->y[(int64_t)i * s->width + c] = sum;
        }
    }
}

static void begin(sweep *s)
{
    must(s, inlay_halo_gather_begin(s->halo, &s->field, 1, s->diag));
}

static void end(sweep *s)
{
    must(s, inlay_halo_gather_end(s->halo, s->diag));
}

#ifdef PETSC
static void begin_petsc(sweep *s)
{
    double *ghosts = s->x + (int64_t)s->figures.own * s->width;
    petsc(s, PetscSFBcastBegin(s->sf, s->unit, s->x, ghosts, MPI_REPLACE));
}

static void end_petsc(sweep *s)
{
    double *ghosts = s->x + (int64_t)s->figures.own * s->width;
    petsc(s, PetscSFBcastEnd(s->sf, s->unit, s->x, ghosts, MPI_REPLACE));
}
#endif

typedef enum form { ALONE, BEFORE, WHILE } form; /* no rows; the exchange before them; while the inner ones run */

typedef struct way {
    const char *name;
    form form;
    inlay_transport transport;
    void (*begin)(sweep *s), (*end)(sweep *s);
} way;

static const way ways[] = {
    {"rows", BEFORE, INLAY_TRANSPORT_MEASURED, NULL, NULL},
    {"requests", ALONE, INLAY_TRANSPORT_REQUESTS, begin, end},
    {"neighbourhood", ALONE, INLAY_TRANSPORT_NEIGHBOURHOOD, begin, end},
    {"before", BEFORE, INLAY_TRANSPORT_MEASURED, begin, end},
    {"while", WHILE, INLAY_TRANSPORT_MEASURED, begin, end},
#ifdef PETSC
    {"petsc-alone", ALONE, INLAY_TRANSPORT_MEASURED, begin_petsc, end_petsc},
    {"petsc-before", BEFORE, INLAY_TRANSPORT_MEASURED, begin_petsc, end_petsc},
    {"petsc-while", WHILE, INLAY_TRANSPORT_MEASURED, begin_petsc, end_petsc},
#endif
};

static void step(sweep *s, const way *w)
{
    int32_t before = w->form == WHILE ? s->inner : 0;
    if (w->begin != NULL) {
        w->begin(s);
        rows(s, 0, before);
        w->end(s);
    }
    if (w->form != ALONE) {
        rows(s, before, s->figures.own);
    }
}

/* Of the slowest rank, a step. */
static double time_steps(sweep *s, const way *w, int steps)
{
    must(s, inlay_halo_set_transport(s->halo, w->transport, s->diag));
    for (int i = 0; i < 5; i++) { /* and the transport is chosen */
        step(s, w);
    }
    MPI_Barrier(s->comm);
    double passed = MPI_Wtime();
    for (int i = 0; i < steps; i++) {
        step(s, w);
    }
    passed = MPI_Wtime() - passed;
    MPI_Allreduce(MPI_IN_PLACE, &passed, 1, MPI_DOUBLE, MPI_MAX, s->comm);
    return passed / steps;
}

static void measure(sweep *s)
{
    enum { WAYS = sizeof ways / sizeof *ways, ROUNDS = 15 };
    double least[WAYS] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        for (int w = 0; w < WAYS; w++) {
            double seconds = time_steps(s, &ways[w], ways[w].form == ALONE ? 100 : 10);
            least[w] = round == 0 || seconds < least[w] ? seconds : least[w];
        }
    }
    for (int w = 0; w < WAYS && s->rank == 0; w++) {
        printf("%s %.9f\n", ways[w].name, least[w]);
    }
}

int main(int count, char **argument)
{
    if (count != 5) {
        return 2;
    }
    MPI_Init(&count, &argument);
    sweep s = {.comm = MPI_COMM_WORLD, .width = (int)strtol(argument[4], NULL, 10), .diag = inlay_diag_new()};
    int32_t n[3];
    for (int i = 0; i < 3; i++) {
        n[i] = (int32_t)strtol(argument[1 + i], NULL, 10);
    }
    MPI_Comm_rank(s.comm, &s.rank);
    make_rows(&s, n);
    make_halo(&s);
#ifdef PETSC
    petsc(&s, PetscInitializeNoArguments());
    make_star_forest(&s);
#endif
    if (s.rank == 0) {
        printf("own %d ghosts %d inner %d\n", (int)s.figures.own, (int)s.figures.ghosts, (int)s.inner);
    }
    measure(&s);
#ifdef PETSC
    petsc(&s, PetscSFDestroy(&s.sf));
    MPI_Type_free(&s.unit);
    petsc(&s, PetscFinalize());
#endif
    void *arrays[] = {s.start, s.column, s.local, s.order, s.x, s.y};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        free(arrays[i]);
    }
    inlay_halo_free(s.halo);
    inlay_table_free(s.table);
    inlay_diag_free(s.diag);
    MPI_Finalize();
    return 0;
}
