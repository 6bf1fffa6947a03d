/* Repartition: the old partition relieved, or a fresh one with old names; improved, and the better one. */
#include "irregular/partition/repartition.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- What is asked ---- */

/* Of this rank alone. */
static int check_change(const inlay_graph *graph, const inlay_repartition_options *change, int64_t *sum,
                        inlay_diag *diag)
{
    int64_t room = (INT64_MAX / 4) / collective_ranks(graph->comm);
    if (!isfinite(change->migration_cost) || change->migration_cost < 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a migration cost of %g; expected a number from 0 on",
                         change->migration_cost);
    }
    *sum = 0;
    for (int32_t i = 0; i < graph->rows; i++) {
        int64_t size = change->size == NULL ? 1 : change->size[i];
        if (size < 0) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "vertex %lld has size %lld; expected at least 0",
                             (long long)row_global(graph, i), (long long)size);
        }
        if (size > room - *sum) {
            return diag_fail(diag, INLAY_OVERFLOW, "the sum of the sizes of all vertices exceeds 2^61");
        }
        *sum += size;
    }
    return INLAY_OK;
}

static int check(const inlay_graph *graph, const partition_job *job, const inlay_repartition_options *change,
                 int64_t *size, inlay_diag *diag)
{
    int64_t sum = 0;
    int status = collective_agree(graph->comm, check_change(graph, change, &sum, diag), diag);
    if (status != INLAY_OK) {
        return status;
    }
    double cost[2] = {change->migration_cost, -change->migration_cost};
    MPI_Allreduce(MPI_IN_PLACE, cost, 2, MPI_DOUBLE, MPI_MAX, graph->comm);
    if (cost[0] != -cost[1]) {
        return collective_agree(
            graph->comm,
            diag_fail(diag, INLAY_BAD_ARGUMENT, "ranks ask for different costs of migration; expected equal options"),
            diag);
    }
    *size = collective_sum(graph->comm, sum);
    return partition_in_range(graph, change->from, job->parts, diag);
}

/* ---- Two ways ---- */

typedef struct way {
    int32_t *part;
    repartition_worth first, last; /* before and after it was improved */
    int64_t over;                  /* above the limits of all weights; 0 where there is one */
} way;

/* What several weights may come to. Collective; agreed upon. */
static int look_at_limits(const inlay_graph *graph, const partition_job *job, way *w, inlay_diag *diag)
{
    size_t parts = (size_t)job->parts;
    if (job->weights == 1) {
        return INLAY_OK;
    }
    int64_t *sums = memory_array(((size_t)job->weights + 1) * parts, sizeof *sums);
    int status = collective_agree(graph->comm, sums == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    if (status == INLAY_OK && sums != NULL) {
        partition_weigh(graph, w->part, job->parts, sums + parts, sums);
        for (int64_t i = 0; i < (int64_t)parts * job->weights; i++) {
            int32_t weight = (int32_t)(i % job->weights), p = (int32_t)(i / job->weights);
            int64_t over = sums[(int64_t)parts + i] - partition_limit(partition_weight(job, weight), p);
            w->over += over > 0 ? partition_scaled(job, weight, over) : 0;
        }
    }
    free(sums);
    return status;
}

static int improve(const inlay_graph *graph, const partition_job *job, const inlay_repartition_options *change, way *w,
                   inlay_diag *diag)
{
    int status = repartition_weigh(graph, change, w->part, &w->first, diag);
    status = status == INLAY_OK ? repartition_improve(graph, job, change, w->part, &w->last, diag) : status;
    status = status == INLAY_OK ? look_at_limits(graph, job, w, diag) : status;
    return status == INLAY_OK ? partition_verify(graph, job, w->part, diag) : status;
}

/* That old parts are too heavy is why this is asked: nobody is warned. */
static int keep(const inlay_graph *graph, const partition_job *job, const inlay_repartition_options *change, way *w,
                inlay_diag *diag)
{
    inlay_diag *said = inlay_diag_new();
    int status = collective_agree(graph->comm, said == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    if (status == INLAY_OK) {
        memcpy(w->part, change->from, (size_t)graph->rows * sizeof *w->part);
        status = partition_repair(graph, job, w->part, said);
        if (status != INLAY_OK) {
            (void)diag_fail(diag, status, "%s", inlay_diag_message(said));
        }
    }
    inlay_diag_free(said);
    return status == INLAY_OK ? improve(graph, job, change, w, diag) : status;
}

/* What parts have in common, and their names, the same on all ranks. */
static int rename_parts(const inlay_graph *graph, const partition_job *job, const inlay_repartition_options *change,
                        int64_t *common, int64_t *sums, int32_t *name, int32_t *part, inlay_diag *diag)
{
    size_t parts = (size_t)job->parts;
    for (int32_t i = 0; i < graph->rows; i++) {
        common[(size_t)part[i] * parts + (size_t)change->from[i]] += change->size == NULL ? 1 : change->size[i];
    }
    for (size_t p = 0; p < parts; p++) { /* a row at a time: MPI counts in 32 bits */
        MPI_Allreduce(MPI_IN_PLACE, common + p * parts, job->parts, MPI_INT64_T, MPI_SUM, graph->comm);
    }
    partition_weigh(graph, part, job->parts, sums, sums + parts * (size_t)job->weights);
    int status = collective_agree(graph->comm, repartition_match(job, sums, common, name, diag), diag);
    for (int32_t i = 0; i < graph->rows && status == INLAY_OK; i++) {
        part[i] = name[part[i]];
    }
    return status;
}

static int begin_anew(const inlay_graph *graph, const inlay_partition_options *options, const partition_job *job,
                      const inlay_repartition_options *change, way *w, inlay_diag *diag)
{
    int status = inlay_partition(graph, options, w->part, diag);
    if (status != INLAY_OK) {
        return status;
    }
    size_t parts = (size_t)job->parts;
    int64_t *common = parts <= SIZE_MAX / 8 / parts ? memory_zeroed(parts * parts, sizeof *common) : NULL;
    int64_t *sums = memory_array(((size_t)job->weights + 1) * parts, sizeof *sums);
    int32_t *name = memory_array(parts, sizeof *name);
    bool room = common != NULL && sums != NULL && name != NULL;
    status = collective_agree(graph->comm, room ? INLAY_OK : diag_no_memory(diag), diag);
    if (status == INLAY_OK && room) {
        status = rename_parts(graph, job, change, common, sums, name, w->part, diag);
    }
    free(common);
    free(sums);
    free(name);
    return status == INLAY_OK ? improve(graph, job, change, w, diag) : status;
}

static int choose(const inlay_graph *graph, const inlay_partition_options *options, const partition_job *job,
                  const inlay_repartition_options *change, way *kept, way *fresh, inlay_repartition_figures *figures,
                  inlay_diag *diag)
{
    repartition_worth before;
    int status = repartition_weigh(graph, change, change->from, &before, diag);
    status = status == INLAY_OK ? keep(graph, job, change, kept, diag) : status;
    status = status == INLAY_OK ? begin_anew(graph, options, job, change, fresh, diag) : status;
    if (status == INLAY_OK) {
        bool alike = fresh->over == kept->over;
        figures->fresh = alike ? fresh->last.cost < kept->last.cost : fresh->over < kept->over;
        const repartition_worth *last = figures->fresh ? &fresh->last : &kept->last;
        figures->edge_cut_before = before.cut;
        figures->edge_cut = last->cut;
        figures->moved = last->moved;
        figures->moved_size = last->moved_size;
        figures->cost = last->cost;
        figures->cost_kept = kept->first.cost;
        figures->cost_fresh = fresh->first.cost;
    }
    return status;
}

int inlay_repartition(const inlay_graph *graph, const inlay_partition_options *options,
                      const inlay_repartition_options *change, int32_t *part, inlay_repartition_figures *figures,
                      inlay_diag *diag)
{
    DIAG_CALL(diag);
    partition_job job = {.below = NULL};
    inlay_repartition_figures found = {.moved = 0};
    inlay_repartition_options sized = *change;
    way kept = {0}, fresh = {0};
    sized.size = change->size != NULL ? change->size : graph->size;
    change = &sized;
    int status = partition_job_make(graph, options, &job, diag);
    status = status == INLAY_OK ? check(graph, &job, change, &found.size, diag) : status;
    if (status == INLAY_OK) {
        kept.part = memory_zeroed((size_t)graph->rows, sizeof *kept.part);
        fresh.part = memory_zeroed((size_t)graph->rows, sizeof *fresh.part);
        bool room = kept.part != NULL && fresh.part != NULL;
        status = collective_agree(graph->comm, room ? INLAY_OK : diag_no_memory(diag), diag);
    }
    if (status == INLAY_OK && job.parts > 1) {
        status = choose(graph, options, &job, change, &kept, &fresh, &found, diag);
    }
    if (status == INLAY_OK) {
        memcpy(part, found.fresh ? fresh.part : kept.part, (size_t)graph->rows * sizeof *part);
        *figures = found;
    }
    free(kept.part);
    free(fresh.part);
    partition_targets_clear(&job);
    return status;
}
