/* The table of partitioners, and the frame around each: options, bounds, repair, verification. */
#include "irregular/partition/partitioner.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    inlay_partitioner public;
    partition_run *run;
} entry;

static const entry table[] = {
    {{"best", "the best of ptscotch, rsb and metis, and of what is made of them", false, false}, partition_best},
    {{"ptscotch", "PT-Scotch: parallel multilevel, fast", false, false}, partition_ptscotch},
    {{"rsb", "recursive spectral bisection", false, false}, partition_rsb},
    {{"rcb", "recursive coordinate bisection, across the longest side", true, false}, partition_rcb},
    {{"inertial", "recursive bisection across the principal axis of inertia", true, false}, partition_inertial},
    {{"block", "equal runs of global numbers", false, false}, partition_block},
    {{"metis", "METIS, on one rank, to compare with", false, true}, partition_metis},
};

enum { METHODS = sizeof table / sizeof *table };

const inlay_partitioner *inlay_partitioner_at(size_t i)
{
    return i < METHODS ? &table[i].public : NULL;
}

/* NULL where there is no such name. */
static const entry *find_method(const char *name)
{
    for (size_t i = 0; i < METHODS; i++) {
        if (name == NULL || strcmp(table[i].public.name, name) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

/* ---- Options ---- */

static int check_coordinates(const inlay_graph *graph, const inlay_partition_options *o, inlay_diag *diag)
{
    bool some = o->dimensions > 0 && graph->rows > 0;
    if (o->coordinate == NULL) {
        return some ? diag_fail(diag, INLAY_BAD_ARGUMENT, "coordinates of %d dimensions are missing", o->dimensions)
                    : INLAY_OK;
    }
    for (int64_t i = 0; i < (int64_t)graph->rows * o->dimensions; i++) {
        if (!isfinite(o->coordinate[i])) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "vertex %lld has a coordinate that is no number",
                             (long long)row_global(graph, (int32_t)(i / o->dimensions)));
        }
    }
    return INLAY_OK;
}

/* Of this rank alone. */
static int check_options(const inlay_graph *graph, const inlay_partition_options *o, inlay_diag *diag)
{
    const entry *method = find_method(o->method);
    if (method == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "unknown partitioner '%s'; expected best, ptscotch, rsb, rcb, inertial, block or metis",
                         o->method);
    }
    int ranks = collective_ranks(graph->comm);
    if (method->public.one_rank && ranks > 1) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%s runs on one rank, not on %d; expected ptscotch, for example",
                         method->public.name, ranks);
    }
    if (o->parts < 1) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%d parts; expected at least 1", (int)o->parts);
    }
    if (graph->weights < 0 || graph->weights > INLAY_MOST_WEIGHTS) { /* of a graph that is said to be checked */
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%d weights of a vertex; expected at most %d", (int)graph->weights,
                         INLAY_MOST_WEIGHTS);
    }
    if (!isfinite(o->imbalance) || o->imbalance < 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "imbalance %g; expected a number from 0 on, such as 0.05",
                         o->imbalance);
    }
    if (!isfinite(o->seconds) || o->seconds < 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "an effort of %g seconds; expected a number from 0 on", o->seconds);
    }
    if (o->dimensions < 0 || o->dimensions > 3) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "coordinates of %d dimensions; expected 1 to 3", o->dimensions);
    }
    if (method->public.coordinates && o->dimensions == 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "%s needs the coordinates of the vertices; expected a mesh with them", method->public.name);
    }
    return check_coordinates(graph, o, diag);
}

/* Do all ranks ask the same? Each number is compared as its largest value and the largest of its complement. */
static int check_agreement(const inlay_graph *graph, const inlay_partition_options *o, inlay_diag *diag)
{
    enum { NUMBERS = 9 };
    int64_t mine[2 * NUMBERS] = {find_method(o->method) - table,
                                 o->parts,
                                 0,
                                 o->empty,
                                 (int64_t)o->seed,
                                 o->dimensions,
                                 o->effort,
                                 0,
                                 graph_weights(graph)};
    memcpy(&mine[2], &o->imbalance, sizeof mine[2]);
    memcpy(&mine[7], &o->seconds, sizeof mine[7]);
    for (int i = 0; i < NUMBERS; i++) {
        mine[NUMBERS + i] = ~mine[i];
    }
    int64_t most[2 * NUMBERS];
    MPI_Allreduce(mine, most, 2 * NUMBERS, MPI_INT64_T, MPI_MAX, graph->comm);
    int status = INLAY_OK;
    for (int i = 0; i < NUMBERS && status == INLAY_OK; i++) {
        if (most[i] != ~most[NUMBERS + i]) {
            status = diag_fail(diag, INLAY_BAD_ARGUMENT, "ranks ask for different partitions; expected equal options");
        }
    }
    return status;
}

/* ---- The job ---- */

/* Loads of the whole graph, of one weight. */
static int weigh_graph(const inlay_graph *graph, int32_t weight, partition_job *job, inlay_diag *diag)
{
    int64_t room = (INT64_MAX / 2) / collective_ranks(graph->comm), total = 0, heaviest = 0;
    int status = INLAY_OK;
    for (int32_t i = 0; i < graph->rows && status == INLAY_OK; i++) {
        int64_t load = row_weight(graph, i, weight);
        if (load < 0) {
            status = diag_fail(diag, INLAY_BAD_ARGUMENT, "vertex %lld has load %lld; expected at least 0",
                               (long long)row_global(graph, i), (long long)load);
        } else if (load > room - total) {
            status = diag_fail(diag, INLAY_OVERFLOW, "the sum of the loads of all vertices exceeds 2^62");
        }
        total += status == INLAY_OK ? load : 0;
        heaviest = load > heaviest ? load : heaviest;
    }
    status = collective_agree(graph->comm, status, diag);
    if (status == INLAY_OK) {
        job->total = collective_sum(graph->comm, total);
        job->heaviest = collective_most(graph->comm, heaviest);
        job->scale = job->total > 0 ? 0x1p40 / (double)job->total : 1;
    }
    return status;
}

/* Sets job->target and job->limit. */
static void set_bounds(partition_job *job)
{
    int64_t k = job->parts, average = job->total / k, rest = job->total % k;
    int64_t share = job->heaviest / k, more = job->heaviest % k;
    /* 1.15 times 20 is 23, though 1.15 has no exact double. */
    long double asked = (1 + (long double)job->imbalance) * (long double)job->total / (long double)k * (1 + 1e-12L);
    int64_t target = asked < (long double)job->total ? (int64_t)asked : job->total;
    int64_t least = average + (rest > 0);
    job->target = target > least ? target : least;
    /* floor((total + (k - 1) heaviest) / k), without a product that could leave 64 bits */
    int64_t coarse = average + job->heaviest - share - (rest < more);
    job->limit = coarse > job->target ? coarse : job->target;
}

void partition_job_bound(partition_job *job)
{
    (job->below == NULL ? set_bounds : partition_targets_bound)(job);
}

/* `which` weight, in words: "" where there is but one. */
static int check_bounds(const inlay_graph *graph, const partition_job *job, const char *which, inlay_diag *diag)
{
    if (job->heaviest <= job->target) {
        return INLAY_OK;
    }
    if (job->below != NULL) {
        return diag_fail(
            diag, INLAY_NO_ANSWER,
            "%sa vertex weighs %lld, more than the %lld that the largest of %d parts may by its target with an "
            "imbalance of %g; the %lld vertices weigh %lld",
            which, (long long)job->heaviest, (long long)job->target, (int)job->parts, job->imbalance,
            (long long)graph->vertices, (long long)job->total);
    }
    double least = (double)job->heaviest * job->parts / (double)job->total - 1;
    int status =
        diag_fail(diag, INLAY_NO_ANSWER,
                  "%sa vertex weighs %lld, more than the %lld that each of %d parts may with an imbalance of %g; "
                  "the %lld vertices weigh %lld",
                  which, (long long)job->heaviest, (long long)job->target, (int)job->parts, job->imbalance,
                  (long long)graph->vertices, (long long)job->total);
    diag_remedy(diag, "--imbalance", "%.4g", ceil(least * 1000) / 1000);
    return status;
}

static int check_count(const inlay_graph *graph, const inlay_partition_options *o, inlay_diag *diag)
{
    if (o->parts <= graph->vertices || o->empty) {
        return INLAY_OK;
    }
    int status = diag_fail(diag, INLAY_BAD_ARGUMENT, "%d parts of %lld vertices; expected at most one part a vertex",
                           (int)o->parts, (long long)graph->vertices);
    if (graph->vertices > 0) {
        diag_remedy(diag, "--parts", "%lld", (long long)graph->vertices);
    }
    return status;
}

/* Room for jobs of the further weights. Those of parts that are not alike have bounds, all in one array. */
static int make_further(const inlay_graph *graph, partition_job *job, inlay_diag *diag)
{
    size_t more = (size_t)job->weights - 1, each = job->below == NULL ? 0 : 2 * (size_t)job->parts;
    if (more == 0) {
        return INLAY_OK;
    }
    partition_job *further = memory_array(more, sizeof *further);
    int64_t *bounds = memory_zeroed(more, each * sizeof *bounds);
    bool room = further != NULL && (bounds != NULL || each == 0);
    int status = collective_agree(graph->comm, room ? INLAY_OK : diag_no_memory(diag), diag);
    if (status != INLAY_OK || further == NULL) {
        free(further);
        free(bounds);
        return status;
    }
    for (size_t w = 0; w < more; w++) {
        further[w] = *job;
        further[w].weights = 1;
        further[w].bounds = each > 0 ? bounds + w * each : NULL;
    }
    if (each == 0) {
        free(bounds);
    }
    job->further = further;
    for (size_t w = 0; w < more && status == INLAY_OK; w++) {
        status = weigh_graph(graph, (int32_t)w + 1, &further[w], diag);
    }
    return status;
}

static int bound_weight(const inlay_graph *graph, partition_job *job, int32_t weight, inlay_diag *diag)
{
    char which[32] = "";
    partition_job *of = weight == 0 ? job : &job->further[weight - 1];
    if (job->weights > 1) {
        (void)snprintf(which, sizeof which, "weight %d: ", (int)weight + 1);
    }
    partition_job_bound(of);
    return check_bounds(graph, of, which, diag);
}

static int make_job(const inlay_graph *graph, const inlay_partition_options *o, partition_job *job, inlay_diag *diag)
{
    int status = collective_agree(graph->comm, check_options(graph, o, diag), diag);
    status = status == INLAY_OK ? check_agreement(graph, o, diag) : status;
    status = status == INLAY_OK ? check_count(graph, o, diag) : status;
    if (status != INLAY_OK) {
        return status;
    }
    *job = (partition_job){.method = find_method(o->method)->public.name,
                           .parts = o->parts < graph->vertices ? o->parts : (int32_t)graph->vertices,
                           .imbalance = o->imbalance > 0 ? o->imbalance : 0.05,
                           .seed = o->seed,
                           .effort = o->effort,
                           .seconds = o->seconds,
                           .dimensions = o->dimensions,
                           .coordinate = o->coordinate,
                           .weights = graph_weights(graph)};
    status = weigh_graph(graph, 0, job, diag);
    status = status == INLAY_OK ? partition_targets_make(graph->comm, o->target, job, diag) : status;
    status = status == INLAY_OK ? make_further(graph, job, diag) : status;
    for (int32_t w = 0; w < job->weights && status == INLAY_OK && job->parts > 1; w++) {
        status = bound_weight(graph, job, w, diag);
    }
    return status;
}

/* Partitioners rely on arcs both ways: PT-Scotch waits for ever where one is missing. */
static int check_graph(const inlay_graph *graph, inlay_diag *diag)
{
    return collective_least(graph->comm, graph->checked) != 0 ? INLAY_OK : inlay_graph_check(graph, diag);
}

int partition_job_make(const inlay_graph *graph, const inlay_partition_options *options, partition_job *job,
                       inlay_diag *diag)
{
    int status = check_graph(graph, diag);
    return status == INLAY_OK ? make_job(graph, options, job, diag) : status;
}

/* ---- The frame ---- */

int partition_run_checked(partition_run *run, const inlay_graph *graph, const partition_job *job, int32_t *part,
                          inlay_diag *diag)
{
    bool knows = job->weights == 1 || run == partition_best || run == partition_metis;
    int status = knows ? run(graph, job, part, diag) : partition_run_combined(run, graph, job, part, diag);
    status = status == INLAY_OK ? partition_in_range(graph, part, job->parts, diag) : status;
    status = status == INLAY_OK ? partition_repair(graph, job, part, diag) : status;
    status = status == INLAY_OK ? partition_verify(graph, job, part, diag) : status;
    return status;
}

int inlay_partition(const inlay_graph *graph, const inlay_partition_options *options, int32_t *part, inlay_diag *diag)
{
    DIAG_CALL(diag);
    partition_job job = {.below = NULL};
    int status = partition_job_make(graph, options, &job, diag);
    if (status != INLAY_OK) {
        partition_targets_clear(&job);
        return status;
    }
    int32_t *made = memory_zeroed((size_t)graph->rows, sizeof *made);
    status = collective_agree(graph->comm, made == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    if (status == INLAY_OK && job.parts > 1) {
        status = partition_run_checked(find_method(options->method)->run, graph, &job, made, diag);
    }
    if (status == INLAY_OK && graph->rows > 0) {
        memcpy(part, made, (size_t)graph->rows * sizeof *part);
    }
    free(made);
    partition_targets_clear(&job);
    return status;
}
