/*
 * Reduction of parallelism. Stage 1 thins out the crowded levels, stage 2 merges what is not parallel by the greedy
 * rule; where only parallel clusters are left, the pairs of least work go. Processors that differ get clusters by their
 * speed (pack.h).
 */
#include "cluster/reduce.h"
#include "base/diag.h"
#include "cluster/narrow.h"
#include "cluster/greedy.h"
#include "cluster/pack.h"

/* Down to that many clusters, as if processors were alike. */
static int reduce_alike(partition *part, inlay_id processors, inlay_reduce heuristic, bool by_traffic, inlay_time limit,
                        inlay_time *next, inlay_diag *diag)
{
    narrow_rule crowded = {.most = processors,
                           .fullest_only = heuristic == INLAY_REDUCE_H2,
                           .by_traffic = by_traffic && heuristic == INLAY_REDUCE_H2,
                           .limit = limit};
    int status = narrow_thin(part, &crowded, next, diag);
    if (status == INLAY_OK && part->count > processors) {
        greedy_rule rest = {.limit = limit, .unrelated = true, .stop_at = processors, .want_next = next != NULL};
        status = greedy_merge(part, &rest, next, diag);
    }
    if (status == INLAY_OK && part->count > processors) {
        narrow_rule any = {.most = processors, .one_slot = true, .limit = limit};
        status = narrow_thin(part, &any, next, diag);
    }
    return status;
}

int reduce_parallelism(partition *part, inlay_id processors, inlay_reduce heuristic, bool by_traffic, inlay_time limit,
                       inlay_time *next, inlay_diag *diag)
{
    if (part->p->kinds.count < 2) {
        return reduce_alike(part, processors, heuristic, by_traffic, limit, next, diag);
    }
    int status = reduce_alike(part, pack_begin(part->p, processors), heuristic, by_traffic, limit, next, diag);
    if (status == INLAY_OK && part->count > processors) {
        status = pack_clusters(part, processors, limit) == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
    }
    return status;
}
