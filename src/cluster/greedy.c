/*
 * The greedy rule of Houstis, Houstis, Rice, section 3.1. Communicating pairs wait in a queue (pair_queue.h); a
 * pair that became infeasible is dropped for good, since clusters only grow. Pairs without traffic follow (unrelated.h).
 */
#include "cluster/greedy.h"
#include "base/diag.h"
#include "cluster/pair_queue.h"
#include "cluster/unrelated.h"

pair greedy_pair(const partition *part, inlay_id a, inlay_id b, int64_t traffic)
{
    const cluster *x = &part->clusters[a], *y = &part->clusters[b];
    bool ordered = x->least < y->least;
    return (pair){traffic, x->work + y->work, ordered ? x->least : y->least, ordered ? y->least : x->least};
}

int greedy_communicating(partition *part, const greedy_rule *rule, bool together, inlay_time *next)
{
    pair_queue queue;
    int status = pair_queue_make(part, together, &queue);
    while (status == INLAY_OK && part->count > rule->stop_at) {
        pair top;
        inlay_id a, b;
        status = pair_queue_next(&queue, &top, &a, &b);
        if (status != INLAY_OK || a < 0) {
            break;
        }
        if (top.work > rule->limit) {
            *next = top.work < *next ? top.work : *next;
            if (rule->until_rejected) {
                break;
            }
        } else {
            status = pair_queue_merge(&queue, a, b);
        }
    }
    part->queue_operations += queue.pairs.operations;
    pair_queue_clear(&queue);
    return status;
}

int greedy_merge(partition *part, const greedy_rule *rule, inlay_time *next, inlay_diag *diag)
{
    inlay_time least = INT64_MAX;
    part->forgetful = rule->forget && part->p->kinds.count < 2;
    int status = partition_bind(part, rule->limit);
    if (status == INLAY_OK) {
        status = greedy_communicating(part, rule, false, &least);
    }
    if (status == INLAY_OK && rule->unrelated) {
        status = merge_unrelated(part, rule, &least);
    }
    if (status != INLAY_OK) {
        return diag_no_memory(diag);
    }
    if (part->eligible != NULL && eligible_next(part->eligible) < least) {
        least = eligible_next(part->eligible);
    }
    if (next != NULL && least < *next) {
        *next = least;
    }
    return INLAY_OK;
}
