/*
 * Moving arrays to the new owners of their entries (paper, section 3.3: remap, gather).
 *
 * A schedule lists the entries that go to each rank and the places of those that come from each. Entries that stay on
 * their rank are copied from array to array; the others pass through one buffer, and through a second one only where
 * they do not arrive in their final order.
 */
#include "irregular/exchange/schedule.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/entries.h"
#include "irregular/radix.h"
#include <stdlib.h>

void inlay_schedule_free(inlay_schedule *schedule)
{
    if (schedule != NULL) {
        exchange_free(schedule->x);
        free(schedule->take);
        free(schedule->place);
        free(schedule);
    }
}

int64_t inlay_schedule_sends(const inlay_schedule *schedule)
{
    return schedule->x->sends;
}

int64_t inlay_schedule_receives(const inlay_schedule *schedule)
{
    return schedule->x->receives;
}

/* ---- Moving ---- */

/* What leaves this rank, in the order of sending; the stretch of what stays is left out. */
static void pack(const inlay_schedule *schedule, int self, const char *from, char *out, size_t bytes)
{
    const exchange *x = schedule->x;
    int64_t end = x->to[self], next = x->to[self + 1];
    entries_copy(out, NULL, from, schedule->take, end, bytes);
    entries_copy(out + (size_t)next * bytes, NULL, from, schedule->take + next, x->sends - next, bytes);
}

static void unpack(const inlay_schedule *schedule, int self, const char *in, char *to, size_t bytes)
{
    const exchange *x = schedule->x;
    int64_t end = x->from[self], next = x->from[self + 1];
    entries_copy(to, schedule->place, in, NULL, end, bytes);
    entries_copy(to, schedule->place + next, in + (size_t)next * bytes, NULL, x->receives - next, bytes);
}

static void copy_own(const inlay_schedule *schedule, int self, const char *from, char *to, size_t bytes)
{
    const exchange *x = schedule->x;
    int64_t count = x->to[self + 1] - x->to[self], first = x->from[self];
    const int32_t *take = schedule->take + x->to[self];
    if (count == 0) {
        return; /* a rank that has nothing may give no room */
    }
    if (schedule->place == NULL) {
        entries_copy(to + (size_t)first * bytes, NULL, from, take, count, bytes);
    } else {
        entries_copy(to, schedule->place + first, from, take, count, bytes);
    }
}

/* Room in the buffers for what stays is never touched, and so takes no memory. */
int inlay_schedule_move(const inlay_schedule *schedule, const void *from, void *to, size_t bytes, inlay_diag *diag)
{
    DIAG_CALL(diag);
    const exchange *x = schedule->x;
    int self = collective_rank(x->comm);
    char *out = memory_array((size_t)x->sends, bytes), *in = to;
    if (schedule->place != NULL) {
        in = memory_array((size_t)x->receives, bytes);
    }
    bool lacking = out == NULL || (schedule->place != NULL && in == NULL);
    int status = collective_agree(x->comm, lacking ? diag_no_memory(diag) : INLAY_OK, diag);
    if (status == INLAY_OK) {
        pack(schedule, self, from, out, bytes);
        status = exchange_run(x, out, in, bytes, diag);
    }
    if (status == INLAY_OK) {
        copy_own(schedule, self, from, to, bytes);
        if (schedule->place != NULL) {
            unpack(schedule, self, in, to, bytes);
        }
    }
    free(out);
    if (schedule->place != NULL) {
        free(in);
    }
    return status;
}

/* ---- Making ---- */

/* Items by rank, in their own order within each. */
static void list_by_owner(const exchange *x, const int32_t *owner, int32_t count, int32_t *next, int32_t *take)
{
    for (int r = 0; r < x->ranks; r++) {
        next[r] = (int32_t)x->to[r];
    }
    for (int32_t i = 0; i < count; i++) {
        take[next[owner[i]]++] = i;
    }
}

void schedule_leave_out_own(exchange *x)
{
    int self = collective_rank(x->comm);
    x->counts[self] = 0;
    x->counts[(ptrdiff_t)2 * x->ranks + self] = 0;
}

/*
 * Entry i goes to rank owner[i], and is put where it arrives: by the rank that it comes from, then in the order that it had
 * there. INLAY_BAD_ARGUMENT where owner[i] is no rank. Collective.
 */
static int schedule_of_owners(MPI_Comm comm, const int32_t *owner, int32_t count, inlay_schedule **made,
                              inlay_diag *diag)
{
    exchange *x = NULL;
    int status = exchange_of_owners(comm, owner, count, &x, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_schedule *schedule = memory_zeroed(1, sizeof *schedule);
    int32_t *take = memory_array((size_t)count, sizeof *take);
    int32_t *next = memory_array((size_t)x->ranks, sizeof *next);
    status = schedule == NULL || take == NULL || next == NULL ? diag_no_memory(diag) : INLAY_OK;
    if (status == INLAY_OK) {
        list_by_owner(x, owner, count, next, take);
        schedule_leave_out_own(x);
        *schedule = (inlay_schedule){.x = x, .take = take};
    }
    free(next);
    status = collective_agree(comm, status, diag);
    if (status != INLAY_OK) {
        exchange_free(x);
        free(take);
        free(schedule);
        return status;
    }
    *made = schedule;
    return INLAY_OK;
}

static bool in_order(const int32_t *place, int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        if (place[k] != k) {
            return false;
        }
    }
    return true;
}

/* ---- From one table to another ---- */

static int compare_tables(const inlay_table *from, const inlay_table *to, inlay_diag *diag)
{
    int same = MPI_UNEQUAL;
    MPI_Comm_compare(inlay_table_comm(from), inlay_table_comm(to), &same);
    if (same != MPI_IDENT && same != MPI_CONGRUENT) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "the two distributions are of different communicators; expected the same ranks");
    }
    if (inlay_table_elements(from) != inlay_table_elements(to)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "one distribution has %lld elements, the other %lld; expected the same elements",
                         (long long)inlay_table_elements(from), (long long)inlay_table_elements(to));
    }
    return INLAY_OK;
}

/* Of the elements that this rank owns in one table, where they lie in the other: two arrays that the caller frees. */
static int find_owners(const inlay_table *from, const inlay_table *to, int32_t **owner, int32_t **offset,
                       inlay_diag *diag)
{
    size_t count = (size_t)inlay_table_local(from);
    int64_t *global = memory_array(count, sizeof *global);
    *owner = memory_array(count, sizeof **owner);
    *offset = memory_array(count, sizeof **offset);
    int status = global == NULL || *owner == NULL || *offset == NULL ? diag_no_memory(diag) : INLAY_OK;
    status = collective_agree(inlay_table_comm(from), status, diag);
    if (status == INLAY_OK) {
        inlay_table_globals(from, global);
        status = inlay_table_dereference(to, global, (int64_t)count, *owner, *offset, diag);
    }
    free(global);
    return status;
}

/* Entries arrive in some order; place[] of each is told by its sender. */
static int send_places(inlay_schedule *schedule, const int32_t *offset, inlay_diag *diag)
{
    int64_t receives = schedule->x->receives;
    int32_t *place = memory_array((size_t)receives, sizeof *place);
    int status = collective_agree(schedule->x->comm, place == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    status = status == INLAY_OK ? inlay_schedule_move(schedule, offset, place, sizeof *place, diag) : status;
    if (status != INLAY_OK || in_order(place, receives)) {
        free(place);
        return status;
    }
    schedule->place = place;
    return INLAY_OK;
}

int inlay_remap(const inlay_table *from, const inlay_table *to, inlay_schedule **schedule, inlay_diag *diag)
{
    DIAG_CALL(diag);
    MPI_Comm comm = inlay_table_comm(from);
    int status = collective_agree(comm, compare_tables(from, to, diag), diag);
    if (status != INLAY_OK) {
        return status;
    }
    int32_t *owner = NULL, *offset = NULL;
    inlay_schedule *made = NULL;
    status = find_owners(from, to, &owner, &offset, diag);
    status = status == INLAY_OK ? schedule_of_owners(comm, owner, inlay_table_local(from), &made, diag) : status;
    free(owner);
    status = status == INLAY_OK ? send_places(made, offset, diag) : status;
    free(offset);
    if (status != INLAY_OK) {
        inlay_schedule_free(made);
        return status;
    }
    *schedule = made;
    return INLAY_OK;
}

/* ---- Items by number ---- */

static bool ascending(const int64_t *number, int64_t count)
{
    for (int64_t k = 1; k < count; k++) {
        if (number[k - 1] >= number[k]) {
            return false;
        }
    }
    return true;
}

/* Sorts number[] and says of each where it now is. count > 0. */
static int put_in_order(int64_t *number, int64_t count, int32_t *place, inlay_diag *diag)
{
    enum { WORDS = 2 }; /* the number less the smallest, and where it was */
    uint64_t *record = memory_array((size_t)count, WORDS * sizeof *record);
    uint64_t *spare = memory_array((size_t)count, WORDS * sizeof *spare);
    if (record == NULL || spare == NULL) {
        free(record);
        free(spare);
        return diag_no_memory(diag);
    }
    int64_t least = number[0], most = number[0];
    for (int64_t k = 1; k < count; k++) {
        least = number[k] < least ? number[k] : least;
        most = number[k] > most ? number[k] : most;
    }
    for (int64_t k = 0; k < count; k++) {
        record[WORDS * k] = (uint64_t)number[k] - (uint64_t)least;
        record[WORDS * k + 1] = (uint64_t)k;
    }
    int bits = radix_bits((uint64_t)most - (uint64_t)least + 1);
    const uint64_t *sorted = radix_sort(record, spare, count, WORDS, 0, 0, bits);
    for (int64_t k = 0; k < count; k++) {
        number[k] = (int64_t)(sorted[WORDS * k] + (uint64_t)least);
        place[sorted[WORDS * k + 1]] = (int32_t)k;
    }
    free(record);
    free(spare);
    return INLAY_OK;
}

/* Gives the items that came the order of their numbers. Local. */
static int order_items(inlay_schedule *schedule, int64_t *arrived, inlay_diag *diag)
{
    int64_t count = schedule->x->receives;
    if (ascending(arrived, count)) {
        return INLAY_OK;
    }
    int32_t *place = memory_array((size_t)count, sizeof *place);
    int status = place == NULL ? diag_no_memory(diag) : put_in_order(arrived, count, place, diag);
    schedule->place = place;
    for (int64_t k = 1; k < count && status == INLAY_OK; k++) {
        if (arrived[k - 1] == arrived[k]) {
            status = diag_fail(diag, INLAY_BAD_ARGUMENT, "item %lld is there twice; expected different numbers",
                               (long long)arrived[k]);
        }
    }
    return status;
}

int schedule_of_items(MPI_Comm comm, const int64_t *number, const int32_t *owner, int32_t count, inlay_schedule **made,
                      int64_t **arrived, int32_t *received, inlay_diag *diag)
{
    inlay_schedule *schedule = NULL;
    int status = schedule_of_owners(comm, owner, count, &schedule, diag);
    if (status != INLAY_OK) {
        return status;
    }
    int64_t *numbers = memory_array((size_t)schedule->x->receives, sizeof *numbers);
    status = collective_agree(comm, numbers == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    status = status == INLAY_OK ? inlay_schedule_move(schedule, number, numbers, sizeof *numbers, diag) : status;
    status = status == INLAY_OK ? collective_agree(comm, order_items(schedule, numbers, diag), diag) : status;
    if (status != INLAY_OK) {
        free(numbers);
        inlay_schedule_free(schedule);
        return status;
    }
    *made = schedule;
    *arrived = numbers;
    *received = (int32_t)schedule->x->receives;
    return INLAY_OK;
}

int inlay_remap_items(MPI_Comm comm, const int64_t *number, const int32_t *owner, int32_t count,
                      inlay_schedule **schedule, int32_t *received, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int64_t *arrived = NULL;
    int status = schedule_of_items(comm, number, owner, count, schedule, &arrived, received, diag);
    free(arrived);
    return status;
}
