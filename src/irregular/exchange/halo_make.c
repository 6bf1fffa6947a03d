/* References to elements as local numbers, and the ghosts among them (paper, section 3.3: localize). */
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/halo.h"
#include "irregular/radix.h"
#include "irregular/references.h"
#include <stdlib.h>
#include <string.h>

/* What the references of a rank are on their way to local numbers. */
typedef struct localizer {
    const inlay_halo *base; /* NULL: none */
    int32_t own, before;
    references f;
    int32_t *number;    /* [count] of references; own + k for f.other[k] */
    int32_t *place;     /* [f.others] among all ghosts; before + k for the k-th new one that was met */
    halo_ghosts ghosts; /* the new ones */
    int32_t *rank_of;   /* [ghosts.count] the new number of the k-th that was met */
} localizer;

static void localizer_clear(localizer *l)
{
    references_clear(&l->f);
    free(l->number);
    free(l->place);
    free(l->ghosts.owner);
    free(l->ghosts.offset);
    free(l->ghosts.global);
    free(l->rank_of);
}

/* ---- What the base brings ---- */

static bool number_base(const localizer *l, element_map *map)
{
    if (!element_map_reserve(map, (size_t)l->before + 1)) {
        return false;
    }
    for (int32_t k = 0; k < l->before; k++) {
        int64_t g = l->base->global[k];
        element_map_fill(map, element_map_find(map, g), g, k);
    }
    return true;
}

/* Keeps those of f.other[] alone that the base has not. */
static int leave_out_known(localizer *l, inlay_diag *diag)
{
    element_map map = {0};
    l->place = memory_array(l->f.others, sizeof *l->place);
    if (l->place == NULL || !number_base(l, &map)) {
        element_map_clear(&map);
        return diag_no_memory(diag);
    }
    for (size_t k = 0; k < l->f.others; k++) {
        int mark = element_map_find(&map, l->f.other[k])->mark;
        l->place[k] = mark != 0 ? mark - 1 : l->before + l->ghosts.count;
        if (mark == 0) {
            l->f.other[l->ghosts.count++] = l->f.other[k];
        }
    }
    element_map_clear(&map);
    if (l->ghosts.count >= INT32_MAX - l->own - l->before) {
        return diag_fail(diag, INLAY_OVERFLOW,
                         "2^31 elements owned by or referred to on a rank; expected fewer: use more ranks");
    }
    return INLAY_OK;
}

static int check_base(const localizer *l, inlay_diag *diag)
{
    if (l->base != NULL && l->base->own != l->own) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "the base has %d own elements, the table %d; expected a halo of the same table",
                         (int)l->base->own, (int)l->own);
    }
    return INLAY_OK;
}

/* Local. */
static int number_references(localizer *l, const inlay_table *table, const int64_t *g, int64_t count, inlay_diag *diag)
{
    l->own = inlay_table_local(table);
    l->before = l->base == NULL ? 0 : l->base->before + l->base->ghosts;
    l->number = memory_array((size_t)count, sizeof *l->number);
    int status = l->number == NULL ? diag_no_memory(diag) : check_base(l, diag);
    status = status == INLAY_OK ? references_number(&l->f, table, g, count, l->number, diag) : status;
    return status == INLAY_OK ? leave_out_known(l, diag) : status;
}

/* ---- Ghosts by owner and offset ---- */

/* How many bits offsets have. */
static int offset_bits(const halo_ghosts *s)
{
    int32_t most = 0;
    for (int32_t k = 0; k < s->count; k++) {
        most = s->offset[k] > most ? s->offset[k] : most;
    }
    return radix_bits((uint64_t)most + 1);
}

/* Local. */
static int sort_ghosts(localizer *l, int ranks, inlay_diag *diag)
{
    enum { WORDS = 2 }; /* owner and offset, and which ghost it is */
    halo_ghosts *s = &l->ghosts;
    uint64_t *record = memory_array((size_t)s->count, WORDS * sizeof *record);
    uint64_t *spare = memory_array((size_t)s->count, WORDS * sizeof *spare);
    if (record == NULL || spare == NULL) {
        free(record);
        free(spare);
        return diag_no_memory(diag);
    }
    int bits = offset_bits(s);
    for (int32_t k = 0; k < s->count; k++) {
        record[WORDS * (ptrdiff_t)k] = (uint64_t)s->owner[k] << bits | (uint64_t)s->offset[k];
        record[WORDS * (ptrdiff_t)k + 1] = (uint64_t)k;
    }
    const uint64_t *sorted = radix_sort(record, spare, s->count, WORDS, 0, 0, bits + radix_bits((uint64_t)ranks));
    for (int32_t k = 0; k < s->count; k++, sorted += WORDS) {
        s->owner[k] = (int32_t)(sorted[0] >> bits);
        s->offset[k] = (int32_t)(sorted[0] & (((uint64_t)1 << bits) - 1));
        s->global[l->before + k] = l->f.other[sorted[1]];
        l->rank_of[sorted[1]] = k;
    }
    free(record);
    free(spare);
    return INLAY_OK;
}

/* Local. */
static int make_room(localizer *l, inlay_diag *diag)
{
    halo_ghosts *s = &l->ghosts;
    size_t count = (size_t)s->count;
    s->owner = memory_array(count, sizeof *s->owner);
    s->offset = memory_array(count, sizeof *s->offset);
    s->global = memory_array((size_t)l->before + count, sizeof *s->global);
    l->rank_of = memory_array(count, sizeof *l->rank_of);
    if (s->owner == NULL || s->offset == NULL || s->global == NULL || l->rank_of == NULL) {
        return diag_no_memory(diag);
    }
    if (l->before > 0) {
        memcpy(s->global, l->base->global, (size_t)l->before * sizeof *s->global);
    }
    return INLAY_OK;
}

static int ask_owners(localizer *l, const inlay_table *table, inlay_diag *diag)
{
    MPI_Comm comm = inlay_table_comm(table);
    halo_ghosts *s = &l->ghosts;
    int status = collective_agree(comm, make_room(l, diag), diag);
    if (status == INLAY_OK) {
        status = inlay_table_dereference(table, l->f.other, s->count, s->owner, s->offset, diag);
    }
    return status == INLAY_OK ? collective_agree(comm, sort_ghosts(l, collective_ranks(comm), diag), diag) : status;
}

/* ---- Making ---- */

/* local[] gets its final numbers only where all has gone well. */
static void write_numbers(const localizer *l, int64_t count, int32_t *local)
{
    for (int64_t i = 0; i < count; i++) {
        local[i] = l->number[i];
        if (local[i] >= l->own) {
            int32_t place = l->place[local[i] - l->own];
            local[i] = l->own + (place < l->before ? place : l->before + l->rank_of[place - l->before]);
        }
    }
}

int inlay_halo_increment(const inlay_halo *base, const inlay_table *table, const int64_t *g, int64_t count,
                         int32_t *local, inlay_halo **halo, inlay_diag *diag)
{
    DIAG_CALL(diag);
    MPI_Comm comm = inlay_table_comm(table);
    localizer l = {.base = base};
    int status = collective_agree(comm, number_references(&l, table, g, count, diag), diag);
    status = status == INLAY_OK ? ask_owners(&l, table, diag) : status;
    status = status == INLAY_OK ? halo_meet(comm, l.own, l.before, &l.ghosts, halo, diag) : status;
    if (status == INLAY_OK) {
        write_numbers(&l, count, local);
    }
    localizer_clear(&l);
    return status;
}

int inlay_halo_make(const inlay_table *table, const int64_t *g, int64_t count, int32_t *local, inlay_halo **halo,
                    inlay_diag *diag)
{
    DIAG_CALL(diag);
    return inlay_halo_increment(NULL, table, g, count, local, halo, diag);
}
