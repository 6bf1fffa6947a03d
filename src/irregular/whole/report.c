/* What the loops of a program did, and what it cost. */
#include "base/diag.h"
#include "base/text.h"
#include "irregular/exchange/collective.h"
#include "irregular/whole/whole.h"
#include <stdlib.h>

/* Of all ranks: sums of numbers, and the most of times. */
typedef struct figures {
    int64_t ghosts, bytes;
    double seconds[4];
} figures;

static figures gather(const whole_state *w, const loop_state *l)
{
    figures f = {.seconds = {l->inspecting, l->partitioning, l->guarding, l->exchanging}};
    int64_t mine[2] = {l->ghosts, l->bytes}, sum[2];
    MPI_Allreduce(mine, sum, 2, MPI_INT64_T, MPI_SUM, w->whole.comm);
    MPI_Allreduce(MPI_IN_PLACE, f.seconds, 4, MPI_DOUBLE, MPI_MAX, w->whole.comm);
    f.ghosts = sum[0];
    f.bytes = sum[1];
    return f;
}

int inlay_whole_report(inlay_whole *whole, char **text)
{
    whole_state *w = state_of(whole);
    DIAG_CALL(whole->diag);
    text_buffer b = {0};
    text_append(&b, "", 0); /* a text, if an empty one */
    for (const loop_state *l = w->loops; l != NULL; l = l->next) {
        figures f = gather(w, l);
        if (whole->rank == 0) {
            text_addf(
                &b,
                "%s: %lld iterations, run %lld times, inspected %lld times, %lld ghosts, %lld bytes a run; seconds: "
                "inspection %.3f (of it partition %.3f), guard %.3f, exchange %.3f\n",
                l->about.where, (long long)l->loop.iterations, (long long)l->runs, (long long)l->inspections,
                (long long)f.ghosts, (long long)(l->runs == 0 ? 0 : f.bytes / l->runs), f.seconds[0], f.seconds[1],
                f.seconds[2], f.seconds[3]);
        }
    }
    if (whole->rank == 0 && w->loops != NULL) {
        text_addf(&b, "all memory was made whole %lld times: %.3f seconds\n", (long long)w->settled, w->settling);
    }
    int status = collective_agree(whole->comm, b.failed ? diag_no_memory(whole->diag) : INLAY_OK, whole->diag);
    if (status != INLAY_OK) {
        free(b.data);
        return status;
    }
    *text = b.data;
    return INLAY_OK;
}
