/* Pairs of vertices, and their graph. */
#include "irregular/mesh/pairs.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include <stdlib.h>

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

static int collect(MPI_Comm comm, mesh_pairs *pairs, int64_t vertices, inlay_rdg **rdg, inlay_diag *diag)
{
    int status = inlay_rdg_new(vertices, pairs->count, rdg, diag);
    status = status == INLAY_OK ? inlay_rdg_add_pairs(*rdg, pairs->one, pairs->other, pairs->count, diag) : status;
    mesh_pairs_clear(pairs);
    return collective_agree(comm, status, diag);
}

int mesh_pairs_graph(const mesh_text *text, mesh_pairs *pairs, int64_t vertices, inlay_graph **graph, inlay_diag *diag)
{
    inlay_rdg *rdg = NULL;
    inlay_table *rows = NULL;
    inlay_graph *made = NULL;
    int status = check_density(text, pairs, vertices, diag);
    status = status == INLAY_OK ? collect(text->comm, pairs, vertices, &rdg, diag) : status;
    status = status == INLAY_OK ? inlay_table_block(text->comm, vertices, &rows, diag) : status;
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
