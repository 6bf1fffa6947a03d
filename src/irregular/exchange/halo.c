/* Who has ghosts of whom, and the neighbourhoods that they make (paper, section 3.3: localize). */
#include "irregular/exchange/halo.h"
#include "base/diag.h"
#include "base/memory.h"
#include <stdlib.h>

static void side_clear(halo_side *side)
{
    free(side->rank);
    free(side->start);
    free(side->entries);
}

static void way_clear(halo_way *way)
{
    if (way->under_way) {
        halo_finish(way, NULL);
    }
    halo_plans_free(way);
    if (way->comm != MPI_COMM_NULL) {
        MPI_Comm_free(&way->comm);
    }
}

void inlay_halo_free(inlay_halo *halo)
{
    if (halo == NULL) {
        return;
    }
    way_clear(&halo->gather);
    way_clear(&halo->scatter);
    if (halo->unit != MPI_DATATYPE_NULL) {
        MPI_Type_free(&halo->unit);
    }
    side_clear(&halo->in);
    side_clear(&halo->out);
    free(halo->take);
    free(halo->offset);
    free(halo->global);
    free(halo);
}

inlay_halo_figures inlay_halo_figures_of(const inlay_halo *halo)
{
    return (inlay_halo_figures){.own = halo->own,
                                .ghosts = halo->ghosts,
                                .before = halo->before,
                                .sends = halo->sends,
                                .neighbours_in = halo->in.neighbours,
                                .neighbours_out = halo->out.neighbours};
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
    side->entries = memory_array(neighbours, sizeof *side->entries);
    if (side->rank == NULL || side->start == NULL || side->entries == NULL) {
        return diag_no_memory(diag);
    }
    int n = 0;
    for (int r = 0; r < ranks; r++) {
        if (start[r + 1] > start[r]) {
            side->entries[n] = (int)(start[r + 1] - start[r]);
            side->rank[n++] = r;
            side->start[n] = (int)start[r + 1];
        }
    }
    return INLAY_OK;
}

/* The weights of a neighbourhood are the entries of messages. */
static int connect(MPI_Comm comm, halo_way *way, const halo_side *from, const halo_side *to, inlay_diag *diag)
{
    way->from = from;
    way->to = to;
    return collective_mpi(MPI_Dist_graph_create_adjacent(comm, from->neighbours, from->rank, from->entries,
                                                         to->neighbours, to->rank, to->entries, MPI_INFO_NULL, 0,
                                                         &way->comm),
                          diag);
}

static int make_unit(inlay_halo *halo, inlay_diag *diag)
{
    int status = collective_mpi(MPI_Type_contiguous(HALO_UNIT, MPI_BYTE, &halo->unit), diag);
    return status == INLAY_OK ? collective_mpi(MPI_Type_commit(&halo->unit), diag) : status;
}

/* Tells the owners which of their elements are ghosts here. */
static int meet_owners(MPI_Comm comm, const int32_t *owner, inlay_halo *halo, inlay_diag *diag)
{
    exchange *x = NULL;
    int status = exchange_of_owners(comm, owner, halo->ghosts, &x, diag);
    if (status != INLAY_OK) {
        return status;
    }
    halo->sends = (int32_t)x->receives;
    halo->take = memory_array((size_t)x->receives, sizeof *halo->take);
    status = side_make(&halo->in, x->to, x->ranks, diag);
    status = status == INLAY_OK ? side_make(&halo->out, x->from, x->ranks, diag) : status;
    if (status == INLAY_OK && halo->take == NULL) {
        status = diag_no_memory(diag);
    }
    status = collective_agree(comm, status == INLAY_OK ? make_unit(halo, diag) : status, diag);
    status = status == INLAY_OK ? exchange_run(x, halo->offset, halo->take, sizeof *halo->take, diag) : status;
    exchange_free(x);
    status = status == INLAY_OK ? connect(comm, &halo->gather, &halo->in, &halo->out, diag) : status;
    return status == INLAY_OK ? connect(comm, &halo->scatter, &halo->out, &halo->in, diag) : status;
}

static inlay_halo *halo_new(int32_t own, int32_t before, halo_ghosts *ghosts)
{
    inlay_halo *halo = memory_zeroed(1, sizeof *halo);
    if (halo != NULL) {
        halo->gather.comm = halo->scatter.comm = MPI_COMM_NULL;
        halo->unit = MPI_DATATYPE_NULL;
        halo->own = own;
        halo->before = before;
        halo->ghosts = ghosts->count;
        halo->offset = ghosts->offset;
        halo->global = ghosts->global;
        ghosts->offset = NULL;
        ghosts->global = NULL;
    }
    return halo;
}

int halo_meet(MPI_Comm comm, int32_t own, int32_t before, halo_ghosts *ghosts, inlay_halo **made, inlay_diag *diag)
{
    inlay_halo *halo = halo_new(own, before, ghosts);
    int status = collective_agree(comm, halo == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    status = status == INLAY_OK ? meet_owners(comm, ghosts->owner, halo, diag) : status;
    if (status == INLAY_OK) {
        *made = halo;
    } else {
        inlay_halo_free(halo);
    }
    return status;
}
