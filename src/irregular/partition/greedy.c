/*
 * Greedy growth (C. Farhat, "A simple and efficient automatic FEM domain decomposer", 1988): parts are grown one after the
 * other, breadth first, each until it has its share of the load that is left.
 *
 * A part begins at a vertex next to the one before: that with the fewest neighbours in no part, then that of the smallest
 * number. The first part begins far from the first vertex. Where growth comes to the end of a component, it goes on at the
 * first vertices that are in no part, at twice as many each time, so that many small components take few rounds.
 *
 * Each breadth-first step is one exchange: ranks tell each other which of their vertices the new ones are neighbours of. The
 * last step of a part takes as many vertices as the share allows, in the order of ranks.
 */
#include "irregular/partition/partitioner.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include "irregular/row_table.h"
#include <stdlib.h>
#include <string.h>

/* Rows of this rank. */
typedef struct row_list {
    int32_t *row;
    int32_t count;
} row_list;

typedef struct growth {
    memory_pool arrays; /**< owns them */
    const inlay_graph *graph;
    const partition_job *job;
    int32_t *part; /* [rows] -1: in none yet */
    int rank, ranks;
    int32_t *owner, *offset; /* [arcs] where the vertex at the other end lies */
    int32_t *near;           /* [rows] neighbours in parts */
    int32_t *reached;        /* [rows] the last search that came by */
    int32_t search;          /* number of this one */
    row_list front, next;    /* of this step and the next */
    row_list border;         /* reached in this search, and in no part */
    int32_t first;           /* rows below are in parts */
    int32_t open;            /* rows in no part, and their load */
    int64_t open_load;
    int64_t *counts; /* [ranks] what is sent in a step */
} growth;

static int allocate(growth *g, inlay_diag *diag)
{
    size_t rows = (size_t)g->graph->rows, arcs = (size_t)g->graph->start[g->graph->rows];
    g->owner = pool_array(&g->arrays, arcs, sizeof *g->owner);
    g->offset = pool_array(&g->arrays, arcs, sizeof *g->offset);
    g->near = pool_zeroed(&g->arrays, rows, sizeof *g->near);
    g->reached = pool_zeroed(&g->arrays, rows, sizeof *g->reached);
    g->front.row = pool_array(&g->arrays, rows, sizeof *g->front.row);
    g->next.row = pool_array(&g->arrays, rows, sizeof *g->next.row);
    g->border.row = pool_array(&g->arrays, rows, sizeof *g->border.row);
    g->counts = pool_array(&g->arrays, (size_t)g->ranks, sizeof *g->counts);
    return g->arrays.failed ? diag_no_memory(diag) : INLAY_OK;
}

/* Where the whole graph has no load, the vertices count. */
static int64_t load_of(const growth *g, int32_t row)
{
    return g->job->total > 0 ? row_load(g->graph, row) : 1;
}

static int growth_make(const inlay_graph *graph, const partition_job *job, int32_t *part, growth *g, inlay_diag *diag)
{
    *g = (growth){.graph = graph, .job = job, .part = part, .open = graph->rows};
    g->rank = collective_rank(graph->comm);
    g->ranks = collective_ranks(graph->comm);
    for (int32_t i = 0; i < graph->rows; i++) {
        part[i] = -1;
        g->open_load += load_of(g, i);
    }
    int status = collective_agree(graph->comm, allocate(g, diag), diag);
    inlay_table *table = NULL;
    status = status == INLAY_OK ? row_table(graph, &table, diag) : status;
    if (status == INLAY_OK) {
        status = inlay_table_dereference(table, graph->column, graph->start[graph->rows], g->owner, g->offset, diag);
    }
    inlay_table_free(table);
    return status;
}

/* ---- A step ---- */

/* A neighbour of a new vertex: it belongs to the next front if it is in no part and was not seen. */
static void visit(growth *g, int32_t row, bool grown)
{
    g->near[row] += grown;
    if (g->part[row] < 0 && g->reached[row] != g->search) {
        g->reached[row] = g->search;
        g->next.row[g->next.count++] = row;
    }
}

/* Counts what goes to other ranks, and visits what is here. */
static void visit_own(growth *g, bool grown)
{
    memset(g->counts, 0, (size_t)g->ranks * sizeof *g->counts);
    for (int32_t i = 0; i < g->front.count; i++) {
        int32_t row = g->front.row[i];
        for (int64_t a = g->graph->start[row]; a < g->graph->start[row + 1]; a++) {
            if (g->owner[a] == g->rank) {
                visit(g, g->offset[a], grown);
            } else {
                g->counts[g->owner[a]]++;
            }
        }
    }
}

/* Rows to be visited on other ranks, in the order of x->to. */
static void pack(growth *g, const exchange *x, int32_t *rows)
{
    memcpy(g->counts, x->to, (size_t)g->ranks * sizeof *g->counts);
    for (int32_t i = 0; i < g->front.count; i++) {
        int32_t row = g->front.row[i];
        for (int64_t a = g->graph->start[row]; a < g->graph->start[row + 1]; a++) {
            if (g->owner[a] != g->rank) {
                rows[g->counts[g->owner[a]]++] = g->offset[a];
            }
        }
    }
}

/* Visits all neighbours of the front; `grown`: it is in a part from now on. Then what they make is the front. */
static int step(growth *g, bool grown, inlay_diag *diag)
{
    MPI_Comm comm = g->graph->comm;
    g->next.count = 0;
    visit_own(g, grown);
    exchange *x = NULL;
    int status = exchange_make(comm, g->counts, &x, diag);
    if (status != INLAY_OK) {
        return status;
    }
    int32_t *sent = memory_array((size_t)x->sends, sizeof *sent),
            *come = memory_array((size_t)x->receives, sizeof *come);
    status = collective_agree(comm, sent == NULL || come == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    if (status == INLAY_OK) {
        pack(g, x, sent);
        status = collective_agree(comm, exchange_run(x, sent, come, sizeof *sent, diag), diag);
    }
    for (int64_t i = 0; i < x->receives && status == INLAY_OK; i++) {
        visit(g, come[i], grown);
    }
    free(sent);
    free(come);
    exchange_free(x);
    row_list old = g->front;
    g->front = g->next;
    g->next = old;
    return status;
}

/* ---- Where to begin ---- */

/* Of all ranks' rows in the list that are in no part, the one with the fewest neighbours in none, then of the smallest number,
 * is alone in the front. The front is empty where there is no such row. Collective. */
static void begin_at_best(growth *g, const row_list *from)
{
    MPI_Comm comm = g->graph->comm;
    int64_t fewest = INT64_MAX, number = INT64_MAX;
    int32_t best = -1;
    for (int32_t i = 0; i < from->count; i++) {
        int32_t row = from->row[i];
        int64_t open = g->graph->start[row + 1] - g->graph->start[row] - g->near[row],
                global = row_global(g->graph, row);
        if (g->part[row] < 0 && (open < fewest || (open == fewest && global < number))) {
            fewest = open;
            number = global;
            best = row;
        }
    }
    int64_t least = collective_least(comm, fewest);
    int64_t first = collective_least(comm, fewest == least ? number : INT64_MAX);
    g->front.count = 0;
    if (best >= 0 && fewest == least && number == first) {
        g->front.row[g->front.count++] = best;
    }
}

/* The first `count` rows of all ranks that are in no part make the front. Collective. */
static void begin_at_first(growth *g, int64_t count)
{
    int64_t before = collective_before(g->graph->comm, g->open);
    g->front.count = 0;
    while (g->first < g->graph->rows && g->part[g->first] >= 0) {
        g->first++;
    }
    for (int32_t row = g->first; row < g->graph->rows && before + g->front.count < count; row++) {
        if (g->part[row] < 0) {
            g->front.row[g->front.count++] = row;
        }
    }
}

/* A vertex far from the first one: the best of those that a search from there reaches last. */
static int begin_far(growth *g, inlay_diag *diag)
{
    int status = INLAY_OK;
    int64_t found = 1;
    g->search++;
    begin_at_first(g, 1);
    for (int32_t i = 0; i < g->front.count; i++) {
        g->reached[g->front.row[i]] = g->search;
    }
    while (found > 0 && status == INLAY_OK) {
        memcpy(g->border.row, g->front.row, (size_t)g->front.count * sizeof *g->front.row);
        g->border.count = g->front.count;
        status = step(g, false, diag);
        found = status == INLAY_OK ? collective_sum(g->graph->comm, g->front.count) : 0;
    }
    if (status == INLAY_OK) {
        begin_at_best(g, &g->border);
    }
    return status;
}

/* ---- A part ---- */

/* Load and number of the rows of the front, of all ranks. */
typedef struct front_size {
    int64_t load, rows, before; /* before: load of the rows of lower ranks */
} front_size;

static front_size measure_front(const growth *g)
{
    int64_t mine[2] = {0, g->front.count}, all[2];
    for (int32_t i = 0; i < g->front.count; i++) {
        mine[0] += load_of(g, g->front.row[i]);
    }
    MPI_Allreduce(mine, all, 2, MPI_INT64_T, MPI_SUM, g->graph->comm);
    return (front_size){all[0], all[1], collective_before(g->graph->comm, mine[0])};
}

/* Gives the front to part p as far as `room` allows, in the order of ranks; the rest goes to the border. Local. */
static void take(growth *g, int32_t p, const front_size *size, int64_t room)
{
    int64_t before = size->before;
    int32_t kept = 0;
    for (int32_t i = 0; i < g->front.count; i++) {
        int32_t row = g->front.row[i];
        int64_t w = load_of(g, row);
        if (size->load <= room || before + w / 2 < room) {
            g->part[row] = p;
            g->open--;
            g->open_load -= w;
            g->front.row[kept++] = row;
        } else {
            g->border.row[g->border.count++] = row;
        }
        before += w;
    }
    g->front.count = kept;
}

/* Marks the front as reached: where a search begins. */
static void mark(growth *g)
{
    for (int32_t i = 0; i < g->front.count; i++) {
        g->reached[g->front.row[i]] = g->search;
    }
}

/* Grows part p from the front until it weighs about `goal`; the border is then what surrounds it. */
static int grow(growth *g, int32_t p, int64_t goal, inlay_diag *diag)
{
    int64_t taken = 0, seeds = 1;
    int status = INLAY_OK;
    g->search++;
    g->border.count = 0;
    mark(g);
    while (taken < goal && status == INLAY_OK) {
        front_size size = measure_front(g);
        if (size.rows == 0) {
            begin_at_first(g, seeds);
            mark(g);
            seeds *= 2;
            size = measure_front(g);
        }
        if (size.rows == 0) {
            break;
        }
        take(g, p, &size, goal - taken);
        taken += size.load;
        status = step(g, true, diag);
    }
    memcpy(g->border.row + g->border.count, g->front.row, (size_t)g->front.count * sizeof *g->front.row);
    g->border.count += g->front.count;
    return status;
}

/* The load that part p can have of what is in none, rounded up. Collective. */
static int64_t share_of(const growth *g, int32_t p)
{
    int64_t load = collective_sum(g->graph->comm, g->open_load);
    int32_t others = g->job->parts - p - 1;
    return load > 0 ? 1 + partition_share(g->job, load - 1, p, 1, others + 1) : 0;
}

int partition_greedy(const inlay_graph *graph, const partition_job *job, int32_t *part, inlay_diag *diag)
{
    growth g;
    int status = growth_make(graph, job, part, &g, diag);
    status = status == INLAY_OK ? begin_far(&g, diag) : status;
    for (int32_t p = 0; p < job->parts - 1 && status == INLAY_OK; p++) {
        status = grow(&g, p, share_of(&g, p), diag);
        begin_at_best(&g, &g.border);
    }
    for (int32_t i = 0; i < graph->rows; i++) {
        part[i] = part[i] < 0 ? job->parts - 1 : part[i];
    }
    pool_clear(&g.arrays);
    return status;
}
