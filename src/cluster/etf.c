/*
 * Earliest task first: J.-J. Hwang, Y.-C. Chow, F. D. Anger and C.-Y. Lee, "Scheduling precedence graphs in systems with
 * interprocessor communication times", SIAM Journal on Computing 18(2), 1989. Of all ready modules and all processors the
 * pair that can start first is taken, again and again.
 *
 * Of equal starts, the module with the longer way to the end of all goes first, mean times alone counted; then the smaller
 * one. It goes where it ends first among its equal starts, then to the lower processor. Nothing is inserted.
 */
#include "base/diag.h"
#include "cluster/bids.h"
#include "cluster/method.h"

static schedule_bid bid(const schedule *s, inlay_id module, const void *own)
{
    double start;
    (void)own;
    inlay_id processor = schedule_earliest_start(s, module, &start);
    return (schedule_bid){-start, processor};
}

static double worth(const schedule *s, inlay_id module, inlay_id processor, const void *own)
{
    (void)s;
    (void)module;
    (void)processor;
    (void)own;
    return 0;
}

static int place(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    schedule s;
    int status = schedule_make(p, false, processor_of, &s, diag);
    if (status != INLAY_OK) {
        return status;
    }
    double *level = pool_array(&s.pool, (size_t)p->modules, sizeof *level);
    if (level == NULL) {
        status = diag_no_memory(diag);
    } else {
        const idle_means means = idle_means_of(&s.network);
        idle_upward(&means, false, level);
        const bid_rule rule = {bid, worth, level, NULL};
        status = schedule_by_bids(&s, &rule, diag);
    }
    return schedule_finish(&s, status, order, diag);
}

const cluster_method etf_method = {
    .is = {.name = "etf",
           .description = "earliest task first: the ready module and the processor that start first, again and again",
           .memory = true,
           .pins = true,
           .unlike = true,
           .types = true,
           .distance = true,
           .cores = true,
           .places = true},
    .place = place,
};
