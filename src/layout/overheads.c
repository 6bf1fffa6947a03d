/* What messages take of processors. */
#include "layout/overheads.h"
#include "base/memory.h"
#include <stdlib.h>

void overheads_clear(overheads *o)
{
    free(o->after);
    free(o->send);
    free(o->receive);
    *o = (overheads){0};
}

static bool leaves_host(const overheads_at *at, inlay_id from, inlay_id to)
{
    return interconnect_leaves_host(at->network, at->processor[from], at->processor[to]);
}

static void charge_module(const sendings *s, const overheads_at *at, inlay_id module, overheads *o)
{
    const interconnect *n = at->network;
    double early = 0, behind = 0;
    for (int64_t e = s->begin[module]; e < s->begin[module + 1]; e++) {
        sent_entry of = sent_at(s, e);
        inlay_id own = at->cluster_of[module], there = at->cluster_of[of.to], from = sent_sender(s, e, own);
        bool awaited = !(s->app->out_flags[of.link] & INLAY_LINK_TRAFFIC_ONLY);
        if (awaited && leaves_host(at, from, there)) {
            o->receive[of.to] += at->grains * interconnect_along(&n->o_recv, n, of.messages, of.bytes);
        }
        bool sends = !sent_is_passed_on(s, e) && leaves_host(at, own, there);
        double cost = sends ? at->grains * interconnect_along(&n->o_send, n, of.messages, of.bytes) : 0;
        if (at->early != NULL && at->early(at->context, module, e)) {
            early += cost;
        } else {
            behind += cost;
            o->after[e] = behind;
        }
    }
    o->send[module] = behind + early;
}

int overheads_make(const sendings *s, const overheads_at *at, overheads *result)
{
    *result = (overheads){0};
    if (!interconnect_has_overheads(at->network)) {
        return INLAY_OK;
    }
    size_t modules = (size_t)s->app->modules;
    overheads o = {memory_zeroed((size_t)s->entries, sizeof *o.after), memory_zeroed(modules, sizeof *o.send),
                   memory_zeroed(modules, sizeof *o.receive)};
    if (o.after == NULL || o.send == NULL || o.receive == NULL) {
        overheads_clear(&o);
        return INLAY_NO_MEMORY;
    }
    for (inlay_id i = 0; i < s->app->modules; i++) {
        charge_module(s, at, i, &o);
    }
    *result = o;
    return INLAY_OK;
}
