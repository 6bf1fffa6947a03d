/* What a partition is, checked without trust in who made it. */
#include "irregular/partition/partitioner.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include <stdlib.h>
#include <string.h>

int partition_in_range(const inlay_graph *graph, const int32_t *part, int32_t parts, inlay_diag *diag)
{
    int status = INLAY_OK;
    if (parts < 1) {
        status = diag_fail(diag, INLAY_BAD_ARGUMENT, "%d parts; expected at least 1", (int)parts);
    } else if (graph->weights < 0 || graph->weights > INLAY_MOST_WEIGHTS) {
        status = diag_fail(diag, INLAY_BAD_ARGUMENT, "%d weights of a vertex; expected at most %d", (int)graph->weights,
                           INLAY_MOST_WEIGHTS);
    }
    for (int32_t i = 0; i < graph->rows && status == INLAY_OK; i++) {
        if (part[i] < 0 || part[i] >= parts) {
            status = diag_fail(diag, INLAY_BAD_ARGUMENT, "vertex %lld is in part %d; expected 0 to %d",
                               (long long)row_global(graph, i), (int)part[i], (int)parts - 1);
        }
    }
    return collective_agree(graph->comm, status, diag);
}

void partition_weigh(const inlay_graph *graph, const int32_t *part, int32_t parts, int64_t *load, int64_t *vertices)
{
    int32_t weights = graph_weights(graph);
    memset(load, 0, (size_t)parts * (size_t)weights * sizeof *load);
    memset(vertices, 0, (size_t)parts * sizeof *vertices);
    for (int32_t i = 0; i < graph->rows; i++) {
        for (int32_t w = 0; w < weights; w++) {
            load[(ptrdiff_t)part[i] * weights + w] += row_weight(graph, i, w);
        }
        vertices[part[i]]++;
    }
    for (int32_t w = 0; w < weights; w++) { /* a piece at a time: MPI counts in 32 bits */
        MPI_Allreduce(MPI_IN_PLACE, load + (ptrdiff_t)w * parts, parts, MPI_INT64_T, MPI_SUM, graph->comm);
    }
    MPI_Allreduce(MPI_IN_PLACE, vertices, parts, MPI_INT64_T, MPI_SUM, graph->comm);
}

/* The sums are the same on all ranks, and so is what is said about them. */
static int check_sums(const partition_job *job, const int64_t *load, const int64_t *vertices, inlay_diag *diag)
{
    for (int32_t p = 0; p < job->parts; p++) {
        if (vertices[p] == 0) {
            return diag_fail(diag, INLAY_NO_ANSWER, "%s left part %d of %d empty", job->method, (int)p,
                             (int)job->parts);
        }
        if (job->weights == 1 && load[p] > partition_limit(job, p)) {
            return diag_fail(diag, INLAY_NO_ANSWER, "%s made part %d weigh %lld; expected at most %lld", job->method,
                             (int)p, (long long)load[p], (long long)partition_limit(job, p));
        }
    }
    return INLAY_OK;
}

int partition_verify(const inlay_graph *graph, const partition_job *job, const int32_t *part, inlay_diag *diag)
{
    int status = partition_in_range(graph, part, job->parts, diag);
    if (status != INLAY_OK) {
        return status;
    }
    size_t parts = (size_t)job->parts;
    int64_t *sums = memory_array(((size_t)job->weights + 1) * parts, sizeof *sums);
    status = collective_agree(graph->comm, sums == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    if (status == INLAY_OK) {
        partition_weigh(graph, part, job->parts, sums + parts, sums);
        status = check_sums(job, sums + parts, sums, diag);
    }
    free(sums);
    return status;
}
