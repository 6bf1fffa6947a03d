/* Pairs of vertices, and their graph. */
#include "irregular/mesh/pairs.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include "irregular/exchange/table.h"
#include "irregular/radix.h"
#include <stdlib.h>
#include <string.h>

int mesh_pairs_add(mesh_pairs *pairs, int64_t one, int64_t other, inlay_diag *diag)
{
    size_t needed = (size_t)pairs->count + 1;
    if (!memory_grow((void **)&pairs->one, &pairs->one_room, needed, sizeof *pairs->one) ||
        !memory_grow((void **)&pairs->other, &pairs->other_room, needed, sizeof *pairs->other)) {
        return diag_no_memory(diag);
    }
    pairs->one[pairs->count] = one;
    pairs->other[pairs->count++] = other;
    return INLAY_OK;
}

void mesh_pairs_clear(mesh_pairs *pairs)
{
    free(pairs->one);
    free(pairs->other);
    *pairs = (mesh_pairs){0};
}

/* A number far beyond the others would take memory for all vertices up to it. */
static int check_density(const mesh_text *text, const mesh_pairs *pairs, int64_t vertices, inlay_diag *diag)
{
    enum { FREE = 1000000, PER_PAIR = 100 };
    int64_t all = collective_sum(text->comm, pairs->count);
    if (vertices <= FREE || (vertices - FREE) / PER_PAIR <= all) {
        return INLAY_OK;
    }
    return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, 0,
                        "there are %lld vertices and only %lld pairs of them; expected numbers without large gaps",
                        (long long)vertices, (long long)all);
}

/* ---- Pairs that come twice ---- */

/* Each pair is one number, its row at the owner and behind it the other vertex, and goes to that owner. */
typedef struct tally {
    const inlay_table *rows;
    int column_bits;
    exchange *x;
    uint64_t *out, *in; /* as large as the larger of what is sent and received */
} tally;

static int plan(tally *t, const mesh_pairs *pairs, inlay_diag *diag)
{
    int64_t *count = memory_zeroed((size_t)t->rows->ranks, sizeof *count);
    int status = count == NULL ? diag_no_memory(diag) : INLAY_OK;
    for (int64_t i = 0; count != NULL && i < pairs->count; i++) {
        count[table_page(t->rows, pairs->one[i])]++;
    }
    status = collective_agree(t->rows->comm, status, diag);
    status = status == INLAY_OK ? exchange_make(t->rows->comm, count, &t->x, diag) : status;
    free(count);
    return status;
}

static void write_numbers(const tally *t, const mesh_pairs *pairs, int64_t *next)
{
    memcpy(next, t->x->to, (size_t)t->rows->ranks * sizeof *next);
    for (int64_t i = 0; i < pairs->count; i++) {
        int owner = table_page(t->rows, pairs->one[i]);
        uint64_t row = (uint64_t)(pairs->one[i] - t->rows->first[owner]);
        t->out[next[owner]++] = row << t->column_bits | (uint64_t)pairs->other[i];
    }
}

static int send_numbers(tally *t, const mesh_pairs *pairs, inlay_diag *diag)
{
    size_t most = (size_t)(t->x->sends > t->x->receives ? t->x->sends : t->x->receives);
    int64_t *next = memory_array((size_t)t->rows->ranks, sizeof *next);
    t->out = memory_array(most, sizeof *t->out);
    t->in = memory_array(most, sizeof *t->in);
    int status = next == NULL || t->out == NULL || t->in == NULL ? diag_no_memory(diag) : INLAY_OK;
    status = collective_agree(t->rows->comm, status, diag);
    if (status == INLAY_OK) {
        write_numbers(t, pairs, next);
        status = exchange_run(t->x, t->out, t->in, sizeof *t->out, diag);
    }
    free(next);
    return status;
}

/* Numbers that do not fit into 64 bits are for inlay_rdg_generate() to refuse. */
static int count_repeats(const inlay_table *rows, const mesh_pairs *pairs, int64_t *repeats, inlay_diag *diag)
{
    tally t = {.rows = rows, .column_bits = radix_bits((uint64_t)rows->n)};
    int bits = t.column_bits + radix_bits((uint64_t)(rows->first[1] - rows->first[0]) + 1);
    if (bits > 64) {
        return INLAY_OK;
    }
    int status = plan(&t, pairs, diag);
    status = status == INLAY_OK ? send_numbers(&t, pairs, diag) : status;
    if (status == INLAY_OK) {
        const uint64_t *sorted = radix_sort(t.in, t.out, t.x->receives, 1, 0, 0, bits);
        int64_t own = 0;
        for (int64_t i = 1; i < t.x->receives; i++) {
            own += sorted[i] == sorted[i - 1];
        }
        *repeats = collective_sum(rows->comm, own);
    }
    free(t.out);
    free(t.in);
    exchange_free(t.x);
    return status;
}

/* ---- The graph ---- */

static int collect(MPI_Comm comm, mesh_pairs *pairs, int64_t vertices, inlay_rdg **rdg, inlay_diag *diag)
{
    int status = inlay_rdg_new(vertices, pairs->count, rdg, diag);
    status = status == INLAY_OK ? inlay_rdg_add_pairs(*rdg, pairs->one, pairs->other, pairs->count, diag) : status;
    mesh_pairs_clear(pairs);
    return collective_agree(comm, status, diag);
}

int mesh_pairs_graph(const mesh_text *text, mesh_pairs *pairs, int64_t vertices, int64_t *repeats, inlay_graph **graph,
                     inlay_diag *diag)
{
    inlay_rdg *rdg = NULL;
    inlay_table *rows = NULL;
    inlay_graph *made = NULL;
    int status = check_density(text, pairs, vertices, diag);
    status = status == INLAY_OK ? inlay_table_block(text->comm, vertices, &rows, diag) : status;
    status = status == INLAY_OK && repeats != NULL ? count_repeats(rows, pairs, repeats, diag) : status;
    status = status == INLAY_OK ? collect(text->comm, pairs, vertices, &rdg, diag) : status;
    status = status == INLAY_OK ? inlay_rdg_generate(rdg, rows, &made, diag) : status;
    inlay_table_free(rows);
    inlay_rdg_free(rdg);
    if (status != INLAY_OK) {
        return status;
    }
    free(made->weight); /* how often a pair stands in the file does not matter */
    made->weight = NULL;
    *graph = made;
    return INLAY_OK;
}
