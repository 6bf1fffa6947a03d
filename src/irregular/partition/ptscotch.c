/*
 * PT-Scotch (version 7.0, its user's guide, sections 6.4 and 6.5). It wants vertices numbered from rank to rank, in blocks of
 * any size, and 32-bit integers in most builds: rows are numbered anew, and large loads and weights are scaled down.
 *
 * One thread, a seed, and the deterministic variants of its algorithms: with them the same graph on the same ranks gives the
 * same parts. They are set in a context of their own, so that a program that uses PT-Scotch itself sees nothing of it.
 */
#include "irregular/partition/partitioner.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "irregular/exchange/collective.h"
#include "irregular/exchange/headroom.h"
#include "irregular/row_table.h"
#include <math.h>
#include <stdlib.h>
/* which needs some of the above */
#include <scotch/ptscotch.h>

/* The largest sum that is handed to PT-Scotch, which itself adds some of them. */
#define MOST_SUM (sizeof(SCOTCH_Num) == 4 ? 0x1p30 : 0x1p61)
/* Loads that are 0, which PT-Scotch is not made for, become 1 among loads that are scaled up to this sum. */
#define RAISED_SUM 0x1p28

/* A graph as PT-Scotch takes it; `load` and `weight` may be NULL, on all ranks alike. */
typedef struct arcs {
    MPI_Comm comm;
    SCOTCH_Num rows, entries;
    SCOTCH_Num *start, *column, *load, *weight, *part;
} arcs;

static void arcs_clear(arcs *a)
{
    free(a->start);
    free(a->column);
    free(a->load);
    free(a->weight);
    free(a->part);
}

/* ---- The graph ---- */

static int check_size(const inlay_graph *graph, inlay_diag *diag)
{
    if ((double)graph->vertices > MOST_SUM || (double)graph->arcs > MOST_SUM) {
        return diag_fail(diag, INLAY_OVERFLOW,
                         "%lld vertices with %lld arcs are too many for this PT-Scotch, whose integers have %d bits; "
                         "expected one with 64 bits, or another partitioner",
                         (long long)graph->vertices, (long long)graph->arcs, (int)sizeof(SCOTCH_Num) * 8);
    }
    return INLAY_OK;
}

static int copy_rows(const inlay_graph *graph, arcs *a, inlay_diag *diag)
{
    a->rows = graph->rows;
    a->entries = (SCOTCH_Num)graph->start[graph->rows];
    a->start = memory_array((size_t)graph->rows + 1, sizeof *a->start);
    a->column = memory_array((size_t)a->entries, sizeof *a->column);
    a->part = memory_array((size_t)graph->rows, sizeof *a->part);
    if (a->start == NULL || a->column == NULL || a->part == NULL) {
        return diag_no_memory(diag);
    }
    for (int32_t i = 0; i <= graph->rows; i++) {
        a->start[i] = (SCOTCH_Num)graph->start[i];
    }
    return INLAY_OK;
}

/* Every number times `scale`, at least 1. */
static int scaled(const int64_t *from, int64_t count, double scale, SCOTCH_Num **to, inlay_diag *diag)
{
    *to = memory_array((size_t)count, sizeof **to);
    if (*to == NULL) {
        return diag_no_memory(diag);
    }
    for (int64_t i = 0; i < count; i++) {
        double value = from == NULL ? scale : floor((double)from[i] * scale);
        (*to)[i] = value > 1 ? (SCOTCH_Num)value : 1;
    }
    return INLAY_OK;
}

/* Rank 0's sum is everybody's: MPI does not promise the same digits everywhere. */
static double sum_of(MPI_Comm comm, const int64_t *number, int64_t count)
{
    double mine = 0, sum = 0;
    for (int64_t i = 0; i < count; i++) {
        mine += number == NULL ? 1 : (double)number[i];
    }
    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, comm);
    MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, comm);
    return sum;
}

static int copy_weights(const inlay_graph *graph, arcs *a, inlay_diag *diag)
{
    if (collective_most(graph->comm, graph->weight != NULL) == 0) {
        return INLAY_OK;
    }
    double sum = sum_of(graph->comm, graph->weight, a->entries), scale = sum > MOST_SUM ? MOST_SUM / sum : 1;
    return collective_agree(graph->comm, scaled(graph->weight, a->entries, scale, &a->weight, diag), diag);
}

static int copy_loads(const inlay_graph *graph, const partition_job *job, arcs *a, inlay_diag *diag)
{
    int64_t least = INT64_MAX;
    for (int32_t i = 0; i < graph->rows; i++) {
        least = row_load(graph, i) < least ? row_load(graph, i) : least;
    }
    least = collective_least(graph->comm, least);
    if (least == job->heaviest) {
        return INLAY_OK;
    }
    double total = (double)job->total, most = least == 0 ? RAISED_SUM : MOST_SUM;
    double scale = least == 0 || total > most ? most / total : 1;
    return collective_agree(graph->comm, scaled(graph->load, graph->rows, scale, &a->load, diag), diag);
}

/* ---- Numbers ---- */

/* Are the global numbers those that PT-Scotch wants? */
static bool numbered_by_rank(const inlay_graph *graph)
{
    bool mine = graph->global == NULL && graph->first == collective_before(graph->comm, graph->rows);
    return collective_least(graph->comm, mine) == 1;
}

/* The number of row i of rank r is base[r] + i. */
static int translate(const inlay_graph *graph, const inlay_table *table, int32_t *place, const int64_t *base, arcs *a,
                     inlay_diag *diag)
{
    int32_t *owner = place, *offset = place + a->entries;
    int status = inlay_table_dereference(table, graph->column, a->entries, owner, offset, diag);
    for (SCOTCH_Num i = 0; i < a->entries && status == INLAY_OK; i++) {
        a->column[i] = (SCOTCH_Num)base[owner[i]] + offset[i];
    }
    return status;
}

static int renumber(const inlay_graph *graph, arcs *a, inlay_diag *diag)
{
    inlay_table *table = NULL;
    int status = row_table(graph, &table, diag);
    if (status != INLAY_OK) {
        return status;
    }
    int32_t *place = memory_array(2 * (size_t)a->entries, sizeof *place);
    int64_t *base = memory_array((size_t)collective_ranks(graph->comm), sizeof *base);
    status = collective_agree(graph->comm, place == NULL || base == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    if (status == INLAY_OK) {
        int64_t before = collective_before(graph->comm, graph->rows);
        MPI_Allgather(&before, 1, MPI_INT64_T, base, 1, MPI_INT64_T, graph->comm);
        status = translate(graph, table, place, base, a, diag);
    }
    free(place);
    free(base);
    inlay_table_free(table);
    return status;
}

static int copy_columns(const inlay_graph *graph, arcs *a, inlay_diag *diag)
{
    if (!numbered_by_rank(graph)) {
        return renumber(graph, a, diag);
    }
    for (SCOTCH_Num i = 0; i < a->entries; i++) {
        a->column[i] = (SCOTCH_Num)graph->column[i];
    }
    return INLAY_OK;
}

static int arcs_make(const inlay_graph *graph, const partition_job *job, arcs *a, inlay_diag *diag)
{
    int status = check_size(graph, diag);
    status = status == INLAY_OK ? collective_agree(graph->comm, copy_rows(graph, a, diag), diag) : status;
    status = status == INLAY_OK ? copy_columns(graph, a, diag) : status;
    status = status == INLAY_OK ? copy_weights(graph, a, diag) : status;
    status = status == INLAY_OK ? copy_loads(graph, job, a, diag) : status;
    return status;
}

/* ---- The library ---- */

/* A rank on which PT-Scotch runs out of memory is waited for by the others within it: what it may need has to be there
 * before, which is less than what the graph took to be made. */
static int check_memory(const arcs *a, inlay_diag *diag)
{
    enum { FEW = 4 << 20, EACH = 32 /* bytes; 12 to 20 were seen, for meshes of 60,000 to 1 M vertices */ };
    size_t wanted = FEW + ((size_t)a->rows + (size_t)a->entries) * EACH;
    bool left = headroom_left(HEADROOM_OF_MPI + wanted);
    return collective_agree(a->comm, left ? INLAY_OK : diag_no_memory(diag), diag);
}

/* What is made with PT-Scotch. */
typedef struct session {
    SCOTCH_Context context;
    SCOTCH_Strat strategy;
    SCOTCH_Arch parts;          /* of a weight each, complete: where they are not alike */
    SCOTCH_Dgraph graph, bound; /* bound: with the context */
} session;

static int failed(const char *what, inlay_diag *diag)
{
    return diag_fail(diag, INLAY_SYSTEM, "PT-Scotch could not %s", what);
}

/* Weights of a sum that PT-Scotch can multiply with loads. */
static int weigh_parts(session *s, const partition_job *job, inlay_diag *diag)
{
    const double sum = 0x1p24;
    SCOTCH_Num *weight = memory_array((size_t)job->parts, sizeof *weight);
    if (weight == NULL) {
        return diag_no_memory(diag);
    }
    for (int32_t p = 0; p < job->parts; p++) {
        double share = (job->below[p + 1] - job->below[p]) * sum;
        weight[p] = share > 1 ? (SCOTCH_Num)share : 1;
    }
    int code = SCOTCH_archCmpltw(&s->parts, job->parts, weight);
    free(weight);
    return code == 0 ? INLAY_OK : failed("take the targets", diag);
}

/* Onto parts that are alike, or onto weighted ones. */
static int divide(session *s, const arcs *a, const partition_job *job, inlay_diag *diag)
{
    if (job->below == NULL) {
        return SCOTCH_dgraphPart(&s->bound, job->parts, &s->strategy, a->part) == 0
                   ? INLAY_OK
                   : failed("partition the graph", diag);
    }
    int status = collective_agree(a->comm, weigh_parts(s, job, diag), diag);
    if (status == INLAY_OK && SCOTCH_dgraphMap(&s->bound, &s->parts, &s->strategy, a->part) != 0) {
        status = failed("partition the graph", diag);
    }
    return status;
}

static int run(session *s, const arcs *a, const partition_job *job, inlay_diag *diag)
{
    int ranks = collective_ranks(a->comm);
    plain_scope scope = plain_enter(); /* PT-Scotch prints numbers into its strategy and reads them */
    int status = SCOTCH_dgraphBuild(&s->graph, 0, a->rows, a->rows, a->start, a->start + 1, a->load, NULL, a->entries,
                                    a->entries, a->column, NULL, a->weight) != 0
                     ? failed("take the graph", diag)
                     : INLAY_OK;
    status = collective_agree(a->comm, status, diag);
    if (status == INLAY_OK &&
        (SCOTCH_contextOptionSetNum(&s->context, SCOTCH_OPTIONNUMDETERMINISTIC, 1) != 0 ||
         SCOTCH_contextThreadSpawn(&s->context, 1, NULL) != 0 || SCOTCH_contextRandomClone(&s->context) != 0 ||
         (SCOTCH_contextRandomSeed(&s->context, (SCOTCH_Num)(job->seed & INT32_MAX)), 0) ||
         SCOTCH_contextBindDgraph(&s->context, &s->graph, &s->bound) != 0 ||
         SCOTCH_stratDgraphMapBuild(&s->strategy, SCOTCH_STRATDEFAULT, ranks, job->parts, job->imbalance) != 0)) {
        status = failed("take its options", diag);
    }
    status = collective_agree(a->comm, status, diag);
    status = status == INLAY_OK ? divide(s, a, job, diag) : status;
    plain_leave(scope);
    return collective_agree(a->comm, status, diag);
}

static int partition(const arcs *a, const partition_job *job, inlay_diag *diag)
{
    session s;
    int status = INLAY_OK;
    if (SCOTCH_contextInit(&s.context) != 0 || SCOTCH_stratInit(&s.strategy) != 0 || SCOTCH_archInit(&s.parts) != 0 ||
        SCOTCH_dgraphInit(&s.graph, a->comm) != 0 || SCOTCH_dgraphInit(&s.bound, a->comm) != 0) {
        status = failed("begin", diag);
    }
    status = collective_agree(a->comm, status, diag);
    if (status == INLAY_OK) {
        status = run(&s, a, job, diag);
        SCOTCH_dgraphExit(&s.bound);
        SCOTCH_dgraphExit(&s.graph);
        SCOTCH_archExit(&s.parts);
        SCOTCH_stratExit(&s.strategy);
        SCOTCH_contextExit(&s.context);
    }
    return status;
}

int partition_ptscotch(const inlay_graph *graph, const partition_job *job, int32_t *part, inlay_diag *diag)
{
    arcs a = {.comm = MPI_COMM_NULL};
    int status = arcs_make(graph, job, &a, diag);
    if (status == INLAY_OK) {
        MPI_Comm_dup(graph->comm, &a.comm); /* PT-Scotch sends messages of its own */
        status = check_memory(&a, diag);
        status = status == INLAY_OK ? partition(&a, job, diag) : status;
        MPI_Comm_free(&a.comm);
    }
    for (int32_t i = 0; i < graph->rows && status == INLAY_OK; i++) {
        part[i] = (int32_t)a.part[i];
    }
    arcs_clear(&a);
    return status;
}
