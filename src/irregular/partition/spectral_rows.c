/* Rows of graphs on their way from rank to rank. */
#include "irregular/partition/spectral_level.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include <stdlib.h>
#include <string.h>

void spectral_rows_clear(spectral_rows *rows)
{
    free(rows->row);
    free(rows->arc);
    *rows = (spectral_rows){0};
}

bool spectral_rows_room(spectral_rows *rows, int64_t count, int64_t arcs)
{
    rows->row = memory_array((size_t)count, sizeof *rows->row);
    rows->arc = memory_array((size_t)arcs, sizeof *rows->arc);
    rows->rows = count;
    rows->arcs = arcs;
    if (rows->row == NULL || rows->arc == NULL) {
        spectral_rows_clear(rows);
        return false;
    }
    return true;
}

/* Copies rows and arcs so that those of one owner lie together. count[2 r] rows and count[2 r + 1] arcs go to rank r. */
static int sort_by_owner(const spectral_rows *rows, const int32_t *owner, int ranks, int64_t *count,
                         spectral_rows *sorted, inlay_diag *diag)
{
    int64_t *next = memory_zeroed(2 * (size_t)ranks + 2, sizeof *next);
    if (next == NULL || !spectral_rows_room(sorted, rows->rows, rows->arcs)) {
        free(next);
        return diag_no_memory(diag);
    }
    for (int64_t i = 0; i < rows->rows; i++) {
        int64_t *to = count + (ptrdiff_t)2 * owner[i];
        to[0]++;
        to[1] += rows->row[i].arcs;
    }
    for (int i = 0; i < 2 * ranks; i++) {
        next[i + 2] = next[i] + count[i];
    }
    const spectral_arc *arc = rows->arc;
    for (int64_t i = 0; i < rows->rows; i++) {
        int64_t *to = next + (ptrdiff_t)2 * owner[i], arcs = rows->row[i].arcs;
        sorted->row[to[0]] = rows->row[i];
        memcpy(sorted->arc + to[1], arc, (size_t)arcs * sizeof *arc);
        to[0]++;
        to[1] += arcs;
        arc += arcs;
    }
    free(next);
    return INLAY_OK;
}

/* The exchanges of rows and of arcs; count as above. */
static int exchanges(MPI_Comm comm, const int64_t *count, exchange *made[2], inlay_diag *diag)
{
    int ranks = collective_ranks(comm);
    int64_t *each = memory_array((size_t)ranks, sizeof *each);
    int status = collective_agree(comm, each == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    for (int kind = 0; kind < 2 && status == INLAY_OK; kind++) {
        for (int r = 0; r < ranks; r++) {
            each[r] = count[2 * r + kind];
        }
        status = exchange_make(comm, each, &made[kind], diag);
    }
    free(each);
    return status;
}

static int send_sorted(MPI_Comm comm, const spectral_rows *sorted, const int64_t *count, spectral_rows *received,
                       inlay_diag *diag)
{
    exchange *made[2] = {NULL, NULL};
    int status = exchanges(comm, count, made, diag);
    if (status == INLAY_OK) {
        bool room = spectral_rows_room(received, made[0]->receives, made[1]->receives);
        status = collective_agree(comm, room ? INLAY_OK : diag_no_memory(diag), diag);
    }
    if (status == INLAY_OK) {
        status = exchange_run(made[0], sorted->row, received->row, sizeof *sorted->row, diag);
        int arcs = exchange_run(made[1], sorted->arc, received->arc, sizeof *sorted->arc, diag);
        status = collective_agree(comm, status != INLAY_OK ? status : arcs, diag);
    }
    exchange_free(made[0]);
    exchange_free(made[1]);
    if (status != INLAY_OK) {
        spectral_rows_clear(received);
    }
    return status;
}

int spectral_rows_send(MPI_Comm comm, const spectral_rows *rows, const int32_t *owner, spectral_rows *received,
                       inlay_diag *diag)
{
    int ranks = collective_ranks(comm);
    spectral_rows sorted = {0};
    int64_t *count = memory_zeroed(2 * (size_t)ranks, sizeof *count);
    int status = count == NULL ? diag_no_memory(diag) : sort_by_owner(rows, owner, ranks, count, &sorted, diag);
    status = collective_agree(comm, status, diag);
    status = status == INLAY_OK ? send_sorted(comm, &sorted, count, received, diag) : status;
    spectral_rows_clear(&sorted);
    free(count);
    return status;
}
