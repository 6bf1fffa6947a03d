/* Several loads a vertex as one, for methods that know of no more: the sum of each load over its total. */
#include "irregular/partition/partitioner.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include <stdlib.h>

/* A weight of which there is nothing counts for nothing. */
static int64_t combine(const inlay_graph *graph, const partition_job *job, int32_t row)
{
    const double unit = 0x1p32;
    double sum = 0;
    for (int32_t w = 0; w < job->weights; w++) {
        double total = (double)partition_weight(job, w)->total;
        sum += total > 0 ? (double)row_weight(graph, row, w) / total : 0;
    }
    return (int64_t)(sum * unit);
}

/* The job of that load; its bounds have an array of their own where parts are not alike. */
static int make_job(const inlay_graph *graph, const partition_job *job, partition_job *one, inlay_diag *diag)
{
    int64_t total = 0, heaviest = 0, *bounds = NULL;
    for (int32_t i = 0; i < graph->rows; i++) {
        total += graph->load[i];
        heaviest = graph->load[i] > heaviest ? graph->load[i] : heaviest;
    }
    *one = *job;
    one->weights = 1;
    one->further = NULL;
    one->total = collective_sum(graph->comm, total);
    one->heaviest = collective_most(graph->comm, heaviest);
    if (job->below != NULL) {
        bounds = memory_zeroed(2 * (size_t)job->parts, sizeof *bounds);
        int status = collective_agree(graph->comm, bounds == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
        if (status != INLAY_OK) {
            free(bounds);
            return status;
        }
    }
    one->bounds = bounds;
    partition_job_bound(one);
    one->target = one->target > one->heaviest ? one->target : one->heaviest; /* as methods expect it */
    one->limit = one->limit > one->target ? one->limit : one->target;
    return INLAY_OK;
}

int partition_run_combined(partition_run *run, const inlay_graph *graph, const partition_job *job, int32_t *part,
                           inlay_diag *diag)
{
    inlay_graph simple = *graph;
    partition_job one;
    simple.weights = 1;
    simple.load = memory_array((size_t)graph->rows, sizeof *simple.load);
    int status = collective_agree(graph->comm, simple.load == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    if (status == INLAY_OK) {
        for (int32_t i = 0; i < graph->rows; i++) {
            simple.load[i] = combine(graph, job, i);
        }
        status = make_job(&simple, job, &one, diag);
    }
    if (status == INLAY_OK) {
        status = run(&simple, &one, part, diag);
        free(one.bounds);
    }
    free(simple.load);
    return status;
}
