/*
 * Parts of unlike processors: each shall have a share of the load of its own.
 *
 * Shares become whole loads, which sum up to that of the graph: the goal of part p is what parts 0 .. p shall have together,
 * rounded down, less what those before p shall. As where parts are alike, a part is accepted up to (1 + imbalance) times its
 * share, and up to its goal and (1 - 1 / parts) of the heaviest vertex; and any part may have one vertex.
 */
#include "irregular/partition/partitioner.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of this rank alone. */
static int check(const double *share, int32_t parts, inlay_diag *diag)
{
    for (int32_t p = 0; p < parts && share != NULL; p++) {
        if (!isfinite(share[p]) || share[p] <= 0) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "the target of part %d is %g; expected a number above 0", (int)p,
                             share[p]);
        }
    }
    return INLAY_OK;
}

/* job->below[] holds shares: do all ranks ask for those of rank 0? All take its sums, too. */
static int agree(MPI_Comm comm, partition_job *job, inlay_diag *diag)
{
    size_t bytes = ((size_t)job->parts + 1) * sizeof *job->below;
    double *first = memory_array((size_t)job->parts + 1, sizeof *first);
    int status = collective_agree(comm, first == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    if (status == INLAY_OK && first != NULL) {
        memcpy(first, job->below, bytes);
        MPI_Bcast(first, job->parts + 1, MPI_DOUBLE, 0, comm);
        bool same = memcmp(first, job->below, bytes) == 0;
        status = same ? INLAY_OK
                      : diag_fail(diag, INLAY_BAD_ARGUMENT, "ranks ask for different targets; expected equal options");
        status = collective_agree(comm, status, diag);
    }
    free(first);
    return status;
}

/* From shares, of which that of part p stands in below[p + 1], to sums; the last is 1. */
static void sum_up(MPI_Comm comm, partition_job *job)
{
    double most = 0, sum = 0;
    int32_t parts = job->parts;
    for (int32_t p = 1; p <= parts; p++) {
        most = fmax(most, job->below[p]);
    }
    for (int32_t p = 1; p <= parts; p++) { /* none is lost beside the largest, and their sum is finite */
        sum += fmax(job->below[p] / most, 0x1p-40);
        job->below[p] = sum;
    }
    for (int32_t p = 1; p <= parts; p++) {
        job->below[p] /= sum;
    }
    MPI_Bcast(job->below, parts + 1, MPI_DOUBLE, 0, comm);
}

int partition_targets_make(MPI_Comm comm, const double *share, partition_job *job, inlay_diag *diag)
{
    int status = collective_agree(comm, check(share, job->parts, diag), diag);
    int64_t given = collective_most(comm, share != NULL);
    if (status != INLAY_OK || given == 0) {
        return status;
    }
    size_t parts = (size_t)job->parts;
    job->below = memory_zeroed(parts + 1, sizeof *job->below);
    job->bounds = memory_zeroed(2 * parts, sizeof *job->bounds);
    bool room = job->below != NULL && job->bounds != NULL;
    status = collective_agree(comm, room ? INLAY_OK : diag_no_memory(diag), diag);
    if (status == INLAY_OK && share != NULL) {
        memcpy(job->below + 1, share, parts * sizeof *share);
    }
    status = status == INLAY_OK ? agree(comm, job, diag) : status;
    if (status == INLAY_OK) {
        sum_up(comm, job);
    }
    return status;
}

void partition_targets_clear(partition_job *job)
{
    if (job->further != NULL) {
        free(job->further[0].bounds); /* of all of them */
    }
    free(job->further);
    free(job->below);
    free(job->bounds);
    job->further = NULL;
    job->below = NULL;
    job->bounds = NULL;
}

int64_t partition_share(const partition_job *job, int64_t weight, int32_t first, int32_t some, int32_t all)
{
    if (job->below == NULL) { /* without a product that could leave 64 bits */
        return weight / all * some + weight % all * some / all;
    }
    const double *below = job->below + first;
    long double share = (long double)weight * (below[some] - below[0]) / (below[all] - below[0]);
    int64_t rounded = share < (long double)weight ? (int64_t)(share * (1 + 1e-15L)) : weight;
    return rounded < weight ? rounded : weight;
}

int64_t partition_goal(const partition_job *job, int32_t p)
{
    if (job->below == NULL) {
        return job->total / job->parts;
    }
    int64_t before = partition_share(job, job->total, 0, p, job->parts);
    return partition_share(job, job->total, 0, p + 1, job->parts) - before;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

void partition_targets_bound(partition_job *job)
{
    int64_t k = job->parts, coarse = job->heaviest - job->heaviest / k - (job->heaviest % k > 0);
    job->target = job->limit = 0;
    for (int32_t p = 0; p < job->parts; p++) {
        int64_t goal = partition_goal(job, p);
        long double share = (long double)job->total * (job->below[p + 1] - job->below[p]);
        long double asked = (1 + (long double)job->imbalance) * share * (1 + 1e-12L);
        int64_t target = larger(asked < (long double)job->total ? (int64_t)asked : job->total, goal);
        int64_t limit = larger(larger(target, goal + coarse), job->heaviest);
        job->bounds[p] = target;
        job->bounds[job->parts + p] = limit;
        job->target = larger(job->target, target);
        job->limit = larger(job->limit, limit);
    }
}

/* One load in every `stride`. */
static double imbalance_of(const int64_t *load, int32_t stride, const double *target, int32_t parts)
{
    double total = 0, shares = 0, most = 0;
    for (int32_t p = 0; p < parts; p++) {
        total += (double)load[(ptrdiff_t)p * stride];
        shares += target == NULL ? 1 : target[p];
    }
    for (int32_t p = 0; p < parts && total > 0; p++) {
        most = fmax(most, (double)load[(ptrdiff_t)p * stride] / total * (shares / (target == NULL ? 1 : target[p])));
    }
    return total > 0 ? most - 1 : 0;
}

double inlay_quotient_imbalance(const inlay_quotient *quotient, const double *target, int32_t weight)
{
    return imbalance_of(quotient->load + weight, quotient->weights, target, quotient->parts);
}

double inlay_partition_imbalance(const int64_t *load, const double *target, int32_t parts)
{
    return imbalance_of(load, 1, target, parts);
}
