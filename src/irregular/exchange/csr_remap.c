/*
 * Rows of a CSR structure at new owners (paper, section 3.3: csr_remap). The lengths of rows move first; where the
 * entries go follows from them on both sides, so that entries are not numbered in messages.
 */
#include "irregular/exchange/schedule.h"
#include "base/diag.h"
#include "base/memory.h"
#include <stdlib.h>

/* ---- Entries that go with their rows ---- */

static int check_start(const int64_t *start, int64_t rows, inlay_diag *diag)
{
    if (start[0] != 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "row 0 starts at entry %lld; expected 0", (long long)start[0]);
    }
    for (int64_t i = 0; i < rows; i++) {
        if (start[i + 1] < start[i]) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "row %lld starts at entry %lld and ends at %lld", (long long)i,
                             (long long)start[i], (long long)start[i + 1]);
        }
    }
    if (start[rows] > INT32_MAX) {
        return diag_fail(diag, INLAY_OVERFLOW, "%lld entries on a rank; expected fewer than 2^31: use more ranks",
                         (long long)start[rows]);
    }
    return INLAY_OK;
}

/* The new starts: the lengths of the old rows, moved and added up. *start is for the caller to free. */
static int move_starts(const inlay_schedule *rows, const int64_t *start, int64_t old_rows, int64_t **new_start,
                       inlay_diag *diag)
{
    int64_t new_rows = rows->x->receives;
    int64_t *length = memory_array((size_t)old_rows, sizeof *length);
    int64_t *moved = memory_array((size_t)new_rows + 1, sizeof *moved);
    int status = check_start(start, old_rows, diag);
    if (status == INLAY_OK && (length == NULL || moved == NULL)) {
        status = diag_no_memory(diag);
    }
    for (int64_t i = 0; i < old_rows && status == INLAY_OK; i++) {
        length[i] = start[i + 1] - start[i];
    }
    status = collective_agree(rows->x->comm, status, diag);
    status = status == INLAY_OK ? inlay_schedule_move(rows, length, moved + 1, sizeof *length, diag) : status;
    free(length);
    if (status != INLAY_OK) {
        free(moved);
        return status;
    }
    moved[0] = 0;
    for (int64_t i = 0; i < new_rows; i++) {
        moved[i + 1] += moved[i];
    }
    *new_start = moved;
    return INLAY_OK;
}

/* How many entries go to each rank. */
static int exchange_of_entries(const inlay_schedule *rows, const int64_t *start, exchange **made, inlay_diag *diag)
{
    const exchange *x = rows->x;
    int64_t *count = memory_zeroed((size_t)x->ranks, sizeof *count);
    int status = collective_agree(x->comm, count == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    if (status != INLAY_OK) {
        free(count);
        return status;
    }
    for (int r = 0; r < x->ranks; r++) {
        for (int64_t k = x->to[r]; k < x->to[r + 1]; k++) {
            count[r] += start[rows->take[k] + 1] - start[rows->take[k]];
        }
    }
    status = exchange_make(x->comm, count, made, diag);
    free(count);
    return status;
}

/* The entries of the rows listed, one after the other. */
static void list_entries(const int32_t *row, int64_t count, const int64_t *start, int32_t *list)
{
    int64_t n = 0;
    for (int64_t k = 0; k < count; k++) {
        for (int64_t e = start[row[k]]; e < start[row[k] + 1]; e++) {
            list[n++] = (int32_t)e;
        }
    }
}

/* Takes x over, also where it fails. */
static int list_both_sides(const inlay_schedule *rows, const int64_t *start, const int64_t *new_start, exchange *x,
                           inlay_schedule **made, inlay_diag *diag)
{
    bool ordered = rows->place == NULL;
    inlay_schedule *entries = memory_zeroed(1, sizeof *entries);
    int32_t *take = memory_array((size_t)x->sends, sizeof *take);
    int32_t *place = ordered ? NULL : memory_array((size_t)x->receives, sizeof *place);
    bool room = entries != NULL && take != NULL && (ordered || place != NULL);
    int status = collective_agree(x->comm, room ? INLAY_OK : diag_no_memory(diag), diag);
    if (status != INLAY_OK) {
        exchange_free(x);
        free(take);
        free(place);
        free(entries);
        return status;
    }
    list_entries(rows->take, rows->x->sends, start, take);
    if (!ordered) {
        list_entries(rows->place, rows->x->receives, new_start, place);
    }
    schedule_leave_out_own(x);
    *entries = (inlay_schedule){.x = x, .take = take, .place = place};
    *made = entries;
    return INLAY_OK;
}

int schedule_of_entries(const inlay_schedule *rows, const int64_t *start, int64_t old_rows, inlay_schedule **entries,
                        int64_t **new_start, inlay_diag *diag)
{
    int64_t *moved = NULL;
    exchange *x = NULL;
    int status = move_starts(rows, start, old_rows, &moved, diag);
    status = status == INLAY_OK ? exchange_of_entries(rows, start, &x, diag) : status;
    status = status == INLAY_OK ? list_both_sides(rows, start, moved, x, entries, diag) : status;
    if (status != INLAY_OK) {
        free(moved);
        return status;
    }
    *new_start = moved;
    return INLAY_OK;
}

/* ---- CSR structures ---- */

void inlay_csr_free(inlay_csr *csr)
{
    if (csr != NULL) {
        free(csr->start);
        free(csr->column);
        inlay_schedule_free(csr->entries);
        inlay_schedule_free(csr->conformal);
        free(csr);
    }
}

static int move_columns(inlay_csr *csr, const int64_t *column, inlay_diag *diag)
{
    const exchange *x = csr->entries->x;
    csr->column = memory_array((size_t)x->receives, sizeof *csr->column);
    int status = collective_agree(x->comm, csr->column == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    return status == INLAY_OK ? inlay_schedule_move(csr->entries, column, csr->column, sizeof *column, diag) : status;
}

int inlay_csr_remap(const inlay_table *from, const inlay_table *to, const int64_t *start, const int64_t *column,
                    inlay_csr **csr, inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_csr *made = memory_zeroed(1, sizeof *made);
    int status = collective_agree(inlay_table_comm(from), made == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    status = status == INLAY_OK ? inlay_remap(from, to, &made->conformal, diag) : status;
    if (status == INLAY_OK) {
        made->rows = inlay_table_local(to);
        status =
            schedule_of_entries(made->conformal, start, inlay_table_local(from), &made->entries, &made->start, diag);
    }
    status = status == INLAY_OK ? move_columns(made, column, diag) : status;
    if (status != INLAY_OK) {
        inlay_csr_free(made);
        return status;
    }
    *csr = made;
    return INLAY_OK;
}
