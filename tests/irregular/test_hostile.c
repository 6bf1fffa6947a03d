/*
 * Input that cannot be, given by one rank alone: all ranks must come back with the same status and the message of that
 * rank, outputs untouched, and must still be in step, which the same call with good input shows.
 */
#include "harness.h"
#include <inlay/irregular.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 24, OWN = ELEMENTS + 1, TEXT = 300 };

/* What calls are made of: a ring of ELEMENTS vertices in block distribution. */
typedef struct ring {
    harness *h;
    bool bad; /* on this rank, in this round */
    inlay_table *table;
    int32_t own;
    int64_t first;
    inlay_graph graph;
    int64_t start[OWN + 1], column[2 * OWN], load[OWN], weight[2 * OWN];
    int32_t part[OWN];
} ring;

static void fill_ring(ring *r)
{
    int64_t next = 0;
    for (int32_t i = 0; i < r->own; i++) {
        int64_t g = r->first + i, before = (g + ELEMENTS - 1) % ELEMENTS, after = (g + 1) % ELEMENTS;
        r->start[i] = next;
        r->column[next++] = before < after ? before : after;
        r->column[next++] = before < after ? after : before;
        r->load[i] = 1;
        r->weight[2 * i] = r->weight[2 * i + 1] = 1;
        r->part[i] = inlay_block_owner(ELEMENTS, r->h->ranks, g);
    }
    r->start[r->own] = next;
}

static bool make_ring(harness *h, ring *r)
{
    *r = (ring){.h = h};
    if (!check_ok(h, inlay_table_block(h->comm, ELEMENTS, &r->table, h->diag))) {
        return false;
    }
    r->own = inlay_table_local(r->table);
    r->first = inlay_block_first(ELEMENTS, h->ranks, h->rank);
    r->graph = (inlay_graph){.comm = h->comm,
                             .vertices = ELEMENTS,
                             .arcs = 2 * (int64_t)ELEMENTS,
                             .rows = r->own,
                             .first = r->first,
                             .start = r->start,
                             .column = r->column,
                             .weight = r->weight,
                             .load = r->load};
    fill_ring(r);
    return true;
}

/* ---- Calls: with good input where r->bad is false ---- */

static int table_out_of_range(ring *r, inlay_diag *diag)
{
    int64_t owned[OWN];
    inlay_table *table = NULL;
    inlay_table_globals(r->table, owned);
    owned[0] = r->bad ? ELEMENTS : owned[0];
    int status = inlay_table_owned(r->h->comm, ELEMENTS, owned, r->own, &table, diag);
    check(r->h, (table != NULL) == (status == INLAY_OK));
    inlay_table_free(table);
    return status;
}

static int table_without_owner(ring *r, inlay_diag *diag)
{
    int64_t owned[OWN];
    inlay_table *table = NULL;
    inlay_table_globals(r->table, owned);
    int status = inlay_table_owned(r->h->comm, ELEMENTS, owned, r->bad ? r->own - 1 : r->own, &table, diag);
    check(r->h, (table != NULL) == (status == INLAY_OK));
    inlay_table_free(table);
    return status;
}

static int parts_without_rank(ring *r, inlay_diag *diag)
{
    inlay_table *table = NULL;
    r->part[r->own - 1] = r->bad ? r->h->ranks : 0;
    int status = inlay_table_of_parts(r->table, r->part, &table, diag);
    check(r->h, (table != NULL) == (status == INLAY_OK));
    inlay_table_free(table);
    return status;
}

static int dereference_out_of_range(ring *r, inlay_diag *diag)
{
    int64_t g[2] = {0, r->bad ? -1 : ELEMENTS - 1};
    int32_t owner[2] = {-7, -7}, offset[2] = {-7, -7};
    int status = inlay_table_dereference(r->table, g, 2, owner, offset, diag);
    check(r->h, status == INLAY_OK || (owner[0] == -7 && offset[0] == -7));
    return status;
}

static int ripa_out_of_range(ring *r, inlay_diag *diag)
{
    int64_t element[2] = {0, r->bad ? ELEMENTS : 1};
    inlay_rig rig = {.iterations = 1, .first = r->h->rank, .touched = 2, .element = element};
    inlay_ripa *ripa = NULL;
    int status = inlay_ripa_make(r->table, &rig, &ripa, diag);
    check(r->h, (ripa != NULL) == (status == INLAY_OK));
    inlay_ripa_free(ripa);
    return status;
}

static int ripa_descending(ring *r, inlay_diag *diag)
{
    int64_t element[2] = {0, 1}, start[3] = {0, r->bad ? 3 : 1, 2};
    inlay_rig rig = {.iterations = 2, .first = 2 * (int64_t)r->h->rank, .start = start, .element = element};
    inlay_ripa *ripa = NULL;
    int status = inlay_ripa_make(r->table, &rig, &ripa, diag);
    check(r->h, (ripa != NULL) == (status == INLAY_OK));
    inlay_ripa_free(ripa);
    return status;
}

static int iterations_imbalance(ring *r, inlay_diag *diag)
{
    int64_t element[2] = {0, 1};
    inlay_rig rig = {.iterations = 1, .first = r->h->rank, .touched = 2, .element = element};
    inlay_ripa *ripa = NULL;
    inlay_iterations *mine = NULL;
    check_ok(r->h, inlay_ripa_make(r->table, &rig, &ripa, r->h->diag));
    int status =
        inlay_iterations_make(r->table, &rig, ripa, INLAY_ITERATION_BALANCED, r->bad ? (double)NAN : 0.1, &mine, diag);
    check(r->h, (mine != NULL) == (status == INLAY_OK));
    inlay_iterations_free(mine);
    inlay_ripa_free(ripa);
    return status;
}

static int items_without_rank(ring *r, inlay_diag *diag)
{
    int64_t number = r->h->rank;
    int32_t owner = r->bad ? -1 : 0, received = -7;
    inlay_schedule *schedule = NULL;
    int status = inlay_remap_items(r->h->comm, &number, &owner, 1, &schedule, &received, diag);
    check(r->h, (schedule != NULL) == (status == INLAY_OK) && (received == -7) == (status != INLAY_OK));
    inlay_schedule_free(schedule);
    return status;
}

static int csr_descending(ring *r, inlay_diag *diag)
{
    inlay_csr *csr = NULL;
    r->start[1] = r->bad ? -1 : r->start[1];
    int status = inlay_csr_remap(r->table, r->table, r->start, r->column, &csr, diag);
    check(r->h, (csr != NULL) == (status == INLAY_OK));
    inlay_csr_free(csr);
    return status;
}

static int halo_out_of_range(ring *r, inlay_diag *diag)
{
    int64_t g[2] = {0, r->bad ? INT64_MAX : 1};
    int32_t local[2] = {-7, -7};
    inlay_halo *halo = NULL;
    int status = inlay_halo_make(r->table, g, 2, local, &halo, diag);
    check(r->h, (halo != NULL) == (status == INLAY_OK) && (local[0] == -7) == (status != INLAY_OK));
    if (halo != NULL) {
        inlay_halo_free(halo);
    }
    return status;
}

/* ---- Graphs ---- */

static int graph_column(ring *r, inlay_diag *diag)
{
    r->column[1] = r->bad ? ELEMENTS : r->column[1];
    return inlay_graph_check(&r->graph, diag);
}

static void break_symmetry(ring *r)
{
    if (r->bad) { /* its first vertex has no other end any more than itself + 7 */
        r->column[0] = (r->first + 7) % ELEMENTS;
        r->column[1] = (r->first + 9) % ELEMENTS;
        if (r->column[0] > r->column[1]) {
            int64_t kept = r->column[0];
            r->column[0] = r->column[1];
            r->column[1] = kept;
        }
    }
}

static int graph_asymmetric(ring *r, inlay_diag *diag)
{
    break_symmetry(r);
    return inlay_graph_check(&r->graph, diag);
}

/* Partitioners do not see such a graph: PT-Scotch would never return. */
static int partition_asymmetric(ring *r, inlay_diag *diag)
{
    int32_t part[ELEMENTS];
    break_symmetry(r);
    return inlay_partition(&r->graph, &(inlay_partition_options){.parts = 3}, part, diag);
}

static int graph_weights(ring *r, inlay_diag *diag)
{
    r->weight[1] = r->bad ? 2 : 1;
    return inlay_graph_check(&r->graph, diag);
}

static int graph_loop(ring *r, inlay_diag *diag)
{
    r->column[0] = r->bad ? r->first : r->column[0];
    return inlay_graph_check(&r->graph, diag);
}

/* ---- Partitions ---- */

static int run_partition(ring *r, const inlay_partition_options *wanted, inlay_diag *diag)
{
    int32_t part[OWN];
    memset(part, -1, sizeof part);
    int status = inlay_partition(&r->graph, wanted, part, diag);
    for (int32_t i = 0; i < r->own; i++) {
        check(r->h, status == INLAY_OK ? part[i] >= 0 && part[i] < wanted->parts : part[i] == -1);
    }
    return status;
}

static int partition_unknown(ring *r, inlay_diag *diag)
{
    return run_partition(r, &(inlay_partition_options){.method = r->bad ? "no-such" : "block", .parts = 2}, diag);
}

static int partition_of_none(ring *r, inlay_diag *diag)
{
    return run_partition(r, &(inlay_partition_options){.parts = r->bad ? 0 : 2}, diag);
}

static int partition_imbalance(ring *r, inlay_diag *diag)
{
    return run_partition(r, &(inlay_partition_options){.parts = 2, .imbalance = r->bad ? -1 : 0.1}, diag);
}

static int partition_place(ring *r, inlay_diag *diag)
{
    double place[OWN] = {0};
    place[r->own - 1] = r->bad ? (double)NAN : 1;
    inlay_partition_options wanted = {.method = "rcb", .parts = 2, .dimensions = 1, .coordinate = place};
    return run_partition(r, &wanted, diag);
}

static int partition_load(ring *r, inlay_diag *diag)
{
    r->load[0] = r->bad ? -5 : 1;
    return run_partition(r, &(inlay_partition_options){.parts = 2}, diag);
}

static int partition_too_heavy(ring *r, inlay_diag *diag)
{
    r->load[0] = r->bad ? 1000 : 1;
    return run_partition(r, &(inlay_partition_options){.parts = 2}, diag);
}

static int partition_range(ring *r, inlay_diag *diag)
{
    inlay_partition_figures figures = {.edge_cut = -7};
    r->part[0] = r->bad ? 2 : 0;
    for (int32_t i = 1; i < r->own; i++) {
        r->part[i] = i % 2;
    }
    int status = inlay_partition_evaluate(&r->graph, r->part, 2, &figures, diag);
    check(r->h, (figures.edge_cut == -7) == (status != INLAY_OK));
    return status;
}

/* ---- All of them, by each rank ---- */

typedef struct hostile {
    const char *name;
    int (*call)(ring *r, inlay_diag *diag);
    int status;
    const char *text; /* in the message */
} hostile;

static const hostile calls[] = {
    {"a table with an element out of range", table_out_of_range, INLAY_BAD_ARGUMENT, "24"},
    {"a table that leaves an element out", table_without_owner, INLAY_BAD_ARGUMENT, "owned by no rank"},
    {"a part that is no rank", parts_without_rank, INLAY_BAD_ARGUMENT, "expected"},
    {"dereferencing element -1", dereference_out_of_range, INLAY_BAD_ARGUMENT, "-1"},
    {"an iteration that touches element 24 of 24", ripa_out_of_range, INLAY_BAD_ARGUMENT, "24"},
    {"iterations whose start[] descends", ripa_descending, INLAY_BAD_ARGUMENT, "expected starts that ascend"},
    {"balance to no number", iterations_imbalance, INLAY_BAD_ARGUMENT, "imbalance"},
    {"an item for rank -1", items_without_rank, INLAY_BAD_ARGUMENT, "rank -1"},
    {"rows whose start[] descends", csr_descending, INLAY_BAD_ARGUMENT, "starts at entry 0 and ends at -1"},
    {"a reference far out of range", halo_out_of_range, INLAY_BAD_ARGUMENT, "9223372036854775807"},
    {"a graph with a column out of range", graph_column, INLAY_BAD_INPUT, "24"},
    {"a graph with an arc without opposite", graph_asymmetric, INLAY_BAD_INPUT, "has no opposite"},
    {"a partition of such a graph", partition_asymmetric, INLAY_BAD_INPUT, "has no opposite"},
    {"a graph with unequal weights of an edge", graph_weights, INLAY_BAD_INPUT, "weigh"},
    {"a graph with a loop", graph_loop, INLAY_BAD_INPUT, ""},
    {"an unknown partitioner", partition_unknown, INLAY_BAD_ARGUMENT, "unknown partitioner 'no-such'"},
    {"no parts", partition_of_none, INLAY_BAD_ARGUMENT, "0 parts; expected at least 1"},
    {"a negative imbalance", partition_imbalance, INLAY_BAD_ARGUMENT, "imbalance -1"},
    {"a coordinate that is no number", partition_place, INLAY_BAD_ARGUMENT, "that is no number"},
    {"a negative load", partition_load, INLAY_BAD_INPUT, "load -5"},
    {"a vertex that weighs more than a part may", partition_too_heavy, INLAY_NO_ANSWER, "weighs 1000"},
    {"a partition with a part out of range", partition_range, INLAY_BAD_ARGUMENT, "is in part 2; expected 0 to 1"},
};

/* Every rank has the message of rank 0. */
static void check_same_message(harness *h, const inlay_diag *diag)
{
    char message[TEXT] = "", first[TEXT];
    strncat(message, inlay_diag_message(diag), sizeof message - 1);
    memcpy(first, message, sizeof first);
    MPI_Bcast(first, TEXT, MPI_CHAR, 0, h->comm);
    check(h, strcmp(first, message) == 0);
    check(h, message[0] != '\0' && strchr(message, '\n') == NULL);
}

static void run_call(harness *h, const hostile *c, int bad_rank)
{
    ring r;
    inlay_diag *diag = inlay_diag_new();
    harness_case(h, "%s, on rank %d", c->name, bad_rank);
    if (make_ring(h, &r)) {
        r.bad = h->rank == bad_rank;
        check_fails(h, c->call(&r, diag), c->status, c->text, diag);
        check_same_message(h, diag);
        r.bad = false;
        fill_ring(&r);
        check_ok(h, c->call(&r, h->diag));
    }
    inlay_table_free(r.table);
    inlay_diag_free(diag);
}

/* ---- More than one rank can be wrong about ---- */

static void test_local_range(harness *h)
{
    harness_case(h, "a statement with an element out of range is refused, and does not count");
    inlay_table *table = NULL;
    inlay_rdg *rdg = NULL;
    inlay_graph *graph = NULL;
    inlay_diag *diag[3] = {inlay_diag_new(), inlay_diag_new(), inlay_diag_new()};
    check_ok(h, inlay_table_block(h->comm, 3, &table, h->diag));
    check_ok(h, inlay_rdg_new(3, 0, &rdg, h->diag));
    check_fails(h, inlay_rdg_add(rdg, 0, (int64_t[]){1, 3}, 2, diag[0]), INLAY_BAD_ARGUMENT, "element 3", diag[0]);
    check_fails(h, inlay_rdg_add(rdg, -1, (int64_t[]){1}, 1, diag[1]), INLAY_BAD_ARGUMENT, "element -1", diag[1]);
    check_fails(h, inlay_rdg_add_pairs(rdg, (int64_t[]){0, 3}, (int64_t[]){1, 2}, 2, diag[2]), INLAY_BAD_ARGUMENT,
                "element 3", diag[2]);
    if (check_ok(h, inlay_rdg_generate(rdg, table, &graph, h->diag))) {
        check(h, graph->arcs == 0);
    }
    inlay_graph_free(graph);
    inlay_rdg_free(rdg);
    inlay_table_free(table);
    for (int i = 0; i < 3; i++) {
        inlay_diag_free(diag[i]);
    }
}

static void test_more_parts(harness *h)
{
    harness_case(h, "more parts than vertices: refused, or empty where they may be");
    ring r;
    inlay_diag *diag = inlay_diag_new();
    if (make_ring(h, &r)) {
        inlay_partition_options wanted = {.parts = ELEMENTS + 1};
        check_fails(h, run_partition(&r, &wanted, diag), INLAY_BAD_ARGUMENT,
                    "25 parts of 24 vertices; expected at most one part a vertex", diag);
        check_same_message(h, diag);
        wanted.empty = true;
        check_ok(h, run_partition(&r, &wanted, h->diag));
    }
    inlay_table_free(r.table);
    inlay_diag_free(diag);
}

static void test_disagreement(harness *h)
{
    harness_case(h, "ranks that ask for different partitions");
    ring r;
    inlay_diag *diag = inlay_diag_new();
    if (h->ranks > 1 && make_ring(h, &r)) {
        inlay_partition_options wanted = {.parts = 2, .seed = h->rank == 0 ? 1 : 2};
        check_fails(h, run_partition(&r, &wanted, diag), INLAY_BAD_ARGUMENT, "different partitions", diag);
        inlay_table_free(r.table);
    }
    inlay_diag_free(diag);
}

static void refuse_mesh(harness *h, inlay_mesh_kind kind, int32_t nx, int32_t nz, int status, const char *text)
{
    inlay_mesh *mesh = NULL;
    inlay_diag *diag = inlay_diag_new();
    check_fails(h, inlay_mesh_generate(h->comm, kind, nx, INT32_MAX, nz, 1, &mesh, diag), status, text, diag);
    check_same_message(h, diag);
    check(h, mesh == NULL);
    inlay_diag_free(diag);
}

static void test_meshes(harness *h)
{
    harness_case(h, "meshes that cannot be made or read");
    refuse_mesh(h, INLAY_MESH_TRIANGLES, 0, 1, INLAY_BAD_ARGUMENT, "expected");
    refuse_mesh(h, INLAY_MESH_TETRAHEDRA, INT32_MAX, INT32_MAX, INLAY_OVERFLOW, "");
    inlay_mesh *mesh = NULL;
    inlay_diag *diag = inlay_diag_new();
    check_fails(h, inlay_mesh_read(h->comm, "no/such.graph", NULL, &mesh, diag), INLAY_BAD_INPUT,
                "no/such.graph: ", diag);
    check_same_message(h, diag);
    check(h, mesh == NULL);
    inlay_diag_free(diag);
}

/* Nothing at all, on any number of ranks. */
static void test_nothing(harness *h)
{
    harness_case(h, "no elements, no iterations");
    inlay_table *table = NULL, *moved = NULL;
    inlay_rdg *rdg = NULL;
    inlay_graph *graph = NULL;
    inlay_halo *halo = NULL;
    inlay_schedule *schedule = NULL;
    int32_t part[1];
    check_ok(h, inlay_table_block(h->comm, 0, &table, h->diag));
    check_ok(h, inlay_rdg_new(0, 0, &rdg, h->diag));
    check_ok(h, inlay_rdg_generate(rdg, table, &graph, h->diag));
    check_ok(h, inlay_partition(graph, &(inlay_partition_options){.parts = h->ranks, .empty = true}, part, h->diag));
    check_ok(h, inlay_table_of_parts(table, part, &moved, h->diag));
    check_ok(h, inlay_remap(table, moved, &schedule, h->diag));
    check_ok(h, inlay_schedule_move(schedule, NULL, NULL, sizeof(double), h->diag));
    if (check_ok(h, inlay_halo_make(moved, NULL, 0, NULL, &halo, h->diag))) {
        check_ok(h, inlay_halo_gather(halo, NULL, 1, h->diag));
        check_ok(h, inlay_halo_scatter_add(halo, NULL, 1, h->diag));
        inlay_halo_free(halo);
    }
    inlay_schedule_free(schedule);
    inlay_graph_free(graph);
    inlay_rdg_free(rdg);
    inlay_table_free(moved);
    inlay_table_free(table);
}

void suite_hostile(harness *h);
void suite_hostile(harness *h)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        run_call(h, &calls[i], 0);
        if (h->ranks > 1) {
            run_call(h, &calls[i], h->ranks - 1);
        }
    }
    test_local_range(h);
    test_more_parts(h);
    test_disagreement(h);
    test_meshes(h);
    test_nothing(h);
}
