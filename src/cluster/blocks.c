/*
 * Blocks of equal work: modules in the order of their numbers, to each processor as many as make up its share of the time of
 * all, by what processors do in a unit of time. A module belongs where the middle of its time falls, unless it is pinned; of two
 * processors that meet there the upper.
 */
#include "cluster/method.h"
#include "cluster/rivals.h"

/* Its time, over all its cores. */
static double held(const problem *p, inlay_id module)
{
    return (double)p->timing.m[module] * problem_cores(p, module);
}

static int place(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    double all = 0, before = 0, rates = 0;
    for (inlay_id q = 0; q < p->processors; q++) {
        rates += kinds_of(&p->kinds, q)->rate;
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        all += held(p, i);
    }
    inlay_id at = 0;
    double end = kinds_of(&p->kinds, 0)->rate / rates * all;
    for (inlay_id i = 0; i < p->modules; i++) {
        double middle = before + held(p, i) / 2;
        while (at + 1 < p->processors && middle >= end) {
            at++;
            end += kinds_of(&p->kinds, at)->rate / rates * all;
        }
        processor_of[i] = at;
        before += held(p, i);
    }
    return rival_finish(p, processor_of, order, diag);
}

const cluster_method blocks_method = {
    .is = {.name = "blocks",
           .description = "blocks of equal work by number: to hold others against",
           .memory = true,
           .pins = true,
           .unlike = true,
           .distance = true,
           .cores = true,
           .places = true},
    .place = place,
};
