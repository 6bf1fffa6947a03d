/*
 * Every module on a processor drawn with equal chances (splitmix64, Steele, Lea and Flood 2014), unless it is pinned: what
 * a method that is no better is good for. The seed is the option's.
 */
#include "cluster/method.h"
#include "cluster/rivals.h"

static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static int place(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    uint64_t state = p->options.seed;
    for (inlay_id i = 0; i < p->modules; i++) {
        processor_of[i] = (inlay_id)((next(&state) >> 32) * (uint64_t)p->processors >> 32);
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
