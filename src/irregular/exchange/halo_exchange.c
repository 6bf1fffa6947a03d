/*
 * Ghosts in each sweep: gather fetches them, scatter-add gives back what was accumulated in them.
 *
 * Ghosts lie behind the own elements in the order of their owners, so that they are received in place and sent from
 * where they are; only the owners pack and add. Each neighbour gets one message.
 */
#include "irregular/exchange/halo.h"
#include "base/diag.h"
#include "base/memory.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- Packing and adding ---- */

static inline void pack_entries(const int32_t *take, int32_t count, const double *restrict value,
                                double *restrict buffer, int width)
{
    for (int32_t k = 0; k < count; k++) {
        for (int c = 0; c < width; c++) {
            buffer[(ptrdiff_t)k * width + c] = value[(ptrdiff_t)take[k] * width + c];
        }
    }
}

static inline void add_entries(const int32_t *take, int32_t count, const double *restrict buffer,
                               double *restrict value, int width)
{
    for (int32_t k = 0; k < count; k++) {
        for (int c = 0; c < width; c++) {
            value[(ptrdiff_t)take[k] * width + c] += buffer[(ptrdiff_t)k * width + c];
        }
    }
}

/* The usual widths are known to the compiler, so that the inner loops go. */
static void pack(const inlay_halo *h, const double *value, int width)
{
    switch (width) {
    case 1: pack_entries(h->take, h->sends, value, h->buffer, 1); return;
    case 2: pack_entries(h->take, h->sends, value, h->buffer, 2); return;
    case 3: pack_entries(h->take, h->sends, value, h->buffer, 3); return;
    case 4: pack_entries(h->take, h->sends, value, h->buffer, 4); return;
    case 5: pack_entries(h->take, h->sends, value, h->buffer, 5); return;
    case 6: pack_entries(h->take, h->sends, value, h->buffer, 6); return;
    case 7: pack_entries(h->take, h->sends, value, h->buffer, 7); return;
    case 8: pack_entries(h->take, h->sends, value, h->buffer, 8); return;
    default: pack_entries(h->take, h->sends, value, h->buffer, width); return;
    }
}

static void add(const inlay_halo *h, double *value, int width)
{
    switch (width) {
    case 1: add_entries(h->take, h->sends, h->buffer, value, 1); return;
    case 2: add_entries(h->take, h->sends, h->buffer, value, 2); return;
    case 3: add_entries(h->take, h->sends, h->buffer, value, 3); return;
    case 4: add_entries(h->take, h->sends, h->buffer, value, 4); return;
    case 5: add_entries(h->take, h->sends, h->buffer, value, 5); return;
    case 6: add_entries(h->take, h->sends, h->buffer, value, 6); return;
    case 7: add_entries(h->take, h->sends, h->buffer, value, 7); return;
    case 8: add_entries(h->take, h->sends, h->buffer, value, 8); return;
    default: add_entries(h->take, h->sends, h->buffer, value, width); return;
    }
}

/* ---- The width ---- */

static int widen(inlay_halo *h, int width, inlay_diag *diag)
{
    int32_t longest = h->sends > h->ghosts ? h->sends : h->ghosts;
    if (longest > INT_MAX / width) {
        return diag_fail(diag, INLAY_OVERFLOW,
                         "%d ghosts of %d numbers each; expected fewer than 2^31 numbers: use more ranks", (int)longest,
                         width);
    }
    double *buffer = memory_array((size_t)h->sends * (size_t)width, sizeof *buffer);
    if (buffer == NULL) {
        return diag_no_memory(diag);
    }
    free(h->buffer);
    h->buffer = buffer;
    return INLAY_OK;
}

static void count_numbers(halo_side *side, int width)
{
    for (int i = 0; i < side->neighbours; i++) {
        side->counts[i] = (side->start[i + 1] - side->start[i]) * width;
        side->counts[side->neighbours + i] = side->start[i] * width;
    }
}

/* The ranks agree only where the width is greater than any before: sweeps do not wait for more than their neighbours. */
static int set_width(inlay_halo *h, int width, inlay_diag *diag)
{
    if (width < 1) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%d numbers for each element; expected 1 or more", width);
    }
    if (width == h->width) {
        return INLAY_OK;
    }
    if (width > h->widest) {
        int status = collective_agree(h->gather, widen(h, width, diag), diag);
        if (status != INLAY_OK) {
            return status;
        }
        h->widest = width;
    }
    h->width = width;
    count_numbers(&h->in, width);
    count_numbers(&h->out, width);
    return INLAY_OK;
}

/* ---- Moving ---- */

static int send_and_receive(MPI_Comm comm, const double *send, const halo_side *to, double *receive,
                            const halo_side *from, inlay_diag *diag)
{
    return collective_mpi(MPI_Neighbor_alltoallv(send, to->counts, to->counts + to->neighbours, MPI_DOUBLE, receive,
                                                 from->counts, from->counts + from->neighbours, MPI_DOUBLE, comm),
                          diag);
}

int inlay_halo_gather(inlay_halo *halo, double *value, int width, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = set_width(halo, width, diag);
    if (status != INLAY_OK) {
        return status;
    }
    pack(halo, value, width);
    double *ghosts = halo->ghosts > 0 ? value + (ptrdiff_t)halo->own * width : NULL;
    return send_and_receive(halo->gather, halo->buffer, &halo->out, ghosts, &halo->in, diag);
}

int inlay_halo_scatter_add(inlay_halo *halo, double *value, int width, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = set_width(halo, width, diag);
    if (status != INLAY_OK) {
        return status;
    }
    double *ghosts = halo->ghosts > 0 ? value + (ptrdiff_t)halo->own * width : NULL;
    status = send_and_receive(halo->scatter, ghosts, &halo->in, halo->buffer, &halo->out, diag);
    if (status == INLAY_OK) {
        add(halo, value, width);
    }
    if (status == INLAY_OK && halo->ghosts > 0) {
        memset(ghosts, 0, (size_t)halo->ghosts * (size_t)width * sizeof *ghosts);
    }
    return status;
}
