/*
 * Blocks: each part is a run of global numbers of about equal load. Vertices lie on ranks in any order, so their loads are
 * sent to where they lie in order of number, and the parts come back.
 *
 * A vertex belongs to part i where the middle of its load, in the sum over all vertices in order, lies between i and i + 1
 * times total / parts. With equal loads that is the block distribution.
 */
#include "irregular/partition/partitioner.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include <inlay/irregular_table.h>

typedef struct numbered {
    int64_t global, load;
} numbered;

/* On the way to the rank that has the vertices of a block of numbers, and there. */
typedef struct journey {
    memory_pool arrays; /**< owns them */
    exchange *x;
    int32_t *owner, *place;     /* [rows] */
    numbered *sent, *come;      /* [rows], [received] */
    int64_t *load;              /* [block] by number */
    int32_t *part;              /* [block] by number */
    int32_t *answer, *answered; /* [received], [rows] */
    int64_t first, block;       /* numbers first .. first + block - 1 come here */
} journey;

static void journey_clear(journey *j)
{
    exchange_free(j->x);
    pool_clear(&j->arrays);
}

static int prepare(const inlay_graph *graph, journey *j, inlay_diag *diag)
{
    int rank = collective_rank(graph->comm), ranks = collective_ranks(graph->comm);
    size_t rows = (size_t)graph->rows;
    j->first = inlay_block_first(graph->vertices, ranks, rank);
    j->block = inlay_block_first(graph->vertices, ranks, rank + 1) - j->first;
    j->owner = pool_array(&j->arrays, rows, sizeof *j->owner);
    j->place = pool_array(&j->arrays, rows, sizeof *j->place);
    j->sent = pool_array(&j->arrays, rows, sizeof *j->sent);
    j->answered = pool_array(&j->arrays, rows, sizeof *j->answered);
    j->load = pool_zeroed(&j->arrays, (size_t)j->block, sizeof *j->load);
    j->part = pool_zeroed(&j->arrays, (size_t)j->block, sizeof *j->part);
    if (j->arrays.failed) {
        return diag_no_memory(diag);
    }
    for (int32_t i = 0; i < graph->rows; i++) {
        j->owner[i] = inlay_block_owner(graph->vertices, ranks, row_global(graph, i));
    }
    return INLAY_OK;
}

/* Where all loads are 0, the vertices count. */
static int pack(const inlay_graph *graph, const partition_job *job, journey *j, inlay_diag *diag)
{
    int status = exchange_places(j->x, j->owner, graph->rows, j->place, diag);
    j->come = pool_array(&j->arrays, (size_t)j->x->receives, sizeof *j->come);
    j->answer = pool_array(&j->arrays, (size_t)j->x->receives, sizeof *j->answer);
    if (status == INLAY_OK && j->arrays.failed) {
        status = diag_no_memory(diag);
    }
    for (int32_t i = 0; i < graph->rows && status == INLAY_OK; i++) {
        j->sent[j->place[i]] = (numbered){row_global(graph, i), job->total > 0 ? row_load(graph, i) : 1};
    }
    return status;
}

/* The parts of the numbers of this rank. */
static void cut(journey *j, const partition_job *job, int64_t vertices, int64_t before)
{
    int64_t total = job->total > 0 ? job->total : vertices;
    int32_t p = 0;
    for (int64_t v = 0; v < j->block; v++) {
        while (p < job->parts - 1 && partition_share(job, total, 0, p + 1, job->parts) <= before + j->load[v] / 2) {
            p++;
        }
        j->part[v] = p;
        before += j->load[v];
    }
}

static int64_t unpack(journey *j)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < j->x->receives; i++) {
        j->load[j->come[i].global - j->first] = j->come[i].load;
        sum += j->come[i].load;
    }
    return sum;
}

static int travel(const inlay_graph *graph, const partition_job *job, journey *j, int32_t *part, inlay_diag *diag)
{
    int status = exchange_run(j->x, j->sent, j->come, sizeof *j->sent, diag);
    status = collective_agree(graph->comm, status, diag);
    if (status != INLAY_OK) {
        return status;
    }
    cut(j, job, graph->vertices, collective_before(graph->comm, unpack(j)));
    for (int64_t i = 0; i < j->x->receives; i++) {
        j->answer[i] = j->part[j->come[i].global - j->first];
    }
    status = collective_agree(graph->comm, exchange_back(j->x, j->answer, j->answered, sizeof *j->answer, diag), diag);
    for (int32_t i = 0; i < graph->rows && status == INLAY_OK; i++) {
        part[i] = j->answered[j->place[i]];
    }
    return status;
}

int partition_block(const inlay_graph *graph, const partition_job *job, int32_t *part, inlay_diag *diag)
{
    journey j = {.x = NULL};
    int status = collective_agree(graph->comm, prepare(graph, &j, diag), diag);
    status = status == INLAY_OK ? exchange_of_owners(graph->comm, j.owner, graph->rows, &j.x, diag) : status;
    status = status == INLAY_OK ? collective_agree(graph->comm, pack(graph, job, &j, diag), diag) : status;
    status = status == INLAY_OK ? travel(graph, job, &j, part, diag) : status;
    journey_clear(&j);
    return status;
}
