/* Halos of several loops in one, references that follow, and the iterations that need no ghost (PARTI's merged schedules). */
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/halo.h"
#include <stdlib.h>

/* A ghost of a halo, in a walk along them by owner and offset. */
typedef struct walker {
    const inlay_halo *halo;
    int side;  /* neighbour that owns it */
    int32_t k; /* which ghost */
} walker;

static bool at_end(const walker *w)
{
    return w->k == w->halo->ghosts;
}

static int owner_at(const walker *w)
{
    return w->halo->in.rank[w->side];
}

static void step(walker *w)
{
    w->k++;
    while (!at_end(w) && w->k >= w->halo->in.start[w->side + 1]) {
        w->side++;
    }
}

/* < 0: the ghost of a comes first; 0: it is that of b. */
static int compare(const walker *a, const walker *b)
{
    if (at_end(a) || at_end(b)) {
        return at_end(a) - at_end(b);
    }
    if (owner_at(a) != owner_at(b)) {
        return owner_at(a) < owner_at(b) ? -1 : 1;
    }
    int32_t mine = a->halo->offset[a->k], other = b->halo->offset[b->k];
    return (mine > other) - (mine < other);
}

/* Along the ghosts of both; what is NULL is not written. Returns how many there are. */
static int32_t walk(const inlay_halo *a, const inlay_halo *b, halo_ghosts *both, int32_t *ghost_a, int32_t *ghost_b)
{
    walker at_a = {.halo = a}, at_b = {.halo = b};
    int32_t count = 0;
    for (; !at_end(&at_a) || !at_end(&at_b); count++) {
        int order = compare(&at_a, &at_b);
        const walker *first = order <= 0 ? &at_a : &at_b;
        if (both != NULL) {
            both->owner[count] = owner_at(first);
            both->offset[count] = first->halo->offset[first->k];
            both->global[count] = first->halo->global[first->halo->before + first->k];
        }
        if (order <= 0) {
            if (ghost_a != NULL) {
                ghost_a[at_a.k] = count;
            }
            step(&at_a);
        }
        if (order >= 0) {
            if (ghost_b != NULL) {
                ghost_b[at_b.k] = count;
            }
            step(&at_b);
        }
    }
    return count;
}

/* Local. */
static int list_both(const inlay_halo *a, const inlay_halo *b, halo_ghosts *both, inlay_diag *diag)
{
    if (a->own != b->own) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "one halo has %d own elements, the other %d; expected halos of one table", (int)a->own,
                         (int)b->own);
    }
    if ((int64_t)a->own + a->ghosts + b->ghosts > INT32_MAX) {
        return diag_fail(diag, INLAY_OVERFLOW, "2^31 elements and ghosts of a rank; expected fewer: use more ranks");
    }
    both->count = walk(a, b, NULL, NULL, NULL);
    both->owner = memory_array((size_t)both->count, sizeof *both->owner);
    both->offset = memory_array((size_t)both->count, sizeof *both->offset);
    both->global = memory_array((size_t)both->count, sizeof *both->global);
    if (both->owner == NULL || both->offset == NULL || both->global == NULL) {
        return diag_no_memory(diag);
    }
    walk(a, b, both, NULL, NULL);
    return INLAY_OK;
}

int inlay_halo_merge(const inlay_halo *a, const inlay_halo *b, int32_t *ghost_a, int32_t *ghost_b, inlay_halo **merged,
                     inlay_diag *diag)
{
    DIAG_CALL(diag);
    int same = MPI_UNEQUAL;
    MPI_Comm_compare(a->gather.comm, b->gather.comm, &same);
    if (same != MPI_IDENT && same != MPI_CONGRUENT) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "two halos of different ranks; expected halos of one table");
    }
    halo_ghosts both = {0};
    int status = collective_agree(a->gather.comm, list_both(a, b, &both, diag), diag);
    status = status == INLAY_OK ? halo_meet(a->gather.comm, a->own, 0, &both, merged, diag) : status;
    if (status == INLAY_OK) {
        walk(a, b, NULL, ghost_a, ghost_b);
    }
    free(both.owner);
    free(both.offset);
    free(both.global);
    return status;
}

void inlay_halo_renumber(const inlay_halo *halo, const int32_t *ghost, int32_t *local, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        if (local[i] >= halo->own) {
            local[i] = halo->own + ghost[local[i] - halo->own];
        }
    }
}

int32_t inlay_halo_inner(const inlay_halo *halo, const int32_t *local, const int64_t *start, int32_t touched,
                         int32_t iterations, int32_t *order)
{
    int32_t inner = 0, border = iterations; /* those at the border are put from the end, and turned round */
    for (int32_t i = 0; i < iterations; i++) {
        int64_t at = start != NULL ? start[i] : (int64_t)i * touched;
        int64_t end = start != NULL ? start[i + 1] : at + touched;
        while (at < end && local[at] < halo->own) {
            at++;
        }
        order[at == end ? inner++ : --border] = i;
    }
    for (int32_t low = border, high = iterations - 1; low < high; low++, high--) {
        int32_t kept = order[low];
        order[low] = order[high];
        order[high] = kept;
    }
    return inner;
}
