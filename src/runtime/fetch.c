/* Inputs are fetched: from the host where they were made, through the network, or each by itself where nothing queues. */
#include "runtime/fetch.h"

static bool is_there(const runtime_run *r, const runtime_input *in, inlay_id core)
{
    const runtime_plan *p = r->plan;
    inlay_id host = p->processor[core].host;
    return p->processor[r->place[in->from]].host == host ||
           (in->datum >= 0 && r->had[(size_t)in->datum * (size_t)p->hosts + (size_t)host]);
}

/* ---- What a message takes by itself ---- */

static double link_size(const runtime_plan *p, const runtime_input *in)
{
    return in->share * p->alone.numerator;
}

/* One message, from its first transfer to the end of its last. */
static double alone(runtime_run *r, const runtime_input *in, inlay_id core)
{
    const runtime_plan *p = r->plan;
    inlay_id from = r->place[in->from];
    if (p->alone.kind == FABRIC_NONE) {
        return 0;
    }
    if (p->alone.kind != FABRIC_LINKS) {
        int stages = p->alone.kind == FABRIC_OMEGA ? fabric_stages(&p->alone, from, core) : 0;
        return (double)p->alone.visits * fabric_alone(&p->alone, in->share, stages);
    }
    link_route route = links_plan_route(p->links, from, core);
    double ask = 0;
    for (inlay_id h = 0; h < route.end - route.at; h++) {
        r->until[h] = 0;
    }
    return links_alone(p->links, route, link_size(p, in), 1, &ask, r->until);
}

double runtime_expected_fetch(runtime_run *r, inlay_id module, inlay_id core)
{
    const runtime_plan *p = r->plan;
    double sum = 0;
    for (int64_t k = p->input_begin[module]; k < p->input_begin[module + 1]; k++) {
        const runtime_input *in = &p->input[k];
        if (!is_there(r, in, core)) {
            sum += (double)in->messages * alone(r, in, core) + in->latency;
        }
    }
    return sum;
}

/* ---- Under way ---- */

/* The transfer that comes next is asked for: when it is over, an event of the network tells, or of the core. */
static void ask(runtime_run *r, inlay_id core, double now)
{
    const runtime_plan *p = r->plan;
    const runtime_core *c = &r->core[core];
    const runtime_input *in = &p->input[c->input];
    inlay_id from = r->place[in->from];
    if (p->fabric.kind == FABRIC_NONE) {
        calendar_set(&r->calendar, core, now + alone(r, in, core));
        return;
    }
    calendar_set(&r->calendar, core, INFINITY);
    if (p->fabric.kind == FABRIC_LINKS) {
        int32_t message = links_new(&r->fabric.links, links_plan_route(p->links, from, core), link_size(p, in), core);
        r->no_memory |= message < 0 || !links_put(&r->fabric.links, message, now);
        return;
    }
    bool memories = p->fabric.memories > 0;
    inlay_id to = memories ? random_id(&r->random, STREAM_MEMORIES, p->fabric.memories) : core;
    fabric_request(&r->fabric, core, now, in->share, memories ? core : from, to);
}

static void ask_message(runtime_run *r, inlay_id core, double now)
{
    r->core[core].visits = r->plan->fabric.kind == FABRIC_NONE ? 1 : r->plan->alone.visits;
    ask(r, core, now);
}

bool fetch_next(runtime_run *r, inlay_id core, double now)
{
    const runtime_plan *p = r->plan;
    runtime_core *c = &r->core[core];
    while (c->input < p->input_begin[c->module + 1] && is_there(r, &p->input[c->input], core)) {
        c->input++;
    }
    if (c->input == p->input_begin[c->module + 1]) {
        return false;
    }
    c->messages = p->input[c->input].messages;
    ask_message(r, core, now);
    return true;
}

bool fetch_came(runtime_run *r, inlay_id core, double now)
{
    const runtime_plan *p = r->plan;
    runtime_core *c = &r->core[core];
    const runtime_input *in = &p->input[c->input];
    if (--c->visits > 0) {
        ask(r, core, now);
        return true;
    }
    c->fetched++;
    if (--c->messages > 0) {
        ask_message(r, core, now);
        return true;
    }
    double there = now + in->latency;
    c->there = there > c->there ? there : c->there;
    if (in->datum >= 0) {
        r->had[(size_t)in->datum * (size_t)p->hosts + (size_t)p->processor[core].host] = 1;
    }
    c->input++;
    return fetch_next(r, core, now);
}

void fetch_over_links(runtime_run *r)
{
    links_state *links = &r->fabric.links;
    double now = links->heap[0].time, next;
    int32_t message = links->heap[0].flight;
    link_passage passage;
    r->no_memory |= !links_ask(links, message, now, &passage, &next);
    const flight *f = &links->flight[message];
    if (f->left.at < f->left.end) {
        links_move_first(links, next);
        return;
    }
    calendar_set(&r->calendar, f->train, f->before); /* all of it is there then */
    links_release(links, message);
    links_move_first(links, INFINITY);
}
