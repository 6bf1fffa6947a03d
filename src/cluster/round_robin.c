/*
 * Round robin: module number i goes to processor i mod P, unless it is pinned. What every method is held against. It knows
 * no ties.
 */
#include "cluster/method.h"
#include "cluster/rivals.h"

static int place(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    for (inlay_id i = 0; i < p->modules; i++) {
        processor_of[i] = i % p->processors;
    }
    return rival_finish(p, processor_of, order, diag);
}

const cluster_method round_robin_method = {
    .is = {.name = "round-robin",
           .description = "modules by number to one processor after the other: to hold others against",
           .memory = true,
           .pins = true,
           .unlike = true,
           .distance = true,
           .cores = true,
           .places = true},
    .place = place,
};
