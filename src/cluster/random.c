/*
 * Every module on a processor drawn with equal chances, unless it is pinned: what
 * a method that is no better is good for. The seed is the option's.
 */
#include "base/splitmix.h"
#include "cluster/method.h"
#include "cluster/rivals.h"

static int place(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    uint64_t state = p->options.seed;
    for (inlay_id i = 0; i < p->modules; i++) {
        processor_of[i] = splitmix_below(&state, p->processors);
    }
    return rival_finish(p, processor_of, order, diag);
}

const cluster_method random_method = {
    .is = {.name = "random",
           .description = "every module on a processor drawn by --seed: to hold others against",
           .memory = true,
           .pins = true,
           .unlike = true,
           .distance = true,
           .cores = true,
           .places = true},
    .place = place,
};
