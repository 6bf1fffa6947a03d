/* References to elements as local numbers, and who has ghosts of whom (paper, section 3.3: localize). */
#include "irregular/exchange/halo.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/radix.h"
#include "irregular/references.h"
#include <stdlib.h>

static void side_clear(halo_side *side)
{
    free(side->rank);
    free(side->start);
    free(side->counts);
}

void inlay_halo_free(inlay_halo *halo)
{
    if (halo == NULL) {
        return;
    }
    if (halo->gather != MPI_COMM_NULL) {
        MPI_Comm_free(&halo->gather);
    }
    if (halo->scatter != MPI_COMM_NULL) {
        MPI_Comm_free(&halo->scatter);
    }
    side_clear(&halo->in);
    side_clear(&halo->out);
    free(halo->take);
    free(halo->buffer);
    free(halo);
}

inlay_halo_figures inlay_halo_figures_of(const inlay_halo *halo)
{
    return (inlay_halo_figures){.own = halo->own,
                                .ghosts = halo->ghosts,
                                .sends = halo->sends,
                                .neighbours_in = halo->in.neighbours,
                                .neighbours_out = halo->out.neighbours};
}

/* ---- Ghosts by owner and offset ---- */

typedef struct ghosts {
    int32_t count;
    int32_t *owner, *offset; /* [count], sorted */
    int32_t *rank_of;        /* [count] the new number of the k-th that was met */
} ghosts;

static void ghosts_clear(ghosts *s)
{
    free(s->owner);
    free(s->offset);
    free(s->rank_of);
}

/* How many bits offsets have. */
static int offset_bits(const ghosts *s)
{
    int32_t most = 0;
    for (int32_t k = 0; k < s->count; k++) {
        most = s->offset[k] > most ? s->offset[k] : most;
    }
    return radix_bits((uint64_t)most + 1);
}

/* Local. */
static int sort_ghosts(ghosts *s, int ranks, inlay_diag *diag)
{
    enum { WORDS = 2 }; /* owner and offset, and which ghost it is */
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
        s->rank_of[sorted[1]] = k;
    }
    free(record);
    free(spare);
    return INLAY_OK;
}

static int ask_owners(const inlay_table *table, const references *f, ghosts *s, inlay_diag *diag)
{
    MPI_Comm comm = inlay_table_comm(table);
    s->count = (int32_t)f->others;
    s->owner = memory_array(f->others, sizeof *s->owner);
    s->offset = memory_array(f->others, sizeof *s->offset);
    s->rank_of = memory_array(f->others, sizeof *s->rank_of);
    int status = s->owner == NULL || s->offset == NULL || s->rank_of == NULL ? diag_no_memory(diag) : INLAY_OK;
    status = collective_agree(comm, status, diag);
    if (status == INLAY_OK) {
        status = inlay_table_dereference(table, f->other, s->count, s->owner, s->offset, diag);
    }
    return status == INLAY_OK ? collective_agree(comm, sort_ghosts(s, collective_ranks(comm), diag), diag) : status;
}

/* ---- The neighbourhood ---- */

/* The ranks with entries in start[ranks + 1]. */
static int side_make(halo_side *side, const int64_t *start, int ranks, inlay_diag *diag)
{
    for (int r = 0; r < ranks; r++) {
        side->neighbours += start[r + 1] > start[r];
    }
    size_t neighbours = (size_t)side->neighbours;
    side->rank = memory_array(neighbours, sizeof *side->rank);
    side->start = memory_zeroed(neighbours + 1, sizeof *side->start);
    side->counts = memory_array(2 * neighbours, sizeof *side->counts);
    if (side->rank == NULL || side->start == NULL || side->counts == NULL) {
        return diag_no_memory(diag);
    }
    int n = 0;
    for (int r = 0; r < ranks; r++) {
        if (start[r + 1] > start[r]) {
            side->counts[n] = (int)(start[r + 1] - start[r]);
            side->rank[n++] = r;
            side->start[n] = (int)start[r + 1];
        }
    }
    return INLAY_OK;
}

/* The weights of a neighbourhood are the entries of messages. */
static int connect(MPI_Comm comm, const halo_side *from, const halo_side *to, MPI_Comm *made, inlay_diag *diag)
{
    return collective_mpi(MPI_Dist_graph_create_adjacent(comm, from->neighbours, from->rank, from->counts,
                                                         to->neighbours, to->rank, to->counts, MPI_INFO_NULL, 0, made),
                          diag);
}

/* Tells the owners which of their elements are ghosts here. */
static int meet_neighbours(MPI_Comm comm, const ghosts *s, inlay_halo *halo, inlay_diag *diag)
{
    exchange *x = NULL;
    int status = exchange_of_owners(comm, s->owner, s->count, &x, diag);
    if (status != INLAY_OK) {
        return status;
    }
    halo->ghosts = s->count;
    halo->sends = (int32_t)x->receives;
    halo->take = memory_array((size_t)x->receives, sizeof *halo->take);
    status = side_make(&halo->in, x->to, x->ranks, diag);
    status = status == INLAY_OK ? side_make(&halo->out, x->from, x->ranks, diag) : status;
    if (status == INLAY_OK && halo->take == NULL) {
        status = diag_no_memory(diag);
    }
    status = collective_agree(comm, status, diag);
    status = status == INLAY_OK ? exchange_run(x, s->offset, halo->take, sizeof *halo->take, diag) : status;
    exchange_free(x);
    status = status == INLAY_OK ? connect(comm, &halo->in, &halo->out, &halo->gather, diag) : status;
    return status == INLAY_OK ? connect(comm, &halo->out, &halo->in, &halo->scatter, diag) : status;
}

/* ---- Making ---- */

static inlay_halo *halo_new(int32_t own)
{
    inlay_halo *halo = memory_zeroed(1, sizeof *halo);
    if (halo != NULL) {
        halo->gather = halo->scatter = MPI_COMM_NULL;
        halo->own = own;
    }
    return halo;
}

/* local[] gets its final numbers only where all has gone well. */
static void number_references(const int32_t *number, int64_t count, const inlay_halo *halo, const ghosts *s,
                              int32_t *local)
{
    for (int64_t i = 0; i < count; i++) {
        local[i] = number[i] < halo->own ? number[i] : halo->own + s->rank_of[number[i] - halo->own];
    }
}

int inlay_halo_make(const inlay_table *table, const int64_t *g, int64_t count, int32_t *local, inlay_halo **halo,
                    inlay_diag *diag)
{
    DIAG_CALL(diag);
    MPI_Comm comm = inlay_table_comm(table);
    references f = {0};
    ghosts s = {0};
    inlay_halo *made = halo_new(inlay_table_local(table));
    int32_t *number = memory_array((size_t)count, sizeof *number);
    int status =
        made == NULL || number == NULL ? diag_no_memory(diag) : references_number(&f, table, g, count, number, diag);
    status = collective_agree(comm, status, diag);
    status = status == INLAY_OK ? ask_owners(table, &f, &s, diag) : status;
    status = status == INLAY_OK ? meet_neighbours(comm, &s, made, diag) : status;
    references_clear(&f);
    if (status == INLAY_OK) {
        number_references(number, count, made, &s, local);
        *halo = made;
    } else {
        inlay_halo_free(made);
    }
    ghosts_clear(&s);
    free(number);
    return status;
}
