/* METIS 5 on one rank: a well-known serial partitioner, to compare with; compiled with -DINLAY_METIS where it is. */
#include "irregular/partition/partitioner.h"
#include "base/diag.h"

#ifdef INLAY_METIS

#include "base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <metis.h>

/* The largest sum of loads or weights, and the largest number of arcs. */
#define MOST_SUM (IDXTYPEWIDTH == 32 ? 0x1p30 : 0x1p61)

typedef struct arcs {
    idx_t *start, *column, *load, *weight, *part;
    real_t *share; /* [parts x weights] of each part; NULL: parts are alike */
} arcs;

static void arcs_clear(arcs *a)
{
    free(a->start);
    free(a->column);
    free(a->load);
    free(a->weight);
    free(a->part);
    free(a->share);
}

/* One in each `stride` numbers, from `first` on. */
static void scale_down(const int64_t *from, int64_t count, int32_t first, int32_t stride, idx_t least, idx_t *to)
{
    double sum = 0;
    for (int64_t i = first; i < count; i += stride) {
        sum += (double)from[i];
    }
    double scale = sum > MOST_SUM ? MOST_SUM / sum : 1;
    for (int64_t i = first; i < count; i += stride) {
        idx_t value = (idx_t)floor((double)from[i] * scale);
        to[i] = value > least ? value : least;
    }
}

/* Numbers that their sum may pass MOST_SUM are scaled down, of several in a row each by itself; at least `least`. NULL where
   `from` is. */
static int scaled(const int64_t *from, int64_t count, int32_t row, idx_t least, idx_t **to, inlay_diag *diag)
{
    *to = from == NULL ? NULL : memory_array((size_t)count, sizeof **to);
    if (from != NULL && *to == NULL) {
        return diag_no_memory(diag);
    }
    for (int32_t first = 0; first < row && from != NULL; first++) {
        scale_down(from, count, first, row, least, *to);
    }
    return INLAY_OK;
}

/* Row of each global number, as METIS numbers vertices; on one rank the graph is here. */
static int copy(const inlay_graph *graph, arcs *a, inlay_diag *diag)
{
    size_t rows = (size_t)graph->rows, entries = (size_t)graph->arcs;
    if ((double)graph->arcs > MOST_SUM) {
        diag_fail(diag, INLAY_OVERFLOW, "%lld arcs are too many for this METIS, whose integers have %d bits",
                  (long long)graph->arcs, IDXTYPEWIDTH);
        return INLAY_OVERFLOW;
    }
    a->start = memory_array(rows + 1, sizeof *a->start);
    a->column = memory_array(entries, sizeof *a->column);
    a->part = memory_array(rows, sizeof *a->part);
    idx_t *row = memory_array(rows, sizeof *row);
    if (a->start == NULL || a->column == NULL || a->part == NULL || row == NULL) {
        free(row);
        return diag_no_memory(diag);
    }
    for (int32_t i = 0; i < graph->rows; i++) {
        row[row_global(graph, i)] = i;
    }
    for (int32_t i = 0; i <= graph->rows; i++) {
        a->start[i] = (idx_t)graph->start[i];
    }
    for (size_t i = 0; i < entries; i++) {
        a->column[i] = row[graph->column[i]];
    }
    free(row);
    int32_t weights = graph_weights(graph);
    int status = scaled(graph->load, (int64_t)graph->rows * weights, weights, 0, &a->load, diag);
    return status != INLAY_OK ? status : scaled(graph->weight, graph->arcs, 1, 1, &a->weight, diag);
}

/* METIS prints complaints where a share is less than a vertex: such a part has one. */
static int copy_shares(const inlay_graph *graph, const partition_job *job, arcs *a, inlay_diag *diag)
{
    if (job->below == NULL) {
        return INLAY_OK;
    }
    a->share = memory_array((size_t)job->parts, (size_t)job->weights * sizeof *a->share);
    double sum = 0, least = 1 / (double)graph->rows;
    for (int32_t p = 0; p < job->parts; p++) {
        sum += fmax(job->below[p + 1] - job->below[p], least);
    }
    for (int64_t i = 0; i < (int64_t)job->parts * job->weights && a->share != NULL; i++) {
        int64_t p = i / job->weights;
        a->share[i] = (real_t)(fmax(job->below[p + 1] - job->below[p], least) / sum);
    }
    return a->share == NULL ? diag_no_memory(diag) : INLAY_OK;
}

static int run(const inlay_graph *graph, const partition_job *job, arcs *a, int32_t *part, inlay_diag *diag)
{
    idx_t options[METIS_NOPTIONS], rows = graph->rows, constraints = job->weights, parts = job->parts, cut = 0;
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = (idx_t)(job->seed & INT32_MAX);
    options[METIS_OPTION_UFACTOR] = (idx_t)fmin(fmax(floor(job->imbalance * 1000), 1), 1e6);
    int result = (parts <= 8 ? METIS_PartGraphRecursive : METIS_PartGraphKway)(&rows, &constraints, a->start, a->column,
                                                                               a->load, NULL, a->weight, &parts,
                                                                               a->share, NULL, options, &cut, a->part);
    if (result == METIS_ERROR_MEMORY) {
        return diag_no_memory(diag);
    }
    if (result != METIS_OK) {
        return diag_fail(diag, INLAY_SYSTEM, "METIS could not partition the graph");
    }
    for (int32_t i = 0; i < graph->rows; i++) {
        part[i] = (int32_t)a->part[i];
    }
    return INLAY_OK;
}

int partition_metis(const inlay_graph *graph, const partition_job *job, int32_t *part, inlay_diag *diag)
{
    arcs a = {.start = NULL};
    int status = copy(graph, &a, diag);
    status = status == INLAY_OK ? copy_shares(graph, job, &a, diag) : status;
    status = status == INLAY_OK ? run(graph, job, &a, part, diag) : status;
    arcs_clear(&a);
    return status;
}

#else

int partition_metis(const inlay_graph *graph, const partition_job *job, int32_t *part, inlay_diag *diag)
{
    (void)graph;
    (void)part;
    return diag_fail(diag, INLAY_BAD_ARGUMENT,
                     "this build has no %s; expected libmetis-dev to be installed before `make`", job->method);
}

#endif
