#include "distribution.h"

static void shuffle(uint64_t *state, int64_t *order, int64_t n)
{
    for (int64_t i = n - 1; i > 0; i--) {
        int64_t j = (int64_t)harness_draw(state, (uint64_t)i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

static int32_t draw_owner(const harness *h, uint64_t *state, distribution_kind kind)
{
    if (kind == DISTRIBUTION_HALF) {
        return (int32_t)harness_draw(state, ((uint64_t)h->ranks + 1) / 2) * 2;
    }
    return (int32_t)harness_draw(state, (uint64_t)h->ranks);
}

bool distribution_draw(harness *h, uint64_t *state, int64_t n, distribution_kind kind, distribution *d)
{
    int64_t order[DISTRIBUTION_MOST];
    int32_t next[8] = {0};
    *d = (distribution){.n = n};
    for (int64_t i = 0; i < n; i++) {
        order[i] = i;
    }
    if (kind != DISTRIBUTION_BLOCK) {
        shuffle(state, order, n);
    }
    for (int64_t i = 0; i < n; i++) {
        int32_t rank = kind == DISTRIBUTION_BLOCK ? inlay_block_owner(n, h->ranks, i) : draw_owner(h, state, kind);
        d->owner[order[i]] = rank;
        d->offset[order[i]] = next[rank]++;
        if (rank == h->rank) {
            d->own[d->count++] = order[i];
        }
    }
    return kind == DISTRIBUTION_BLOCK
               ? check_ok(h, inlay_table_block(h->comm, n, &d->table, h->diag))
               : check_ok(h, inlay_table_owned(h->comm, n, d->own, d->count, &d->table, h->diag));
}

void distribution_clear(distribution *d)
{
    inlay_table_free(d->table);
}
