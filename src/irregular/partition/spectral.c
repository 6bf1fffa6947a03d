/*
 * Recursive spectral bisection (H. Simon, Partitioning of unstructured problems for parallel processing, 1991): the graph
 * is cut in two, the halves again, and so on. While there are several ranks each half goes on with some of them, its rows
 * moved there; a rank that is alone with a half cuts it up by itself. Parts need not be a power of two: the halves get
 * half of the parts each, rounded, and load in proportion.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include "irregular/partition/partitioner.h"
#include "irregular/partition/spectral_bisect.h"
#include "irregular/partition/spectral_level.h"
#include "irregular/row_table.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The part of a vertex, told where that vertex was given: origin = rank x 2^32 + row. */
typedef struct answer {
    int64_t origin, part;
} answer;

typedef struct rsb {
    const partition_job *job;
    answer *answers;
    size_t answer_room, answered;
    inlay_diag *diag;
} rsb;

static int split(rsb *r, spectral_level *g, int32_t first_part, int32_t parts);

/* ---- The graph that was given ---- */

/* first[ranks + 1] of numbers that follow the order of ranks and rows. */
static void number_ranks(const inlay_graph *graph, int64_t *first)
{
    int64_t rows = graph->rows;
    int ranks = collective_ranks(graph->comm);
    first[0] = 0;
    MPI_Allgather(&rows, 1, MPI_INT64_T, first + 1, 1, MPI_INT64_T, graph->comm);
    for (int r = 0; r < ranks; r++) {
        first[r + 1] += first[r];
    }
}

/* Are the vertices already numbered that way? */
static bool is_numbered(const inlay_graph *graph, const int64_t *first)
{
    int64_t mine = first[collective_rank(graph->comm)];
    return collective_least(graph->comm, graph->global == NULL && (graph->rows == 0 || graph->first == mine)) == 1;
}

/* The columns: the places where their owners have them. */
static int renumber(const inlay_graph *graph, const int64_t *first, int64_t *column, inlay_diag *diag)
{
    int64_t arcs = graph->start[graph->rows];
    if (is_numbered(graph, first)) {
        memcpy(column, graph->column, (size_t)arcs * sizeof *column);
        return INLAY_OK;
    }
    int32_t *owner = memory_array((size_t)arcs, sizeof *owner), *offset = memory_array((size_t)arcs, sizeof *offset);
    inlay_table *table = NULL;
    bool room = owner != NULL && offset != NULL;
    int status = collective_agree(graph->comm, room ? INLAY_OK : diag_no_memory(diag), diag);
    status = status == INLAY_OK ? row_table(graph, &table, diag) : status;
    status = status == INLAY_OK ? inlay_table_dereference(table, graph->column, arcs, owner, offset, diag) : status;
    for (int64_t a = 0; a < arcs && status == INLAY_OK; a++) {
        column[a] = first[owner[a]] + offset[a];
    }
    inlay_table_free(table);
    free(owner);
    free(offset);
    return status;
}

static void copy_rows(const inlay_graph *graph, const int64_t *first, const int64_t *column, spectral_rows *rows)
{
    int rank = collective_rank(graph->comm);
    for (int32_t i = 0; i < graph->rows; i++) {
        int64_t begin = graph->start[i], end = graph->start[i + 1];
        rows->row[i] = (spectral_row){.row = first[rank] + i,
                                      .load = graph->load == NULL ? 1 : graph->load[i],
                                      .mass = 1,
                                      .origin = (int64_t)rank << 32 | i,
                                      .arcs = end - begin};
        for (int64_t a = begin; a < end; a++) {
            rows->arc[a] = (spectral_arc){column[a], graph->weight == NULL ? 1 : graph->weight[a]};
        }
    }
}

int spectral_level_of(const inlay_graph *graph, spectral_level **level, inlay_diag *diag)
{
    int64_t arcs = graph->start[graph->rows];
    int64_t *first = memory_array((size_t)collective_ranks(graph->comm) + 1, sizeof *first);
    int64_t *column = memory_array((size_t)arcs, sizeof *column);
    spectral_rows rows = {0};
    bool room = first != NULL && column != NULL && spectral_rows_room(&rows, graph->rows, arcs);
    int status = collective_agree(graph->comm, room ? INLAY_OK : diag_no_memory(diag), diag);
    if (status == INLAY_OK) {
        number_ranks(graph, first);
        status = renumber(graph, first, column, diag);
    }
    if (status == INLAY_OK) {
        copy_rows(graph, first, column, &rows);
        free(column);
        column = NULL;
        status = spectral_level_make(graph->comm, first, &rows, level, diag);
    }
    spectral_rows_clear(&rows);
    free(column);
    free(first);
    return status;
}

/* ---- Halves ---- */

/* The vertices of one side of a level, on their way to the ranks that go on with them. */
typedef struct half {
    int32_t first_part, parts;
    int first_rank, ranks; /* of the level's communicator */
    int64_t vertices;
} half;

/* Ranks in proportion to parts; all of them where the other half is done. */
static void deal_ranks(int ranks, half halves[2])
{
    int share = (int)lround((double)ranks * halves[0].parts / (halves[0].parts + halves[1].parts));
    share = share < 1 ? 1 : share >= ranks ? ranks - 1 : share;
    bool alone = ranks == 1 || halves[0].parts == 1 || halves[1].parts == 1;
    for (int s = 0; s < 2; s++) {
        halves[s].first_rank = alone || s == 0 ? 0 : share;
        halves[s].ranks = alone ? ranks : s == 0 ? share : ranks - share;
    }
}

/* name[rows + ghosts]: numbers within each half. */
static void name_halves(const spectral_level *g, const uint8_t *side, half halves[2], int64_t *name)
{
    int64_t count[2] = {0, 0}, next[2] = {0, 0};
    for (int32_t i = 0; i < g->rows; i++) {
        count[side[i]]++;
    }
    MPI_Exscan(count, next, 2, MPI_INT64_T, MPI_SUM, g->comm);
    if (g->rank == 0) {
        next[0] = next[1] = 0; /* left undefined by MPI */
    }
    MPI_Allreduce(MPI_IN_PLACE, count, 2, MPI_INT64_T, MPI_SUM, g->comm);
    halves[0].vertices = count[0];
    halves[1].vertices = count[1];
    for (int32_t i = 0; i < g->rows; i++) {
        name[i] = next[side[i]]++;
    }
    spectral_share(g, name, sizeof *name);
}

/* Rows of the halves in `which` (bit s for side s), without the edges between them, and who goes on with them. */
static void take_rows(const spectral_level *g, const uint8_t *side, const half halves[2], const int64_t *name,
                      int which, spectral_rows *rows, int32_t *owner)
{
    rows->rows = rows->arcs = 0;
    for (int32_t i = 0; i < g->rows; i++) {
        const half *h = &halves[side[i]];
        if ((which >> side[i] & 1) == 0) {
            continue;
        }
        int64_t before = rows->arcs;
        for (int64_t a = g->start[i]; a < g->start[i + 1]; a++) {
            if (side[g->column[a]] == side[i]) {
                rows->arc[rows->arcs++] = (spectral_arc){name[g->column[a]], g->weight[a]};
            }
        }
        owner[rows->rows] = h->first_rank + inlay_block_owner(h->vertices, h->ranks, name[i]);
        rows->row[rows->rows++] = (spectral_row){
            .row = name[i], .load = g->load[i], .mass = 1, .origin = g->origin[i], .arcs = rows->arcs - before};
    }
}

/* Sends rows of the halves in `which`; those received are of the half that this rank goes on with. */
static int move_rows(rsb *r, const spectral_level *g, const uint8_t *side, const half halves[2], const int64_t *name,
                     int which, spectral_rows *received)
{
    spectral_rows rows = {0};
    int32_t *owner = memory_array((size_t)g->rows, sizeof *owner);
    bool room = owner != NULL && spectral_rows_room(&rows, g->rows, g->start[g->rows]);
    int status = collective_agree(g->comm, room ? INLAY_OK : diag_no_memory(r->diag), r->diag);
    if (status == INLAY_OK) {
        take_rows(g, side, halves, name, which, &rows, owner);
        status = spectral_rows_send(g->comm, &rows, owner, received, r->diag);
    }
    spectral_rows_clear(&rows);
    free(owner);
    return status;
}

/* Parts are told for the vertices of halves that are one part. */
static int answer_rows(rsb *r, const spectral_level *g, const uint8_t *side, const half halves[2])
{
    for (int32_t i = 0; i < g->rows; i++) {
        const half *h = &halves[side[i]];
        if (h->parts == 1) {
            if (!memory_grow((void **)&r->answers, &r->answer_room, r->answered + 1, sizeof *r->answers)) {
                return diag_no_memory(r->diag);
            }
            r->answers[r->answered++] = (answer){g->origin[i], h->first_part};
        }
    }
    return INLAY_OK;
}

static bool apart(const half halves[2])
{
    return halves[1].first_rank > 0;
}

/* Rows of the halves that this rank goes on with. */
static int leave(rsb *r, const spectral_level *g, const uint8_t *side, half halves[2], spectral_rows rows[2])
{
    int64_t *name = memory_array((size_t)g->rows + (size_t)g->ghosts, sizeof *name);
    int status = name == NULL ? diag_no_memory(r->diag) : answer_rows(r, g, side, halves);
    status = collective_agree(g->comm, status, r->diag);
    if (status == INLAY_OK) {
        name_halves(g, side, halves, name);
        if (apart(halves)) {
            status = move_rows(r, g, side, halves, name, 3, &rows[g->rank >= halves[1].first_rank]);
        }
    }
    for (int s = 0; s < 2 && status == INLAY_OK && !apart(halves); s++) {
        if (halves[s].parts > 1) {
            status = move_rows(r, g, side, halves, name, 1 << s, &rows[s]);
        }
    }
    free(name);
    return status;
}

/* Makes a level of a half, on the ranks that have its rows, and splits it. */
/* NOLINTNEXTLINE(misc-no-recursion): the logarithm of the parts deep */
static int go_on(rsb *r, MPI_Comm comm, const half *h, spectral_rows *rows)
{
    spectral_level *level = NULL;
    int64_t *first = memory_array((size_t)h->ranks + 1, sizeof *first);
    int status = collective_agree(comm, first == NULL ? diag_no_memory(r->diag) : INLAY_OK, r->diag);
    for (int k = 0; k <= h->ranks && status == INLAY_OK; k++) {
        first[k] = inlay_block_first(h->vertices, h->ranks, k);
    }
    status = status == INLAY_OK ? spectral_level_make(comm, first, rows, &level, r->diag) : status;
    free(first);
    spectral_rows_clear(rows);
    return status == INLAY_OK ? split(r, level, h->first_part, h->parts) : status;
}

/* NOLINTNEXTLINE(misc-no-recursion): the logarithm of the parts deep */
static int go_on_apart(rsb *r, MPI_Comm comm, const half halves[2], spectral_rows rows[2])
{
    int rank = collective_rank(comm), mine = rank >= halves[1].first_rank;
    MPI_Comm own = MPI_COMM_NULL;
    int status = collective_mpi(MPI_Comm_split(comm, mine, rank, &own), r->diag);
    status = collective_agree(comm, status, r->diag);
    status = status == INLAY_OK ? go_on(r, own, &halves[mine], &rows[mine]) : status;
    if (own != MPI_COMM_NULL) {
        MPI_Comm_free(&own);
    }
    return collective_agree(comm, status, r->diag);
}

/* ---- Bisections ---- */

/* What so many parts may weigh together; the most that there is, at most. */
static int64_t target_of(const partition_job *job, int32_t first, int32_t parts, int64_t most)
{
    int64_t sum = 0;
    for (int32_t p = first; p < first + parts && sum < most; p++) {
        int64_t target = partition_target(job, p);
        sum = target > most - sum ? most : sum + target;
    }
    return sum;
}

/* Each half aims at its share. What the parts may weigh above the average is spread over the bisections still to come; and
   each part of the other half is left an average vertex. */
static spectral_goal goal_of(const rsb *r, int64_t vertices, int64_t total, const half halves[2])
{
    spectral_goal goal;
    int32_t parts = halves[0].parts + halves[1].parts;
    int levels = 0;
    for (int32_t k = 1; k < parts; k *= 2) {
        levels++;
    }
    int32_t first = halves[0].first_part;
    double all = (double)target_of(r->job, first, parts, INT64_MAX);
    double slack = total > 0 ? pow(all / (double)total, 1.0 / levels) : 1;
    goal.load[0] = partition_share(r->job, total, first, halves[0].parts, parts);
    goal.load[1] = total - goal.load[0];
    for (int s = 0; s < 2; s++) {
        double fair = (double)total * halves[s].parts / parts;
        fair = r->job->below != NULL ? (double)goal.load[s] : fair;
        int64_t most = target_of(r->job, halves[s].first_part, halves[s].parts, total);
        int64_t loose = (int64_t)fmin(floor(fair * slack * (1 + 1e-12)), (double)most);
        double average = vertices > 0 ? (double)total / (double)vertices : 0;
        int64_t others = total - (int64_t)ceil(average * halves[1 - s].parts);
        int64_t limit = loose < most ? loose : most;
        limit = limit < others ? limit : others;
        goal.limit[s] = limit < goal.load[s] ? goal.load[s] : limit;
    }
    return goal;
}

static int64_t total_load(const spectral_level *g)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < g->rows; i++) {
        sum += g->load[i];
    }
    return collective_sum(g->comm, sum);
}

/* Cuts g into parts, and frees it before the halves go on. */
/* NOLINTNEXTLINE(misc-no-recursion): the logarithm of the parts deep */
static int split(rsb *r, spectral_level *g, int32_t first_part, int32_t parts)
{
    MPI_Comm comm = g->comm;
    half halves[2] = {{.first_part = first_part, .parts = parts / 2},
                      {.first_part = first_part + parts / 2, .parts = parts - parts / 2}};
    spectral_rows rows[2] = {{0}, {0}};
    spectral_worth worth;
    uint8_t *side = memory_array((size_t)g->rows + (size_t)g->ghosts, sizeof *side);
    int status = collective_agree(comm, side == NULL ? diag_no_memory(r->diag) : INLAY_OK, r->diag);
    deal_ranks(g->ranks, halves);
    if (status == INLAY_OK) {
        spectral_goal goal = goal_of(r, g->vertices, total_load(g), halves);
        MPI_Bcast(&goal, 4, MPI_INT64_T, 0, comm); /* of processors that differ in the last digit of a power */
        uint64_t seed = spectral_mix(r->job->seed ^ ((uint64_t)first_part << 32 | (uint64_t)parts));
        status = spectral_bisect(g, &goal, seed, side, NULL, &worth, r->diag);
    }
    status = status == INLAY_OK ? leave(r, g, side, halves, rows) : status;
    spectral_level_free(g);
    free(side);
    if (status == INLAY_OK && apart(halves)) {
        status = go_on_apart(r, comm, halves, rows);
    } else {
        for (int s = 0; s < 2 && status == INLAY_OK; s++) {
            status = halves[s].parts > 1 ? go_on(r, comm, &halves[s], &rows[s]) : status;
        }
    }
    spectral_rows_clear(&rows[0]);
    spectral_rows_clear(&rows[1]);
    return status;
}

/* ---- Answers ---- */

static int send_answers(const rsb *r, const inlay_graph *graph, const int32_t *rank, answer *sorted, int32_t *part)
{
    exchange *made = NULL;
    int status = exchange_of_owners(graph->comm, rank, (int64_t)r->answered, &made, r->diag);
    if (status != INLAY_OK) {
        return status;
    }
    int32_t *place = memory_array(r->answered, sizeof *place);
    answer *received = memory_array((size_t)made->receives, sizeof *received);
    status = place == NULL || received == NULL ? diag_no_memory(r->diag)
                                               : exchange_places(made, rank, (int64_t)r->answered, place, r->diag);
    for (size_t i = 0; i < r->answered && status == INLAY_OK; i++) {
        sorted[place[i]] = r->answers[i];
    }
    status = collective_agree(graph->comm, status, r->diag);
    if (status == INLAY_OK) {
        status =
            collective_agree(graph->comm, exchange_run(made, sorted, received, sizeof *received, r->diag), r->diag);
    }
    for (int64_t i = 0; i < made->receives && status == INLAY_OK; i++) {
        part[received[i].origin & 0xffffffff] = (int32_t)received[i].part;
    }
    free(place);
    free(received);
    exchange_free(made);
    return status;
}

static int return_answers(const rsb *r, const inlay_graph *graph, int32_t *part)
{
    int32_t *rank = memory_array(r->answered, sizeof *rank);
    answer *sorted = memory_array(r->answered, sizeof *sorted);
    int status = rank == NULL || sorted == NULL ? diag_no_memory(r->diag) : INLAY_OK;
    for (size_t i = 0; i < r->answered && status == INLAY_OK; i++) {
        rank[i] = (int32_t)(r->answers[i].origin >> 32);
    }
    status = collective_agree(graph->comm, status, r->diag);
    status = status == INLAY_OK ? send_answers(r, graph, rank, sorted, part) : status;
    free(rank);
    free(sorted);
    return status;
}

int partition_rsb(const inlay_graph *graph, const partition_job *job, int32_t *part, inlay_diag *diag)
{
    rsb r = {.job = job, .diag = diag};
    spectral_level *level = NULL;
    int status = spectral_level_of(graph, &level, diag);
    status = status == INLAY_OK ? collective_agree(graph->comm, split(&r, level, 0, job->parts), diag) : status;
    status = status == INLAY_OK ? return_answers(&r, graph, part) : status;
    free(r.answers);
    return status;
}
