/* Messages that wait for their receivers: a link, or copy of a datum, sets out when a module that awaits it has come. */
#include "base/memory.h"
#include "simulate/run.h"
#include <stdlib.h>
#include <string.h>

void run_rendezvous_clear(run *r)
{
    if (r->rendezvous != NULL) {
        free(r->rendezvous->come);
        free(r->rendezvous->waiting);
        free(r->rendezvous);
    }
}

bool run_rendezvous_make(const plan *p, run *r)
{
    if (p->rendezvous.waits == NULL) {
        return true;
    }
    r->rendezvous = memory_zeroed(1, sizeof *r->rendezvous);
    if (r->rendezvous == NULL) {
        return false;
    }
    r->rendezvous->come = memory_array((size_t)p->app->modules, sizeof *r->rendezvous->come);
    r->rendezvous->waiting = memory_array((size_t)plan_entries_most(p), sizeof *r->rendezvous->waiting);
    return r->rendezvous->come != NULL && r->rendezvous->waiting != NULL;
}

void run_rendezvous_reset(run *r)
{
    if (r->rendezvous != NULL) {
        memset(r->rendezvous->come, 0, (size_t)r->plan->app->modules * sizeof *r->rendezvous->come);
        memset(r->rendezvous->waiting, 0, (size_t)plan_entries_most(r->plan) * sizeof *r->rendezvous->waiting);
    }
}

bool run_has_to_wait(run *r, int64_t item)
{
    const plan *p = r->plan;
    if (item < 0 || !rendezvous_of(&p->rendezvous, item)) {
        return false;
    }
    int64_t own;
    sent_links links = rendezvous_links(&p->sent, item, &own);
    bool come = false;
    for (int64_t k = 0; k < links.count; k++) {
        come |= r->rendezvous->come[p->app->out_to[links.link[k]]];
    }
    r->rendezvous->waiting[item] = !come;
    return !come;
}

void run_receive(run *r, inlay_id module, double now)
{
    const plan *p = r->plan;
    r->rendezvous->come[module] = true;
    for (int64_t k = p->rendezvous.begin[module]; k < p->rendezvous.begin[module + 1]; k++) {
        int64_t entry = p->rendezvous.entry[k];
        if (r->rendezvous->waiting[entry]) {
            r->rendezvous->waiting[entry] = false;
            run_set_out(r, p->cluster_of[plan_module(p, entry)], entry, now);
        }
    }
}
