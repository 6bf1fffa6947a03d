#include "reading.h"
#include <string.h>

void reading_draw(const harness *h, uint64_t *state, int64_t n, int64_t most, reading *r)
{
    memset(r, 0, sizeof *r);
    for (int rank = 0; rank < h->ranks; rank++) {
        int64_t count = (int64_t)harness_draw(state, (uint64_t)most + 1);
        for (int64_t i = 0; i < count; i++) {
            int64_t g = (int64_t)harness_draw(state, (uint64_t)n);
            r->referenced[rank][g] = true;
            if (rank == h->rank) {
                r->g[r->count++] = g;
            }
        }
    }
}

void reading_expect(const harness *h, const distribution *d, const bool *referenced, expected_halo *e)
{
    *e = (expected_halo){0};
    for (int rank = 0; rank < h->ranks; rank++) {
        int32_t before = e->ghosts;
        for (int32_t offset = 0; offset < d->n && rank != h->rank; offset++) {
            for (int64_t g = 0; g < d->n; g++) {
                if (referenced[g] && d->owner[g] == rank && d->offset[g] == offset) {
                    e->ghost[e->ghosts++] = g;
                }
            }
        }
        e->owners += e->ghosts > before;
    }
}
