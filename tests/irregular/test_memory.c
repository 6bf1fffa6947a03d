/*
 * Each step of an irregular program where one rank is refused one allocation, or all from one on: every rank gets the same
 * status, out of memory or done, none waits for another, and what was had is freed. Without refusals nothing fails.
 */
#include "harness.h"
#include "starved.h"
#include <inlay/irregular.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PARTS = 5, TIMES = 16 /* refusals of a kind on a rank, spread over its allocations */ };

/* What a step works on, made without refusals. */
typedef struct subject {
    inlay_mesh *mesh;
    inlay_table *blocks, *owners; /* of the mesh, and anywhere */
    int64_t *ends, first;         /* edges of this rank */
    int32_t edges;
    int32_t *owner; /* the rank that shall have each vertex of this one */
    const char *method, *path;
} subject;

typedef int step(const subject *s, inlay_diag *diag);

/* ---- Steps ---- */

static int read_mesh(const subject *s, inlay_diag *diag)
{
    inlay_mesh *mesh = NULL;
    int status = inlay_mesh_read(s->mesh->graph->comm, s->path, NULL, &mesh, diag);
    inlay_mesh_free(mesh);
    return status;
}

static int generate(const subject *s, inlay_diag *diag)
{
    inlay_mesh *mesh = NULL;
    int status = inlay_mesh_generate(s->mesh->graph->comm, INLAY_MESH_TETRAHEDRA, 4, 3, 5, 7, &mesh, diag);
    inlay_mesh_free(mesh);
    return status;
}

static int list_edges(const subject *s, inlay_diag *diag)
{
    int64_t *ends = NULL, first;
    int32_t edges;
    int status = inlay_mesh_edges(s->mesh, &ends, &edges, &first, diag);
    free(ends);
    return status;
}

/* Local steps are agreed upon by the program. */
static int agree(const subject *s, int status)
{
    MPI_Allreduce(MPI_IN_PLACE, &status, 1, MPI_INT, MPI_MIN, s->mesh->graph->comm);
    return status;
}

static int make_graph(const subject *s, inlay_diag *diag)
{
    inlay_rdg *rdg = NULL;
    inlay_graph *graph = NULL;
    int status = inlay_rdg_new(inlay_table_elements(s->owners), 1, &rdg, diag);
    for (int32_t e = 0; e < s->edges && status == INLAY_OK; e++) {
        status = inlay_rdg_add(rdg, s->ends[2 * e], &s->ends[2 * e + 1], 1, diag);
    }
    status = agree(s, status);
    status = status == INLAY_OK ? inlay_rdg_generate(rdg, s->owners, &graph, diag) : status;
    status = status == INLAY_OK ? inlay_graph_check(graph, diag) : status;
    inlay_graph_free(graph);
    inlay_rdg_free(rdg);
    return status;
}

static int divide(const subject *s, inlay_diag *diag)
{
    const inlay_graph *graph = s->mesh->graph;
    const inlay_partition_options wanted = {.method = s->method,
                                            .parts = PARTS,
                                            .imbalance = 0.3,
                                            .empty = true,
                                            .dimensions = s->mesh->dimensions,
                                            .coordinate = s->mesh->coordinate};
    return inlay_partition(graph, &wanted, s->owner, diag);
}

static int judge(const subject *s, inlay_diag *diag)
{
    inlay_partition_figures figures;
    inlay_quotient *quotient = NULL;
    int status = inlay_partition_evaluate(s->mesh->graph, s->owner, PARTS, &figures, diag);
    status = status == INLAY_OK ? inlay_quotient_make(s->mesh->graph, s->owner, PARTS, &quotient, diag) : status;
    inlay_quotient_free(quotient);
    return status;
}

static int make_tables(const subject *s, inlay_diag *diag)
{
    inlay_table *blocks = NULL, *owners = NULL;
    int status = inlay_table_block(s->mesh->graph->comm, inlay_table_elements(s->blocks), &blocks, diag);
    status = status == INLAY_OK ? inlay_table_of_parts(blocks, s->owner, &owners, diag) : status;
    inlay_table_free(owners);
    inlay_table_free(blocks);
    return status;
}

static int move_rows(const subject *s, inlay_diag *diag)
{
    inlay_csr *csr = NULL;
    const inlay_graph *graph = s->mesh->graph;
    int status = inlay_csr_remap(s->blocks, s->owners, graph->start, graph->column, &csr, diag);
    inlay_csr_free(csr);
    return status;
}

static int place_edges(const subject *s, inlay_diag *diag)
{
    inlay_rig rig = {.iterations = s->edges, .first = s->first, .touched = 2, .element = s->ends};
    inlay_ripa *ripa = NULL;
    inlay_iterations *iterations = NULL;
    int status = inlay_ripa_make(s->owners, &rig, &ripa, diag);
    status = status == INLAY_OK
                 ? inlay_iterations_make(s->owners, &rig, ripa, INLAY_ITERATION_BALANCED, 0.01, &iterations, diag)
                 : status;
    inlay_iterations_free(iterations);
    inlay_ripa_free(ripa);
    return status;
}

static int exchange_values(const subject *s, double *value, int32_t *local, inlay_diag *diag)
{
    inlay_halo *halo = NULL;
    int status = inlay_halo_make(s->owners, s->ends, 2 * (int64_t)s->edges, local, &halo, diag);
    status = status == INLAY_OK ? inlay_halo_gather(halo, value, 1, diag) : status;
    status = status == INLAY_OK ? inlay_halo_scatter_add(halo, value, 2, diag) : status;
    inlay_halo_free(halo);
    return status;
}

static int exchange_all(const subject *s, inlay_diag *diag)
{
    inlay_schedule *schedule = NULL;
    size_t elements = (size_t)inlay_table_elements(s->blocks);
    double *value = calloc(2 * elements + 1, sizeof *value), *moved = calloc(elements + 1, sizeof *moved);
    int32_t *local = calloc(2 * (size_t)s->edges + 1, sizeof *local);
    int status = agree(s, value != NULL && moved != NULL && local != NULL ? INLAY_OK : INLAY_NO_MEMORY);
    status = status == INLAY_OK ? inlay_remap(s->blocks, s->owners, &schedule, diag) : status;
    status = status == INLAY_OK ? inlay_schedule_move(schedule, value, moved, sizeof *value, diag) : status;
    status = status == INLAY_OK ? exchange_values(s, value, local, diag) : status;
    inlay_schedule_free(schedule);
    free(local);
    free(moved);
    free(value);
    return status;
}

/* ---- Refusals ---- */

/* Runs a step of which `rank` is refused allocations, and counts what fails. False where not all ranks had the same status,
 * or some other, and where something is not freed. */
static bool refuse(harness *h, const subject *s, step *run, int rank, long first, bool rest, int *failures)
{
    int statuses[2], mine[2];
    inlay_diag_clear(h->diag);
    long before = starved_live();
    starved_begin(h->rank == rank ? first : -1, rest);
    int status = run(s, h->diag);
    starved_end();
    mine[0] = status;
    mine[1] = -status;
    MPI_Allreduce(mine, statuses, 2, MPI_INT, MPI_MAX, h->comm);
    bool same = statuses[0] == -statuses[1], known = status == INLAY_OK || status == INLAY_NO_MEMORY;
    *failures += status == INLAY_NO_MEMORY;
    inlay_diag_clear(h->diag);
    return check(h, same) && check(h, known) && check(h, starved_live() == before);
}

static void starve(harness *h, const subject *s, step *run, const char *name)
{
    long most = 0;
    harness_case(h, "%s", name);
    inlay_diag_clear(h->diag);
    (void)run(s, h->diag); /* MPI and the diagnostics keep some */
    starved_begin(-1, false);
    if (!check_ok(h, run(s, h->diag))) {
        return;
    }
    long count = starved_end();
    MPI_Allreduce(&count, &most, 1, MPI_LONG, MPI_MAX, h->comm);
    check(h, most > 0);
    long stride = (most + TIMES - 1) / TIMES;
    int failures = 0;
    bool good = true;
    for (int rank = 0; rank<h->ranks; rank += h->ranks> 3 ? h->ranks - 1 : 1) {
        for (long first = 0; first < most && good; first += stride) {
            good = refuse(h, s, run, rank, first, false, &failures) && refuse(h, s, run, rank, first, true, &failures);
            MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_C_BOOL, MPI_LAND, h->comm);
        }
    }
    check(h, failures > 0);
}

/* ---- What they work on ---- */

static bool prepare(harness *h, subject *s)
{
    *s = (subject){0};
    if (!check_ok(h, inlay_mesh_generate(h->comm, INLAY_MESH_TRIANGLES, 12, 9, 1, 3, &s->mesh, h->diag)) ||
        !check_ok(h, inlay_mesh_edges(s->mesh, &s->ends, &s->edges, &s->first, h->diag)) ||
        !check_ok(h, inlay_table_block(h->comm, s->mesh->graph->vertices, &s->blocks, h->diag))) {
        return false;
    }
    s->owner = calloc((size_t)s->mesh->graph->rows + 1, sizeof *s->owner);
    for (int32_t i = 0; i < s->mesh->graph->rows; i++) {
        s->owner[i] = (int32_t)((s->mesh->graph->first + i) * 7 % 5 % h->ranks);
    }
    return check_ok(h, inlay_table_of_parts(s->blocks, s->owner, &s->owners, h->diag));
}

static void clear(subject *s)
{
    inlay_table_free(s->owners);
    inlay_table_free(s->blocks);
    inlay_mesh_free(s->mesh);
    free(s->owner);
    free(s->ends);
}

static const struct sample {
    const char *ending, *text;
} files[] = {
    {".graph", "4 3 11\n1 2 5\n2 1 5 3 6\n3 2 6 4 7\n4 3 7\n"},
    {".mesh", "2\n1 2 3\n2 3 4\n"},
    {".grf", "0\n3 4\n0 111\n70 1 1 2 90\n80 1 1 3 90\n90 1 2 2 70 3 80\n"},
    {".mtx", "%%MatrixMarket matrix coordinate real symmetric\n4 4 5\n2 1 1\n1 2 1\n3 2 1\n4 4 1\n4 1 2\n"},
    {".txt", "0 1\n1 2\n1 2\n2 2\n3 0\n"},
};

static void starve_files(harness *h, subject *s)
{
    long process = getpid();
    const char *folder = getenv("TMPDIR");
    MPI_Bcast(&process, 1, MPI_LONG, 0, h->comm);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[256], name[32];
        snprintf(path, sizeof path, "%.200s/inlay-%ld%s", folder != NULL ? folder : "/tmp", process, files[i].ending);
        if (h->rank == 0) {
            FILE *file = fopen(path, "w");
            check(h, file != NULL && fputs(files[i].text, file) >= 0 && fclose(file) == 0);
        }
        MPI_Barrier(h->comm);
        s->path = path;
        snprintf(name, sizeof name, "file %s", files[i].ending);
        starve(h, s, read_mesh, name);
        MPI_Barrier(h->comm);
        if (h->rank == 0) {
            check(h, remove(path) == 0);
        }
    }
}

static void starve_methods(harness *h, subject *s)
{
    const inlay_partitioner *method;
    for (size_t i = 0; (method = inlay_partitioner_at(i)) != NULL; i++) {
        char name[64];
        s->method = method->name;
        snprintf(name, sizeof name, "partition by %s", method->name);
        if (!method->one_rank || (h->ranks == 1 && divide(s, h->diag) == INLAY_OK)) {
            starve(h, s, divide, name);
        }
    }
}

void suite_memory(harness *h);

void suite_memory(harness *h)
{
    static const struct named {
        const char *name;
        step *run;
    } steps[] = {
        {"generate", generate},      {"edges", list_edges},       {"graph", make_graph},
        {"evaluate", judge},         {"tables", make_tables},     {"rows to other ranks", move_rows},
        {"iterations", place_edges}, {"exchanges", exchange_all},
    };
    subject s;
    if (h->ranks > 3) { /* more would tell no more */
        return;
    }
    harness_case(h, "without refusals");
    if (prepare(h, &s)) {
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            starve(h, &s, steps[i].run, steps[i].name);
        }
        starve_files(h, &s);
        starve_methods(h, &s);
    }
    clear(&s);
}
