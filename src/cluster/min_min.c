/*
 * Min-min and max-min: O. H. Ibarra and C. E. Kim, "Heuristic algorithms for scheduling independent tasks on nonidentical
 * processors", Journal of the ACM 24(2), 1977, with the ready modules as the independent ones. Each has an earliest end, over
 * all processors; the module with the least of these goes there (min-min), or the one with the greatest (max-min).
 *
 * Of equal ends the smaller module is taken, and the lower processor. Nothing is inserted. Max-min looks
 * at all ready modules in every step.
 */
#include "base/diag.h"
#include "cluster/bids.h"
#include "cluster/method.h"

static schedule_bid least(const schedule *s, inlay_id module, const void *own)
{
    double finish;
    (void)own;
    inlay_id processor = schedule_earliest_finish(s, module, &finish);
    return (schedule_bid){-finish, processor};
}

static double less_time(const schedule *s, inlay_id module, inlay_id processor, const void *own)
{
    (void)own;
    return -idle_time(&s->network, module, processor);
}

static schedule_bid greatest(const schedule *s, inlay_id module, const void *own)
{
    schedule_bid bid = least(s, module, own);
    bid.value = -bid.value;
    return bid;
}

static int place_by(const problem *p, const bid_rule *rule, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    schedule s;
    int status = schedule_make(p, false, processor_of, &s, diag);
    if (status != INLAY_OK) {
        return status;
    }
    status = schedule_by_bids(&s, rule, diag);
    return schedule_finish(&s, status, order, diag);
}

static int place_least(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    static const bid_rule rule = {.bid = least, .worth = less_time};
    return place_by(p, &rule, processor_of, order, diag);
}

static int place_greatest(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    static const bid_rule rule = {.bid = greatest};
    return place_by(p, &rule, processor_of, order, diag);
}

const cluster_method min_min_method = {
    .is = {.name = "min-min",
           .description = "the ready module that can end first goes where it does, again and again",
           .memory = true,
           .pins = true,
           .unlike = true,
           .types = true,
           .distance = true,
           .cores = true,
           .places = true},
    .place = place_least,
};

const cluster_method max_min_method = {
    .is = {.name = "max-min",
           .description = "the ready module that ends last at best goes where it ends first, again and again",
           .memory = true,
           .pins = true,
           .unlike = true,
           .types = true,
           .distance = true,
           .cores = true,
           .places = true},
    .place = place_greatest,
};
