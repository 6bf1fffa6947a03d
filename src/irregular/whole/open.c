/* A program that runs on all ranks: its beginning and its end. */
#include "base/diag.h"
#include "irregular/exchange/collective.h"
#include "irregular/whole/whole.h"
#include <inlay/irregular_partition.h>
#include <stdlib.h>
#include <string.h>

/* Is there a partitioner of that name that does with a graph alone? */
static int check_method(const char *method, inlay_diag *diag)
{
    const inlay_partitioner *p;
    for (size_t i = 0; (p = inlay_partitioner_at(i)) != NULL; i++) {
        if (strcmp(p->name, method) == 0 && !p->coordinates && !p->one_rank) {
            return INLAY_OK;
        }
    }
    return diag_fail(diag, INLAY_BAD_ARGUMENT,
                     "method %s cannot share out loops; expected ptscotch, best, rsb or block", method);
}

static int make(MPI_Comm comm, const inlay_whole_options *options, whole_state *w, inlay_diag *diag)
{
    if (options != NULL) {
        w->options = *options;
    }
    w->method = memory_string(w->options.method == NULL ? "ptscotch" : w->options.method);
    w->map = memory_zeroed(MAP_SIZE, sizeof(page **));
    w->last_loop = &w->loops;
    w->whole.diag = diag;
    w->whole.rank = collective_rank(comm);
    w->whole.ranks = collective_ranks(comm);
    w->whole.comm = MPI_COMM_NULL;
    w->options.method = w->options.method == NULL ? NULL : w->method;
    w->parts = memory_array((size_t)w->whole.ranks, WIDEST_NUMBER);
    return w->map == NULL || w->method == NULL || w->parts == NULL ? diag_no_memory(diag)
                                                                   : check_method(w->method, diag);
}

int inlay_whole_open(MPI_Comm comm, const inlay_whole_options *options, inlay_whole **whole, inlay_diag *diag)
{
    DIAG_CALL(diag);
    whole_state *w = memory_zeroed(1, sizeof *w);
    int status = w == NULL ? diag_no_memory(diag) : make(comm, options, w, diag);
    status = collective_agree(comm, status, diag);
    if (status == INLAY_OK && w != NULL) {
        status = collective_mpi(MPI_Comm_dup(comm, &w->whole.comm), diag);
    }
    if (status != INLAY_OK || w == NULL) {
        if (w != NULL) {
            free(w->map);
            free(w->method);
            free(w->parts);
        }
        free(w);
        return status;
    }
    *whole = &w->whole;
    return INLAY_OK;
}

void inlay_whole_close(inlay_whole *whole)
{
    if (whole == NULL) {
        return;
    }
    whole_state *w = state_of(whole);
    whole_elements_clear(w);
    while (w->loops != NULL) {
        loop_state *next = w->loops->next;
        free(w->loops);
        w->loops = next;
    }
    whole_inspection_end(w);
    whole_settle_clear(w);
    whole_streams_close(w);
    free(w->map);
    free(w->method);
    free(w->element);
    free(w->cluster);
    free(w->group);
    free(w->parts);
    MPI_Comm_free(&whole->comm);
    free(w);
}
