/* Agreement, reductions and exchanges. */
#include "irregular/exchange/collective.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/headroom.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int collective_rank(MPI_Comm comm)
{
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

int collective_ranks(MPI_Comm comm)
{
    int ranks = 1;
    MPI_Comm_size(comm, &ranks);
    return ranks;
}

/* ---- Agreement ---- */

/* What the lowest rank that failed tells all others. */
typedef struct failure {
    int status;
    char message[1024], option[512], value[512];
} failure;

static void describe(failure *f, int status, const inlay_diag *diag)
{
    memset(f, 0, sizeof *f);
    f->status = status;
    const char *message = inlay_diag_message(diag);
    snprintf(f->message, sizeof f->message, "%s", message[0] == '\0' ? inlay_status_text(status) : message);
    const char *option = inlay_diag_remedy_option(diag), *value = inlay_diag_remedy_value(diag);
    snprintf(f->option, sizeof f->option, "%s", option == NULL ? "" : option);
    snprintf(f->value, sizeof f->value, "%s", value == NULL ? "" : value);
}

int collective_settle(MPI_Comm comm, int status, inlay_diag *diag)
{
    int rank = collective_rank(comm), ranks = collective_ranks(comm);
    if (status == INLAY_OK && !headroom_left(HEADROOM_OF_MPI)) {
        status = diag_no_memory(diag);
    }
    int mine = status == INLAY_OK ? ranks : rank, first = ranks;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm);
    if (first == ranks) {
        return INLAY_OK;
    }
    failure f;
    if (first == rank) {
        describe(&f, status, diag);
    }
    MPI_Bcast(&f, (int)sizeof f, MPI_BYTE, first, comm);
    diag_clear_error(diag);
    diag_fail(diag, f.status, "%s", f.message);
    if (f.option[0] != '\0') {
        diag_remedy(diag, f.option, "%s", f.value);
    }
    return f.status;
}

int collective_mpi(int code, inlay_diag *diag)
{
    if (code == MPI_SUCCESS) {
        return INLAY_OK;
    }
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    diag_fail(diag, INLAY_SYSTEM, "MPI failed: %s", text);
    return INLAY_SYSTEM;
}

/* ---- Reductions ---- */

static int64_t reduced(MPI_Comm comm, int64_t value, MPI_Op op)
{
    int64_t result = value;
    MPI_Allreduce(&value, &result, 1, MPI_INT64_T, op, comm);
    return result;
}

int64_t collective_sum(MPI_Comm comm, int64_t value)
{
    return reduced(comm, value, MPI_SUM);
}

int64_t collective_most(MPI_Comm comm, int64_t value)
{
    return reduced(comm, value, MPI_MAX);
}

int64_t collective_least(MPI_Comm comm, int64_t value)
{
    return reduced(comm, value, MPI_MIN);
}

int64_t collective_before(MPI_Comm comm, int64_t value)
{
    int64_t sum = 0;
    MPI_Exscan(&value, &sum, 1, MPI_INT64_T, MPI_SUM, comm);
    return collective_rank(comm) == 0 ? 0 : sum;
}

/* ---- Exchanges ---- */

void exchange_free(exchange *x)
{
    if (x == NULL) {
        return;
    }
    free(x->to);
    free(x->from);
    free(x->counts);
    free(x);
}

static exchange *exchange_new(MPI_Comm comm)
{
    exchange *x = memory_zeroed(1, sizeof *x);
    if (x == NULL) {
        return NULL;
    }
    x->comm = comm;
    x->ranks = collective_ranks(comm);
    size_t ranks = (size_t)x->ranks;
    x->to = memory_zeroed(ranks + 1, sizeof *x->to);
    x->from = memory_zeroed(ranks + 1, sizeof *x->from);
    x->counts = memory_zeroed(4 * ranks, sizeof *x->counts);
    if (x->to == NULL || x->from == NULL || x->counts == NULL) {
        exchange_free(x);
        return NULL;
    }
    return x;
}

/* Turns counts in start[1 ..] into starts, and writes both as MPI wants them; false where they are too many for it. */
static bool lay_out(int64_t *start, int ranks, int *counts)
{
    for (int r = 0; r < ranks; r++) {
        int64_t count = start[r + 1];
        if (count < 0 || count > INT_MAX - start[r]) {
            return false;
        }
        counts[r] = (int)count;
        counts[ranks + r] = (int)start[r];
        start[r + 1] += start[r];
    }
    return true;
}

/* x->to[1 ..] holds the counts. */
static int complete(exchange *x, inlay_diag *diag)
{
    MPI_Alltoall(x->to + 1, 1, MPI_INT64_T, x->from + 1, 1, MPI_INT64_T, x->comm);
    int status = INLAY_OK;
    if (!lay_out(x->to, x->ranks, x->counts) || !lay_out(x->from, x->ranks, x->counts + (ptrdiff_t)2 * x->ranks)) {
        status = diag_fail(diag, INLAY_OVERFLOW,
                           "rank %d has too many entries to exchange; expected fewer than 2^31: use more ranks",
                           collective_rank(x->comm));
    }
    x->sends = x->to[x->ranks];
    x->receives = x->from[x->ranks];
    return collective_agree(x->comm, status, diag);
}

/* Ends the local phase with an agreement, x being NULL where memory was out, and then makes the exchange of the counts in
 * x->to[1 ..]. Frees x on failure. */
static int finish(MPI_Comm comm, exchange *x, int status, exchange **made, inlay_diag *diag)
{
    status = collective_agree(comm, x == NULL ? diag_no_memory(diag) : status, diag);
    if (status == INLAY_OK && x != NULL) {
        status = complete(x, diag);
    }
    if (status != INLAY_OK) {
        exchange_free(x);
        return status;
    }
    *made = x;
    return INLAY_OK;
}

int exchange_make(MPI_Comm comm, const int64_t *count, exchange **made, inlay_diag *diag)
{
    exchange *x = exchange_new(comm);
    if (x != NULL) {
        memcpy(x->to + 1, count, (size_t)x->ranks * sizeof *count);
    }
    return finish(comm, x, INLAY_OK, made, diag);
}

static int count_owners(exchange *x, const int32_t *owner, int64_t items, inlay_diag *diag)
{
    for (int64_t i = 0; i < items; i++) {
        if (owner[i] < 0 || owner[i] >= x->ranks) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "item %lld goes to rank %d; expected 0 to %d", (long long)i,
                             (int)owner[i], x->ranks - 1);
        }
        x->to[owner[i] + 1]++;
    }
    return INLAY_OK;
}

int exchange_of_owners(MPI_Comm comm, const int32_t *owner, int64_t items, exchange **made, inlay_diag *diag)
{
    exchange *x = exchange_new(comm);
    int status = x == NULL ? INLAY_OK : count_owners(x, owner, items, diag);
    return finish(comm, x, status, made, diag);
}

int exchange_places(const exchange *x, const int32_t *owner, int64_t items, int32_t *place, inlay_diag *diag)
{
    int32_t *next = memory_array((size_t)x->ranks, sizeof *next);
    if (next == NULL) {
        return diag_no_memory(diag);
    }
    for (int r = 0; r < x->ranks; r++) {
        next[r] = (int32_t)x->to[r];
    }
    for (int64_t i = 0; i < items; i++) {
        place[i] = next[owner[i]]++;
    }
    free(next);
    return INLAY_OK;
}

/* Counts are of entries, not bytes, so that 2^31 bytes are no limit. */
static int all_to_all(const exchange *x, const void *send, const int *out, void *receive, const int *in, size_t bytes,
                      inlay_diag *diag)
{
    if (bytes > INT_MAX) {
        return diag_fail(diag, INLAY_OVERFLOW, "entries of %zu bytes; expected fewer than 2^31", bytes);
    }
    MPI_Datatype entry;
    int code = MPI_Type_contiguous((int)bytes, MPI_BYTE, &entry);
    if (code != MPI_SUCCESS) {
        return collective_mpi(code, diag);
    }
    code = MPI_Type_commit(&entry);
    if (code == MPI_SUCCESS) {
        code = MPI_Alltoallv(send, out, out + x->ranks, entry, receive, in, in + x->ranks, entry, x->comm);
    }
    MPI_Type_free(&entry);
    return collective_mpi(code, diag);
}

int exchange_run(const exchange *x, const void *send, void *receive, size_t bytes, inlay_diag *diag)
{
    return all_to_all(x, send, x->counts, receive, x->counts + (ptrdiff_t)2 * x->ranks, bytes, diag);
}

int exchange_back(const exchange *x, const void *send, void *receive, size_t bytes, inlay_diag *diag)
{
    return all_to_all(x, send, x->counts + (ptrdiff_t)2 * x->ranks, receive, x->counts, bytes, diag);
}
