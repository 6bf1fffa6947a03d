/*
 * A partition improved vertex by vertex, where moving away from the old part has its price.
 *
 * In a round each rank looks at its vertices one by one and moves those that gain, of those that go to a part of a higher
 * number, or in every other round of a lower one: so that neighbours on two ranks do not change places. What parts have room
 * for, and how many vertices they can spare, is shared out: evenly in some rounds, in others all of a part to one rank, in
 * turn. A round that made things worse, since ranks do not see each other's moves, is undone.
 */
#include "irregular/partition/repartition.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include "irregular/exchange/neighbours.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 400 };

typedef struct improvement {
    memory_pool arrays; /**< owns them */
    const inlay_graph *graph;
    const partition_job *job;
    const inlay_repartition_options *change;
    int32_t *part;
    int rank, ranks, round;
    int32_t weights;
    int64_t *load, *room;      /* [parts x weights] of all ranks; what this rank may add in this round */
    int64_t *vertices, *spare; /* [parts] of all ranks; how many this rank may take away */
    int64_t *bond;             /* [parts] weight of the edges between a vertex and the part */
    int32_t *touched;          /* [parts] parts with a bond */
    int32_t *moved, *was;      /* [rows] rows that moved in this round, and their part before */
    int32_t count;
    neighbours n;
} improvement;

static int64_t size_of(const inlay_repartition_options *change, int32_t row)
{
    return change->size == NULL ? 1 : change->size[row];
}

/* ---- Worth ---- */

/* With the neighbours' parts at hand. Collective. */
static repartition_worth weigh(const inlay_graph *graph, const neighbours *n, const inlay_repartition_options *change,
                               const int32_t *part)
{
    int64_t sums[3] = {0, 0, 0};
    for (int32_t i = 0; i < graph->rows; i++) {
        for (int64_t a = graph->start[i]; a < graph->start[i + 1]; a++) {
            int64_t weight = graph->weight == NULL ? 1 : graph->weight[a];
            sums[0] += neighbours_number(n, a) != part[i] ? weight : 0;
        }
        sums[1] += part[i] != change->from[i];
        sums[2] += part[i] != change->from[i] ? size_of(change, i) : 0;
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_INT64_T, MPI_SUM, graph->comm);
    repartition_worth worth = {sums[0] / 2, sums[1], sums[2], 0};
    worth.cost = (double)worth.cut + change->migration_cost * (double)worth.moved_size;
    return worth;
}

int repartition_weigh(const inlay_graph *graph, const inlay_repartition_options *change, const int32_t *part,
                      repartition_worth *worth, inlay_diag *diag)
{
    neighbours n = {0};
    int status = neighbours_make(graph, &n, diag);
    status = status == INLAY_OK ? neighbours_fetch(graph, &n, part, diag) : status;
    if (status == INLAY_OK) {
        *worth = weigh(graph, &n, change, part);
    }
    neighbours_clear(&n);
    return status;
}

/* ---- Moves ---- */

/* This rank's share of a number that all may use up together. */
static int64_t share(const improvement *m, int64_t all, int32_t part)
{
    bool turn = (part + m->round / 4) % m->ranks == m->rank, even = m->round / 2 % 2 == 0;
    int64_t rest = all % m->ranks;
    return all <= 0 ? 0 : even ? all / m->ranks + (turn ? rest : 0) : turn ? all : 0;
}

static void share_out(improvement *m)
{
    for (int32_t p = 0; p < m->job->parts; p++) {
        for (int32_t w = 0; w < m->weights; w++) {
            ptrdiff_t i = (ptrdiff_t)p * m->weights + w;
            m->room[i] = share(m, partition_limit(partition_weight(m->job, w), p) - m->load[i], p);
        }
        m->spare[p] = share(m, m->vertices[p] - 1, p);
    }
}

/* Sums the edges of a row by part; how many parts are touched, the old one among them. */
static int32_t find_bonds(improvement *m, int32_t row)
{
    int32_t count = 0;
    for (int64_t a = m->graph->start[row]; a < m->graph->start[row + 1]; a++) {
        int32_t p = neighbours_number(&m->n, a);
        if (m->bond[p] == 0) {
            m->touched[count++] = p;
        }
        m->bond[p] += m->graph->weight == NULL ? 1 : m->graph->weight[a];
    }
    if (m->bond[m->change->from[row]] == 0) {
        m->touched[count++] = m->change->from[row];
    }
    return count;
}

static bool has_room(const improvement *m, int32_t row, int32_t part)
{
    bool all = true;
    for (int32_t w = 0; w < m->weights && all; w++) {
        all = row_weight(m->graph, row, w) <= m->room[(ptrdiff_t)part * m->weights + w];
    }
    return all;
}

/* Takes the loads of a row off the room of a part, or gives them back. */
static void use_room(const improvement *m, int32_t row, int32_t part, int64_t times)
{
    for (int32_t w = 0; w < m->weights; w++) {
        m->room[(ptrdiff_t)part * m->weights + w] -= times * row_weight(m->graph, row, w);
    }
}

static bool may_move(const improvement *m, int32_t row, int32_t to)
{
    int32_t own = m->part[row];
    bool direction = m->ranks == 1 || (m->round % 2 == 0) == (to > own);
    return to != own && direction && has_room(m, row, to) && m->spare[own] > 0;
}

/* The part that is the best for it: the own one, where none is better. */
static int32_t best_part(improvement *m, int32_t row)
{
    int32_t own = m->part[row], from = m->change->from[row], best = own, count = find_bonds(m, row);
    double price = m->change->migration_cost * (double)size_of(m->change, row), most = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t p = m->touched[i];
        double gain = (double)(m->bond[p] - m->bond[own]) + price * ((own != from) - (p != from));
        if (may_move(m, row, p) && (gain > most || (gain == most && most > 0 && p < best))) {
            most = gain;
            best = p;
        }
    }
    for (int32_t i = 0; i < count; i++) {
        m->bond[m->touched[i]] = 0;
    }
    return best;
}

static void move(improvement *m, int32_t row, int32_t to)
{
    int32_t own = m->part[row];
    use_room(m, row, to, 1);
    m->spare[own]--;
    m->part[row] = to;
    m->n.value[row] = to; /* what other rows of this rank see */
    if (m->ranks == 1) {  /* what leaves makes room at once */
        use_room(m, row, own, -1);
        m->spare[to]++;
    }
}

/* How many vertices moved, of all ranks. */
static int64_t move_all(improvement *m)
{
    share_out(m);
    m->count = 0;
    for (int32_t i = 0; i < m->graph->rows; i++) {
        int32_t own = m->part[i], to = best_part(m, i);
        if (to != own) {
            move(m, i, to);
            m->moved[m->count] = i;
            m->was[m->count++] = own;
        }
    }
    return collective_sum(m->graph->comm, m->count);
}

static void undo(improvement *m)
{
    for (int32_t i = 0; i < m->count; i++) {
        m->part[m->moved[i]] = m->was[i];
    }
}

/* One round; `*better`: whether the cost fell. */
static int try_round(improvement *m, repartition_worth *worth, bool *better, inlay_diag *diag)
{
    *better = false;
    if (move_all(m) == 0) {
        return INLAY_OK;
    }
    int status = neighbours_fetch(m->graph, &m->n, m->part, diag);
    if (status != INLAY_OK) {
        return status;
    }
    repartition_worth now = weigh(m->graph, &m->n, m->change, m->part);
    *better = now.cost < worth->cost;
    if (*better) {
        *worth = now;
    } else {
        undo(m);
        status = neighbours_fetch(m->graph, &m->n, m->part, diag);
    }
    partition_weigh(m->graph, m->part, m->job->parts, m->load, m->vertices);
    return status;
}

static int make_room(improvement *m, inlay_diag *diag)
{
    size_t parts = (size_t)m->job->parts, rows = (size_t)m->graph->rows, all = parts * (size_t)m->weights;
    m->load = pool_array(&m->arrays, all, sizeof *m->load);
    m->vertices = pool_array(&m->arrays, parts, sizeof *m->vertices);
    m->room = pool_array(&m->arrays, all, sizeof *m->room);
    m->spare = pool_array(&m->arrays, parts, sizeof *m->spare);
    m->bond = pool_zeroed(&m->arrays, parts, sizeof *m->bond);
    m->touched = pool_array(&m->arrays, parts, sizeof *m->touched);
    m->moved = pool_array(&m->arrays, rows, sizeof *m->moved);
    m->was = pool_array(&m->arrays, rows, sizeof *m->was);
    return m->arrays.failed ? diag_no_memory(diag) : INLAY_OK;
}

int repartition_improve(const inlay_graph *graph, const partition_job *job, const inlay_repartition_options *change,
                        int32_t *part, repartition_worth *worth, inlay_diag *diag)
{
    improvement m = {.graph = graph, .job = job, .change = change, .part = part, .weights = job->weights};
    m.rank = collective_rank(graph->comm);
    m.ranks = collective_ranks(graph->comm);
    int status = collective_agree(graph->comm, make_room(&m, diag), diag);
    status = status == INLAY_OK ? neighbours_make(graph, &m.n, diag) : status;
    status = status == INLAY_OK ? neighbours_fetch(graph, &m.n, part, diag) : status;
    if (status == INLAY_OK) {
        partition_weigh(graph, part, job->parts, m.load, m.vertices);
        *worth = weigh(graph, &m.n, change, part);
    }
    /* both directions, with what there is shared out evenly, and with each rank in turn */
    int patience = m.ranks == 1 ? 1 : 4 * (m.ranks < 8 ? m.ranks : 8);
    for (int idle = 0; m.round < MOST_ROUNDS && idle < patience && status == INLAY_OK; m.round++) {
        bool better;
        status = try_round(&m, worth, &better, diag);
        idle = better ? 0 : idle + 1;
    }
    neighbours_clear(&m.n);
    pool_clear(&m.arrays);
    return status;
}
