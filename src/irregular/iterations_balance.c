/*
 * Iterations from full ranks to those where they lose the fewest elements.
 *
 * Each iteration begins at the rank that has most of its elements. A rank is full where it has more iterations than the
 * limit, free where it has fewer. A candidate is an iteration of a full rank; its loss is the number of elements that it has
 * there less those that it has on the free rank with most of them (of equal ones the emptiest). One that has none on
 * a free rank may go to any.
 *
 * In each round all ranks take the candidates of the least loss that any of them has. Counted in the order of the ranks
 * that hold them, the first ones go: of each full rank as many as it has above the limit, and of these to each free rank as
 * many as it has below it. Candidates that may go to any rank are dealt to the free ones, from the first on, as
 * many as each has room for. Then full and free ranks are found anew.
 *
 * What the ranks tell each other are sums with a number for each rank; the iterations stay where they are. In each
 * round a free rank or a full one reaches the limit, or all candidates of a loss have gone, and no loss ever shrinks: there
 * are at most twice as many rounds as ranks, and one for each loss. The limit can be kept since it is no less than the
 * average.
 */
#include "irregular/iterations.h"
#include "base/diag.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { ANY = -1 };

/* An iteration of a full rank. */
typedef struct candidate {
    int32_t iteration;
    int32_t target; /* free rank with most of its elements, or ANY */
    int32_t loss;
    bool goes; /* in this round */
} candidate;

typedef struct balance {
    MPI_Comm comm;
    int self, ranks;
    const inlay_ripa *ripa;
    int32_t *rank; /* of each iteration here */
    int64_t limit;
    int64_t *held;                           /* [ranks] iterations of each rank, whoever holds them now */
    int64_t *mine, *before, *quota, *change; /* [ranks] */
    candidate *list;
    int32_t candidates;
} balance;

static void balance_clear(balance *b)
{
    free(b->held);
    free(b->list);
}

/* Iterations of each rank: first those that are held here, then all. */
static void count_held(balance *b)
{
    memset(b->mine, 0, (size_t)b->ranks * sizeof *b->mine);
    for (int32_t i = 0; i < b->ripa->iterations; i++) {
        b->mine[b->rank[i]]++;
    }
    MPI_Allreduce(b->mine, b->held, b->ranks, MPI_INT64_T, MPI_SUM, b->comm);
}

/* (1 + imbalance) times the average, but at least the average rounded up. */
static int64_t limit_of(int64_t total, int ranks, double imbalance)
{
    double most = (1 + imbalance) * (double)total / ranks;
    int64_t limit = (total + ranks - 1) / ranks;
    if (most >= (double)total) {
        return total;
    }
    return (int64_t)most > limit ? (int64_t)most : limit;
}

static int64_t excess(const balance *b)
{
    int64_t sum = 0;
    for (int r = 0; r < b->ranks; r++) {
        sum += b->held[r] > b->limit ? b->held[r] - b->limit : 0;
    }
    return sum;
}

/* Where the candidate goes with the least loss. */
static void aim(const balance *b, candidate *c)
{
    const inlay_ripa *ripa = b->ripa;
    int32_t here = 0, there = 0;
    c->target = ANY;
    for (int64_t k = ripa->start[c->iteration]; k < ripa->start[c->iteration + 1]; k++) {
        int32_t r = ripa->rank[k];
        if (r == b->rank[c->iteration]) {
            here = ripa->count[k];
        } else if (b->held[r] < b->limit && (c->target == ANY || ripa->count[k] > there ||
                                             (ripa->count[k] == there && b->held[r] < b->held[c->target]))) {
            there = ripa->count[k];
            c->target = r;
        }
    }
    c->loss = here - there;
}

static int list_candidates(balance *b, inlay_diag *diag)
{
    int32_t count = 0;
    for (int32_t i = 0; i < b->ripa->iterations; i++) {
        count += b->held[b->rank[i]] > b->limit;
    }
    b->list = memory_array((size_t)count, sizeof *b->list);
    int status = collective_agree(b->comm, b->list == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    for (int32_t i = 0; i < b->ripa->iterations && status == INLAY_OK; i++) {
        if (b->held[b->rank[i]] > b->limit) {
            candidate *c = &b->list[b->candidates++];
            c->iteration = i;
            aim(b, c);
        }
    }
    return status;
}

/* ---- A round ---- */

/* Of mine[] those that are among the first room[] of all ranks: quota[]. */
static void share(balance *b, const int64_t *room)
{
    MPI_Exscan(b->mine, b->before, b->ranks, MPI_INT64_T, MPI_SUM, b->comm);
    for (int r = 0; r < b->ranks; r++) {
        int64_t left = room[r] - (b->self == 0 ? 0 : b->before[r]);
        left = left < 0 ? 0 : left;
        b->quota[r] = b->mine[r] < left ? b->mine[r] : left;
    }
}

/* Of the candidates of this loss as many as their ranks have above the limit. */
static void pick_sources(balance *b, int64_t loss)
{
    memset(b->mine, 0, (size_t)b->ranks * sizeof *b->mine);
    for (int32_t k = 0; k < b->candidates; k++) {
        b->mine[b->rank[b->list[k].iteration]] += b->list[k].loss == loss;
    }
    for (int r = 0; r < b->ranks; r++) {
        b->change[r] = b->held[r] - b->limit;
    }
    share(b, b->change);
    for (int32_t k = 0; k < b->candidates; k++) {
        candidate *c = &b->list[k];
        c->goes = c->loss == loss && b->quota[b->rank[c->iteration]]-- > 0;
    }
}

/* Candidates that may go anywhere: number q of all ranks goes to the free rank that holds place q of all free places. */
static void deal(balance *b)
{
    int64_t any = 0;
    for (int32_t k = 0; k < b->candidates; k++) {
        any += b->list[k].goes && b->list[k].target == ANY;
    }
    int64_t q = collective_before(b->comm, any), end = 0;
    int r = -1;
    for (int32_t k = 0; k < b->candidates && any > 0; k++) {
        candidate *c = &b->list[k];
        if (c->goes && c->target == ANY) {
            while (q >= end) {
                r++;
                end += b->held[r] < b->limit ? b->limit - b->held[r] : 0;
            }
            c->target = r;
            q++;
        }
    }
}

/* Of those that go as many as their targets have room for. */
static void pick_targets(balance *b)
{
    memset(b->mine, 0, (size_t)b->ranks * sizeof *b->mine);
    for (int32_t k = 0; k < b->candidates; k++) {
        if (b->list[k].goes) {
            b->mine[b->list[k].target]++;
        }
    }
    for (int r = 0; r < b->ranks; r++) {
        b->change[r] = b->limit - b->held[r];
    }
    share(b, b->change);
    for (int32_t k = 0; k < b->candidates; k++) {
        candidate *c = &b->list[k];
        c->goes = c->goes && b->quota[c->target]-- > 0;
    }
}

static void carry_out(balance *b)
{
    memset(b->mine, 0, (size_t)b->ranks * sizeof *b->mine);
    for (int32_t k = 0; k < b->candidates; k++) {
        const candidate *c = &b->list[k];
        if (c->goes) {
            b->mine[b->rank[c->iteration]]--;
            b->mine[c->target]++;
            b->rank[c->iteration] = c->target;
        }
    }
    MPI_Allreduce(b->mine, b->change, b->ranks, MPI_INT64_T, MPI_SUM, b->comm);
    for (int r = 0; r < b->ranks; r++) {
        b->held[r] += b->change[r];
    }
}

/* Candidates of ranks that are still full, with targets that are still free. */
static void renew(balance *b, int64_t loss)
{
    int32_t left = 0;
    for (int32_t k = 0; k < b->candidates; k++) {
        candidate c = b->list[k];
        if (!c.goes && b->held[b->rank[c.iteration]] > b->limit) {
            if (c.loss == loss || (c.target != ANY && b->held[c.target] >= b->limit)) {
                aim(b, &c);
            }
            b->list[left++] = c;
        }
    }
    b->candidates = left;
}

static int64_t least_loss(const balance *b)
{
    int64_t least = INT64_MAX;
    for (int32_t k = 0; k < b->candidates; k++) {
        least = b->list[k].loss < least ? b->list[k].loss : least;
    }
    return collective_least(b->comm, least);
}

/* ---- All rounds ---- */

static int balance_begin(balance *b, double imbalance, inlay_diag *diag)
{
    size_t ranks = (size_t)b->ranks;
    b->held = memory_zeroed(5 * ranks, sizeof *b->held);
    int status = collective_agree(b->comm, b->held == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    if (status != INLAY_OK) {
        return status;
    }
    b->mine = b->held + ranks;
    b->before = b->mine + ranks;
    b->quota = b->before + ranks;
    b->change = b->quota + ranks;
    count_held(b);
    int64_t total = collective_sum(b->comm, b->ripa->iterations);
    b->limit = limit_of(total, b->ranks, imbalance);
    return list_candidates(b, diag);
}

// NOLINTNEXTLINE(readability-non-const-parameter): the rounds write through it
int iterations_balance(MPI_Comm comm, const inlay_ripa *ripa, double imbalance, int32_t *rank, inlay_diag *diag)
{
    balance b = {
        .comm = comm, .self = collective_rank(comm), .ranks = collective_ranks(comm), .ripa = ripa, .rank = rank};
    int status = balance_begin(&b, imbalance, diag);
    while (status == INLAY_OK && excess(&b) > 0) {
        int64_t loss = least_loss(&b);
        pick_sources(&b, loss);
        deal(&b);
        pick_targets(&b);
        carry_out(&b);
        renew(&b, loss);
    }
    balance_clear(&b);
    return status;
}
