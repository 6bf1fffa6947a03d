/*
 * Heterogeneous earliest finish time: H. Topcuoglu, S. Hariri and M.-Y. Wu, "Performance-effective and low-complexity task
 * scheduling for heterogeneous computing", IEEE Transactions on Parallel and Distributed Systems 13(3), 2002. Modules go
 * by falling upward rank, each to the processor where it ends first, into the first gap there that takes it.
 *
 * The upward rank is the longest way to the end of all, with mean times, and mean messages between different processors.
 * Of equal ranks the smaller module goes first; of equal ends the lower processor is taken.
 *
 * heft-contention is the same with messages booked (booking.h), after O. Sinnen and L. Sousa, "Communication contention in task
 * scheduling", IEEE Transactions on Parallel and Distributed Systems 16(6), 2005.
 */
#include "base/diag.h"
#include "cluster/method.h"
#include "cluster/schedule.h"

static inlay_id choose(schedule *s, inlay_id module, const void *own)
{
    (void)own;
    return schedule_earliest_finish(s, module, NULL);
}

/* With or without messages booked. */
static int place_any(const problem *p, bool booked, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    schedule s;
    message_book messages;
    int status = schedule_make(p, true, processor_of, &s, diag);
    if (status != INLAY_OK) {
        return status;
    }
    double *rank = pool_array(&s.pool, (size_t)p->modules, sizeof *rank);
    if (rank == NULL || (booked && !booking_make(&s.network, processor_of, s.start, &messages))) {
        return schedule_finish(&s, diag_no_memory(diag), order, diag);
    }
    s.messages = booked ? &messages : NULL;
    const idle_means means = idle_means_of(&s.network);
    idle_upward(&means, true, rank);
    status = schedule_by_priority(&s, rank, choose, NULL, diag);
    if (booked) {
        booking_clear(&messages);
    }
    return schedule_finish(&s, status, order, diag);
}

static int place(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    return place_any(p, false, processor_of, order, diag);
}

static int place_booked(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    return place_any(p, true, processor_of, order, diag);
}

const cluster_method heft_method = {
    .is = {.name = "heft",
           .description = "heterogeneous earliest finish time: modules by upward rank, each to the processor where it "
                          "ends first",
           .memory = true,
           .pins = true,
           .unlike = true,
           .types = true,
           .distance = true,
           .cores = true,
           .places = true},
    .place = place,
};

const cluster_method heft_contention_method = {
    .is = {.name = "heft-contention",
           .description = "heft that books messages on senders, buses and links as it books modules on processors, and "
                          "data once",
           .memory = true,
           .pins = true,
           .unlike = true,
           .types = true,
           .distance = true,
           .cores = true,
           .places = true},
    .place = place_booked,
};
