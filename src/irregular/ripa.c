/* From the elements of iterations to the ranks that own them (paper, section 3.2: deref_rig). */
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/iterations.h"
#include "irregular/references.h"
#include <stdlib.h>

void inlay_ripa_free(inlay_ripa *ripa)
{
    if (ripa != NULL) {
        free(ripa->start);
        free(ripa->rank);
        free(ripa->count);
        free(ripa->writer);
        free(ripa);
    }
}

/* ---- Checks ---- */

static int check_numbers(const inlay_rig *rig, inlay_diag *diag)
{
    if (rig->iteration == NULL) {
        return rig->first >= 0
                   ? INLAY_OK
                   : diag_fail(diag, INLAY_BAD_ARGUMENT, "the first iteration is number %lld; expected 0 or more",
                               (long long)rig->first);
    }
    for (int32_t i = 0; i < rig->iterations; i++) {
        if (rig->iteration[i] < 0) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "an iteration is number %lld; expected 0 or more",
                             (long long)rig->iteration[i]);
        }
    }
    return INLAY_OK;
}

static int check_starts(const inlay_rig *rig, inlay_diag *diag)
{
    if (rig->start == NULL) {
        return rig->touched >= 0
                   ? INLAY_OK
                   : diag_fail(diag, INLAY_BAD_ARGUMENT, "iterations that touch %d elements each; expected 0 or more",
                               (int)rig->touched);
    }
    if (rig->start[0] != 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "the elements of the first iteration start at entry %lld; expected 0",
                         (long long)rig->start[0]);
    }
    for (int32_t i = 0; i < rig->iterations; i++) {
        if (rig->start[i + 1] < rig->start[i]) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT,
                             "the elements of iteration %lld are entries %lld to %lld; expected starts that ascend",
                             (long long)rig_number(rig, i), (long long)rig->start[i], (long long)rig->start[i + 1]);
        }
    }
    return INLAY_OK;
}

int rig_check(const inlay_rig *rig, inlay_diag *diag)
{
    if (rig->iterations < 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%d iterations; expected 0 or more", (int)rig->iterations);
    }
    int status = check_numbers(rig, diag);
    return status == INLAY_OK ? check_starts(rig, diag) : status;
}

/* ---- Counting ---- */

/* An element that an iteration touches, and its owner. */
typedef struct touch {
    int32_t rank;
    int64_t element;
} touch;

static int compare_touches(const void *a, const void *b)
{
    const touch *x = a, *y = b;
    if (x->rank != y->rank) {
        return x->rank < y->rank ? -1 : 1;
    }
    return (x->element > y->element) - (x->element < y->element);
}

/* Rows are mostly short. */
enum { SHORT = 24 };

static void sort_touches(touch *item, int64_t count)
{
    if (count > SHORT) {
        qsort(item, (size_t)count, sizeof *item, compare_touches);
        return;
    }
    for (int64_t k = 1; k < count; k++) {
        touch moving = item[k];
        int64_t at = k;
        for (; at > 0 && compare_touches(&item[at - 1], &moving) > 0; at--) {
            item[at] = item[at - 1];
        }
        item[at] = moving;
    }
}

/* Ranks of one iteration, ascending, and their counts; how many ranks. */
static int64_t count_many(const int32_t *owner, const int64_t *element, int64_t touched, touch *room, int32_t *rank,
                          int32_t *count)
{
    for (int64_t k = 0; k < touched; k++) {
        room[k] = (touch){.rank = owner[k], .element = element[k]};
    }
    sort_touches(room, touched);
    int64_t ranks = 0;
    for (int64_t k = 0; k < touched; k++) {
        if (k == 0 || room[k].rank != room[k - 1].rank) {
            rank[ranks] = room[k].rank;
            count[ranks++] = 1;
        } else if (room[k].element != room[k - 1].element) {
            count[ranks - 1]++;
        }
    }
    return ranks;
}

/* The same for the two ends of an edge. */
static int64_t count_two(const int32_t *owner, const int64_t *element, int32_t *rank, int32_t *count)
{
    if (owner[0] == owner[1]) {
        rank[0] = owner[0];
        count[0] = element[0] == element[1] ? 1 : 2;
        return 1;
    }
    int lower = owner[0] < owner[1] ? 0 : 1;
    rank[0] = owner[lower];
    rank[1] = owner[1 - lower];
    count[0] = count[1] = 1;
    return 2;
}

static int64_t most_touched(const inlay_rig *rig)
{
    int64_t most = 0;
    for (int32_t i = 0; i < rig->iterations; i++) {
        int64_t touched = rig_start(rig, i + 1) - rig_start(rig, i);
        most = touched > most ? touched : most;
    }
    return most;
}

static void count_all(const inlay_rig *rig, const int32_t *owner, touch *room, inlay_ripa *ripa)
{
    int64_t at = 0;
    for (int32_t i = 0; i < rig->iterations; i++) {
        int64_t from = rig_start(rig, i), touched = rig_start(rig, i + 1) - from;
        const int64_t *element = rig->element + from;
        ripa->start[i] = at;
        ripa->writer[i] = touched == 0 ? -1 : owner[from];
        at += touched == 2 ? count_two(owner + from, element, ripa->rank + at, ripa->count + at)
                           : count_many(owner + from, element, touched, room, ripa->rank + at, ripa->count + at);
    }
    ripa->start[rig->iterations] = at;
}

/* ---- Making ---- */

/* An iteration has no more ranks than elements, and no more than there are. */
static int64_t most_entries(const inlay_rig *rig, int ranks)
{
    int64_t entries = 0;
    for (int32_t i = 0; i < rig->iterations; i++) {
        int64_t touched = rig_start(rig, i + 1) - rig_start(rig, i);
        entries += touched < ranks ? touched : ranks;
    }
    return entries;
}

/* Gives back what was not needed. */
static void trim(int32_t **array, int64_t count)
{
    void *smaller = realloc(*array, (size_t)(count == 0 ? 1 : count) * sizeof **array);
    if (smaller != NULL) {
        *array = smaller;
    }
}

/* Local. */
static int make(const inlay_rig *rig, int ranks, const int32_t *owner, inlay_ripa **made, inlay_diag *diag)
{
    size_t iterations = (size_t)rig->iterations, entries = (size_t)most_entries(rig, ranks);
    inlay_ripa *ripa = memory_zeroed(1, sizeof *ripa);
    touch *room = memory_array((size_t)most_touched(rig), sizeof *room);
    if (ripa == NULL || room == NULL) {
        free(ripa);
        free(room);
        return diag_no_memory(diag);
    }
    *ripa = (inlay_ripa){.iterations = rig->iterations,
                         .start = memory_array(iterations + 1, sizeof *ripa->start),
                         .rank = memory_array(entries, sizeof *ripa->rank),
                         .count = memory_array(entries, sizeof *ripa->count),
                         .writer = memory_array(iterations, sizeof *ripa->writer)};
    int status = INLAY_OK;
    if (ripa->start == NULL || ripa->rank == NULL || ripa->count == NULL || ripa->writer == NULL) {
        status = diag_no_memory(diag);
        inlay_ripa_free(ripa);
    } else {
        count_all(rig, owner, room, ripa);
        trim(&ripa->rank, ripa->start[iterations]);
        trim(&ripa->count, ripa->start[iterations]);
        *made = ripa;
    }
    free(room);
    return status;
}

/* The numbers of references become the ranks that own their elements. */
static void owners_of_references(int32_t *reference, int64_t count, int32_t own, int32_t self, const int32_t *owner)
{
    for (int64_t i = 0; i < count; i++) {
        reference[i] = reference[i] < own ? self : owner[reference[i] - own];
    }
}

/* owner[i] is the rank that owns element[i]. Only elements that this rank does not own itself are asked for, once each.
   Collective. */
static int find_owners(const inlay_table *table, const int64_t *element, int64_t count, int32_t *owner,
                       inlay_diag *diag)
{
    MPI_Comm comm = inlay_table_comm(table);
    references r = {0};
    int32_t *of_others = NULL;
    int status = references_number(&r, table, element, count, owner, diag);
    if (status == INLAY_OK) {
        of_others = memory_array(r.others, sizeof *of_others);
        status = of_others == NULL ? diag_no_memory(diag) : INLAY_OK;
    }
    element_map_clear(&r.map);
    status = collective_agree(comm, status, diag);
    if (status == INLAY_OK) {
        status = inlay_table_dereference(table, r.other, (int64_t)r.others, of_others, NULL, diag);
    }
    if (status == INLAY_OK) {
        owners_of_references(owner, count, r.own, collective_rank(comm), of_others);
    }
    references_clear(&r);
    free(of_others);
    return status;
}

int inlay_ripa_make(const inlay_table *table, const inlay_rig *rig, inlay_ripa **ripa, inlay_diag *diag)
{
    DIAG_CALL(diag);
    MPI_Comm comm = inlay_table_comm(table);
    inlay_ripa *made = NULL;
    int32_t *owner = NULL;
    int64_t elements = 0;
    int status = rig_check(rig, diag);
    if (status == INLAY_OK) {
        elements = rig_start(rig, rig->iterations);
        owner = memory_array((size_t)elements, sizeof *owner);
        status = owner == NULL ? diag_no_memory(diag) : INLAY_OK;
    }
    status = collective_agree(comm, status, diag);
    status = status == INLAY_OK ? find_owners(table, rig->element, elements, owner, diag) : status;
    if (status == INLAY_OK) {
        status = collective_agree(comm, make(rig, collective_ranks(comm), owner, &made, diag), diag);
    }
    free(owner);
    if (status != INLAY_OK) {
        inlay_ripa_free(made);
        return status;
    }
    *ripa = made;
    return INLAY_OK;
}
