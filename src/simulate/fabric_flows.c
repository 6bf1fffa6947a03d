/* Links that messages share. */
#include "simulate/fabric_flows.h"
#include "base/memory.h"
#include <stdlib.h>

bool flows_make(const links_plan *plan, const inlay_sharing *sharing, double unit, bool in_bytes, usage *usages,
                flows_state *s)
{
    *s = (flows_state){.plan = plan,
                       .sharing = sharing,
                       .window = in_bytes ? sharing->window * unit : 0,
                       .rtt_weight = in_bytes ? sharing->rtt_weight * unit : 0,
                       .unit = unit,
                       .usage = usages};
    s->left = memory_array((size_t)plan->links, sizeof *s->left);
    s->claim = memory_zeroed((size_t)plan->links, sizeof *s->claim);
    s->touched = memory_array((size_t)plan->links, sizeof *s->touched);
    return s->left != NULL && s->claim != NULL && s->touched != NULL;
}

void flows_clear(flows_state *s)
{
    for (size_t f = 0; f < s->made; f++) {
        free(s->flow[f].use);
    }
    free(s->flow);
    free(s->left);
    free(s->claim);
    free(s->touched);
    *s = (flows_state){0};
}

void flows_reset(flows_state *s)
{
    s->flows = 0;
    s->now = 0;
    s->numbers = 0;
    s->slower = 1;
    s->next = INFINITY;
}

/* ---- A flow by itself ---- */

static double latency_of(const flows_state *s, link_route route)
{
    double latency = 0;
    for (const inlay_id *at = route.at; at < route.end; at++) {
        latency += s->plan->link[*at].latency;
    }
    return latency;
}

/* What holds it whoever else is there: its window, and links that are not shared but as fast as they are. */
static double bound_of(const flows_state *s, link_route route)
{
    double bound = INFINITY, latency = latency_of(s, route) / s->sharing->latency_factor;
    for (const inlay_id *at = route.at; at < route.end; at++) {
        const link_figures *link = &s->plan->link[*at];
        bound = link->parallel && link->capacity < bound ? link->capacity : bound;
    }
    return s->window > 0 && latency > 0 ? fmin(bound, s->window / (2 * latency)) : bound;
}

/* SimGrid counts a route without latency as one of a second, its unit. */
static double weight_of(const flows_state *s, link_route route)
{
    double penalty = latency_of(s, route) / s->sharing->latency_factor;
    for (const inlay_id *at = route.at; at < route.end; at++) {
        penalty += s->rtt_weight * s->sharing->bandwidth_factor / s->plan->link[*at].capacity;
    }
    return !s->sharing->by_latency ? 1 : penalty > 0 ? 1 / penalty : 1 / s->unit;
}

double flows_alone(const flows_state *s, link_route route, double size)
{
    double rate = bound_of(s, route);
    for (const inlay_id *at = route.at; at < route.end; at++) {
        rate = fmin(rate, s->plan->link[*at].capacity);
    }
    return latency_of(s, route) * s->slower + (size > 0 ? size / rate : 0);
}

/* ---- Rates ---- */

/* Weights of all that move claim their links. */
static inlay_id claim_links(flows_state *s)
{
    inlay_id touched = 0;
    for (size_t f = 0; f < s->flows; f++) {
        const flow *of = &s->flow[f];
        for (inlay_id u = 0; of->moves && u < of->uses; u++) {
            inlay_id l = of->use[u].link;
            if (s->claim[l] == 0) {
                s->touched[touched++] = l;
                s->left[l] = s->plan->link[l].capacity;
            }
            s->claim[l] += of->use[u].share * of->weight;
        }
    }
    return touched;
}

/* The rate a weight that the next link or bound allows. */
static double next_level(const flows_state *s, inlay_id touched)
{
    double level = INFINITY;
    for (inlay_id t = 0; t < touched; t++) {
        inlay_id l = s->touched[t];
        double fair = s->claim[l] > 0 ? s->left[l] / s->claim[l] : INFINITY;
        level = fair < level ? fair : level;
    }
    for (size_t f = 0; f < s->flows; f++) {
        const flow *of = &s->flow[f];
        bool open = of->moves && of->rate < 0;
        level = open && of->bound < level * of->weight ? of->bound / of->weight : level;
    }
    return level;
}

static bool is_held(const flows_state *s, const flow *of, double level)
{
    const double near = 1 + 1e-12;
    bool held = of->bound <= level * of->weight * near;
    for (inlay_id u = 0; u < of->uses && !held; u++) {
        inlay_id l = of->use[u].link;
        held = s->left[l] <= level * s->claim[l] * near;
    }
    return held;
}

/* It has what it gets: others have the rest of its links. */
static void settle(flows_state *s, flow *of)
{
    for (inlay_id u = 0; u < of->uses; u++) {
        inlay_id l = of->use[u].link;
        s->left[l] = fmax(0, s->left[l] - of->use[u].share * of->rate);
        s->claim[l] -= of->use[u].share * of->weight;
        s->claim[l] = s->claim[l] > 1e-12 * of->weight ? s->claim[l] : 0;
    }
}

static void find_rates(flows_state *s)
{
    inlay_id touched = claim_links(s);
    size_t open = 0;
    for (size_t f = 0; f < s->flows; f++) {
        s->flow[f].rate = -1; /* not known yet */
        open += s->flow[f].moves;
    }
    while (open > 0) {
        double level = next_level(s, touched);
        for (size_t f = 0; f < s->flows; f++) { /* first who, by what was there, and then what is left */
            flow *of = &s->flow[f];
            if (of->moves && of->rate < 0 && is_held(s, of, level)) {
                of->rate = fmin(of->bound, level * of->weight);
            }
        }
        for (size_t f = 0; f < s->flows; f++) {
            flow *of = &s->flow[f];
            if (of->moves && of->rate >= 0 && isinf(of->due)) {
                settle(s, of);
                of->due = s->now + (of->left > 0 ? of->left / of->rate : 0);
                open--;
            }
        }
    }
    for (inlay_id t = 0; t < touched; t++) {
        s->claim[s->touched[t]] = 0;
    }
}

/* ---- What happens ---- */

static bool is_before(const flow *a, const flow *b)
{
    return a->due < b->due || (a->due == b->due && a->number < b->number);
}

static void find_next(flows_state *s)
{
    s->first = 0;
    for (size_t f = 1; f < s->flows; f++) {
        s->first = is_before(&s->flow[f], &s->flow[s->first]) ? f : s->first;
    }
    s->next = s->flows > 0 ? s->flow[s->first].due : INFINITY;
}

/* All that moved up to `now` has gone; every flow that moves is to be timed anew. */
static void advance(flows_state *s, double now)
{
    for (size_t f = 0; f < s->flows; f++) {
        flow *of = &s->flow[f];
        if (of->moves) {
            of->left = fmax(0, of->left - of->rate * (now - s->now));
            of->due = INFINITY;
        }
    }
    s->now = now;
}

static void change(flows_state *s)
{
    find_rates(s);
    find_next(s);
}

/* A share of a link, which it may have already. */
static bool add_use(flow *of, inlay_id link, double share)
{
    for (inlay_id u = 0; u < of->uses; u++) {
        if (of->use[u].link == link) {
            of->use[u].share += share;
            return true;
        }
    }
    size_t room = (size_t)of->room;
    if (!memory_grow((void **)&of->use, &room, (size_t)of->uses + 1, sizeof *of->use)) {
        return false;
    }
    of->room = (inlay_id)room;
    of->use[of->uses++] = (flow_use){link, share};
    return true;
}

/* Parallel links and those without a capacity are nobody's to share. */
static bool add_uses(const flows_state *s, flow *of, link_route route, double share)
{
    bool good = true;
    for (const inlay_id *at = route.at; good && share > 0 && at < route.end; at++) {
        const link_figures *link = &s->plan->link[*at];
        good = link->parallel || isinf(link->capacity) || add_use(of, *at, share);
    }
    return good;
}

static void count_request(flows_state *s, link_route route, double size)
{
    for (const inlay_id *at = route.at; at < route.end; at++) {
        s->usage[*at].requests++;
        s->usage[*at].busy += size / s->plan->link[*at].capacity;
    }
}

bool flows_put(flows_state *s, link_route route, link_route back, double size, int32_t train, double now)
{
    if (s->flows == s->made) {
        if (!memory_grow((void **)&s->flow, &s->room, s->made + 1, sizeof *s->flow)) {
            return false;
        }
        s->flow[s->made++] = (flow){.use = NULL};
    }
    flow *of = &s->flow[s->flows];
    *of = (flow){.use = of->use,
                 .room = of->room,
                 .left = size,
                 .weight = weight_of(s, route),
                 .bound = bound_of(s, route),
                 .due = now + latency_of(s, route) * s->slower,
                 .began = now,
                 .number = s->numbers++,
                 .train = train};
    if (!add_uses(s, of, route, 1) || !add_uses(s, of, back, s->sharing->cross)) {
        return false;
    }
    count_request(s, route, size);
    s->flows++;
    find_next(s);
    return true;
}

int32_t flows_event(flows_state *s)
{
    advance(s, s->next);
    flow *of = &s->flow[s->first];
    int32_t ended = -1;
    if (!of->moves && of->left > 0) {
        of->moves = true;
        of->due = INFINITY;
    } else {
        ended = of->train;
        flow last = s->flow[--s->flows];
        s->flow[s->flows] = *of;
        *of = last;
    }
    change(s);
    return ended;
}
