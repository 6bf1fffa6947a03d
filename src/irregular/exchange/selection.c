/*
 * Weighted selection by radix: each pass sums the weights by the next few bits of the keys, over all ranks, and goes on with
 * the one value of these bits where the goal lies. Nothing is sorted, and no vertex leaves its rank.
 */
#include "irregular/exchange/selection.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include <stdlib.h>
#include <string.h>

/* Buckets of all groups together, so that a pass sends no more than a megabyte for up to so many groups; and of one. */
enum { BUCKETS = 1 << 16, MOST_BITS = 11 };

/* What a bucket has, of all ranks. */
typedef struct bucket {
    int64_t weight, vertices;
} bucket;

typedef struct group_state {
    int64_t before;     /* weight of what is selected for certain */
    uint64_t threshold; /* of this pass: buckets below are selected */
    bool settled;       /* the rest, from the threshold on, is not selected; else the bucket of the threshold is open */
} group_state;

typedef struct search {
    const selection *s;
    int32_t *open; /* rows that are not yet decided */
    int32_t opened;
    group_state *state; /* [groups] */
    bucket *buckets;    /* [groups << most bits] */
    int most;           /* bits of a pass */
} search;

/* The bits of a pass: `bits` of them, from `shift` on, of the word. */
typedef struct window {
    int word, shift, bits;
} window;

static uint64_t bucket_of(const search *q, const window *w, int32_t row)
{
    return q->s->key(q->s->context, row, w->word) >> w->shift & (((uint64_t)1 << w->bits) - 1);
}

static void sum_buckets(search *q, const window *w)
{
    size_t all = (size_t)q->s->groups << w->bits;
    memset(q->buckets, 0, all * sizeof *q->buckets);
    for (int32_t i = 0; i < q->opened; i++) {
        int32_t row = q->open[i];
        bucket *b = &q->buckets[((size_t)q->s->group[row] << w->bits) + bucket_of(q, w, row)];
        b->weight += q->s->weight[row];
        b->vertices++;
    }
    MPI_Allreduce(MPI_IN_PLACE, q->buckets, (int)(2 * all), MPI_INT64_T, MPI_SUM, q->s->comm);
}

/* Where the goal lies among the buckets of a group. A single vertex there goes where it brings the sum nearer to it. */
static void find_threshold(group_state *state, const bucket *buckets, uint64_t count, int64_t goal)
{
    uint64_t b = 0;
    while (b < count && state->before + buckets[b].weight <= goal) {
        state->before += buckets[b++].weight;
    }
    state->threshold = b;
    state->settled = b == count || state->before == goal || buckets[b].vertices == 1;
    if (b < count && buckets[b].vertices == 1 && goal - state->before >= buckets[b].weight - (goal - state->before)) {
        state->threshold++;
    }
}

/* Decides the open rows that can be. */
static void sift(search *q, const window *w, uint8_t *selected)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < q->opened; i++) {
        int32_t row = q->open[i];
        const group_state *state = &q->state[q->s->group[row]];
        uint64_t b = bucket_of(q, w, row);
        selected[row] = b < state->threshold;
        if (!state->settled && b == state->threshold) {
            q->open[kept++] = row;
        }
    }
    q->opened = kept;
}

/* One pass; true when all groups are settled. Settled groups have no open rows any more. */
static bool narrow(search *q, const window *w, uint8_t *selected)
{
    sum_buckets(q, w);
    bool done = true;
    for (int32_t g = 0; g < q->s->groups; g++) {
        if (!q->state[g].settled) {
            find_threshold(&q->state[g], q->buckets + ((size_t)g << w->bits), (uint64_t)1 << w->bits, q->s->goal[g]);
            done &= q->state[g].settled;
        }
    }
    sift(q, w, selected);
    return done;
}

static int prepare(search *q, inlay_diag *diag)
{
    const selection *s = q->s;
    if (s->groups > INT32_MAX / 8) {
        diag_fail(diag, INLAY_OVERFLOW, "%d groups of vertices; expected fewer than 2^28", (int)s->groups);
        return INLAY_OVERFLOW;
    }
    q->most = MOST_BITS;
    while (q->most > 1 && ((int64_t)s->groups << q->most) > BUCKETS) {
        q->most--;
    }
    q->open = memory_array((size_t)s->rows, sizeof *q->open);
    q->state = memory_zeroed((size_t)s->groups, sizeof *q->state);
    q->buckets = memory_array((size_t)s->groups << q->most, sizeof *q->buckets);
    if (q->open == NULL || q->state == NULL || q->buckets == NULL) {
        return diag_no_memory(diag);
    }
    for (int32_t row = 0; row < s->rows; row++) {
        if (s->group[row] >= 0) {
            q->open[q->opened++] = row;
        }
    }
    return INLAY_OK;
}

int selection_run(const selection *s, uint8_t *selected, inlay_diag *diag)
{
    search q = {.s = s};
    int status = collective_agree(s->comm, prepare(&q, diag), diag);
    bool done = status != INLAY_OK || s->groups == 0;
    for (int word = 0; word < s->words && !done; word++) {
        for (int shift = s->bits[word]; shift > 0 && !done;) {
            int bits = shift < q.most ? shift : q.most;
            shift -= bits;
            done = narrow(&q, &(window){word, shift, bits}, selected);
        }
    }
    free(q.open);
    free(q.state);
    free(q.buckets);
    return status;
}
