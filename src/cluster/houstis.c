/*
 * The greedy rule under a time frame T: C. E. Houstis, E. N. Houstis, J. R. Rice, CSD-TR-86-576, section 3.1. The rule
 * itself is in greedy.h.
 */
#include "cluster/greedy.h"
#include "cluster/method.h"

static int merge_under(partition *part, inlay_time limit, bool want_next, inlay_time *next, inlay_diag *diag)
{
    const greedy_rule rule = {.limit = limit,
                              .unrelated = !part->p->options.keep_unrelated,
                              .stop_at = 1,
                              .want_next = want_next,
                              .forget = true};
    return greedy_merge(part, &rule, next, diag);
}

const cluster_method houstis_method = {
    .is = {.name = "houstis",
           .description = "greedy clustering by traffic under the time frame T",
           .time_frame = true,
           .apart = true,
           .memory = true,
           .pins = true,
           .unlike = true,
           .distance = true,
           .cores = true},
    .merge_under = merge_under,
    .begin = ascent_to,
};
