/*
 * All modules on one processor, and those of several cores on the ones behind it, too: the one that takes the least time for them; of equal ones the lowest. A mapping that is not
 * faster is of no use.
 */
#include "base/diag.h"
#include "cluster/method.h"
#include "cluster/rivals.h"
#include "problem/remedy.h"
#include <inttypes.h>

static double total_on(const problem *p, const processor_kind *k)
{
    double sum = 0;
    for (inlay_id i = 0; i < p->modules; i++) {
        sum += (double)kind_time(p->app, k, i);
    }
    return sum / k->speed;
}

/* The processors that pins leave: none, one, or all. */
static void find_range(const problem *p, inlay_id *first, inlay_id *end)
{
    *first = 0;
    *end = p->processors;
    for (inlay_id i = 0; i < p->modules; i++) {
        inlay_id pin = inlay_app_pin(p->app, i);
        if (pin >= 0) {
            bool left = pin >= *first && pin < *end;
            *first = pin;
            *end = left ? pin + 1 : pin;
        }
    }
}

static inlay_id find_widest(const problem *p)
{
    inlay_id widest = 0;
    for (inlay_id i = 1; i < p->modules; i++) {
        widest = problem_cores(p, i) > problem_cores(p, widest) ? i : widest;
    }
    return widest;
}

static int refuse(const problem *p, inlay_id first, inlay_id end, int64_t memory, inlay_diag *diag)
{
    inlay_id widest = find_widest(p);
    if (first + 1 == end && !problem_has_seat(p, widest, first)) {
        return diag_fail(diag, INLAY_NO_ANSWER,
                         "module '%s' holds %d cores of one host at once, and method one has no others than those from "
                         "processor %d on, to which modules are pinned",
                         inlay_app_module_name(p->app, widest), problem_cores(p, widest), first);
    }
    if (first == end) {
        return diag_fail(diag, INLAY_NO_ANSWER,
                         "modules are pinned to different processors, and method one has but one");
    }
    remedy_machine(p->machine, diag, "processor_memory", memory);
    return diag_fail(diag, INLAY_NO_ANSWER,
                     "all modules together need %" PRId64 " bytes of memory, and no processor has as many", memory);
}

static int place(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    const processor_kind *kind = NULL;
    inlay_id best = -1, first, end, widest = find_widest(p);
    int64_t memory = 0;
    double least = 0;
    for (inlay_id i = 0; p->memory != NULL && i < p->modules; i++) {
        memory += p->memory[i];
    }
    find_range(p, &first, &end);
    for (inlay_id q = first; q < end; q++) {
        if (kind != kinds_of(&p->kinds, q) && problem_has_seat(p, widest, q)) { /* most stand beside their like */
            kind = kinds_of(&p->kinds, q);
            double total = total_on(p, kind);
            if ((kind->memory < 0 || kind->memory >= memory) && (best < 0 || total < least)) {
                best = q;
                least = total;
            }
        }
    }
    if (best < 0) {
        return refuse(p, first, end, memory, diag);
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        processor_of[i] = best;
    }
    return rival_finish(p, processor_of, order, diag);
}

const cluster_method one_method = {
    .is = {.name = "one",
           .description = "all modules on the processor that is fastest for them: to hold others against",
           .memory = true,
           .pins = true,
           .unlike = true,
           .distance = true,
           .cores = true,
           .places = true},
    .place = place,
};
