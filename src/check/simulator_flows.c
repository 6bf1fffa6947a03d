/*
 * Links of the checker's simulator that messages share: the fair rates are found by bisection, each time anew for all.
 */
#include "check/simulator_state.h"

#include <math.h>
#include <stdlib.h>

void sim_flows_clear(simulator *s)
{
    for (size_t f = 0; f < s->flows; f++)
        free(s->flow[f].use);
    free(s->flow);
}

/* ---- One flow ---- */

static double capacity_of(const simulator *s, inlay_id link)
{
    return inlay_machine_link_at(s->of->machine, link).capacity * s->network.link_rate;
}

static bool is_shared(const simulator *s, inlay_id link)
{
    return !inlay_machine_link_at(s->of->machine, link).parallel && isfinite(capacity_of(s, link));
}

/* The way back, of which it takes a little too. */
static bool use_back(simulator *s, const sim_item *item, double *use)
{
    inlay_id here = sim_number(s, item->by), there = sim_number(s, item->there);
    inlay_id from = item->block < 0 ? there : here, to = item->block < 0 ? here : there;
    inlay_id length = inlay_machine_route(s->of->machine, from, to, NULL, 0);
    inlay_id *route = length < 0 ? NULL : malloc(((size_t)length + 1) * sizeof *route);
    bool good = route && inlay_machine_route(s->of->machine, from, to, route, length) >= 0;
    for (inlay_id h = 0; good && h < length; h++)
        use[route[h]] += is_shared(s, route[h]) ? s->network.sharing->cross : 0;
    free(route);
    return good;
}

void sim_flow_out(simulator *s, sim_item *item, double now)
{
    const inlay_sharing *sharing = s->network.sharing;
    double latency = 0, penalty = 0, unit = s->network.link_time * s->grains;
    double *use = calloc((size_t)inlay_machine_links(s->of->machine) + 1, sizeof *use);
    sim_flow f = {.item = item - s->item, .rate = 0, .bound = INFINITY, .use = use};
    for (inlay_id h = 0; use && h < item->length; h++) {
        inlay_machine_link link = inlay_machine_link_at(s->of->machine, item->route[h]);
        latency += link.latency * unit;
        if (s->network.in_bytes) penalty += sharing->rtt_weight / link.capacity * unit;
        use[item->route[h]] += is_shared(s, item->route[h]) ? 1 : 0;
        if (link.parallel) f.bound = fmin(f.bound, capacity_of(s, item->route[h]));
    }
    if (!use || !use_back(s, item, use) || !sim_grow(s, (void **)&s->flow, &s->flows_room, s->flows + 1, sizeof f)) {
        free(use);
        s->status = INLAY_NO_MEMORY;
        return;
    }
    penalty += latency;
    if (sharing->window > 0 && s->network.in_bytes && latency > 0)
        f.bound = fmin(f.bound, sharing->window * s->grains / (2 * latency));
    f.weight = !sharing->by_latency ? 1 : 1 / (penalty > 0 ? penalty : s->grains);
    f.left = item->share * (double)item->messages * sim_factor(s) * s->network.size;
    f.begins = now + latency * sharing->latency_factor;
    s->flow[s->flows] = f;
    sim_put(s, (sim_event){f.begins, SIM_NETWORK, (int64_t)s->flows++, -1});
}

/* ---- All of them ---- */

static double wants(const sim_flow *f, double level)
{
    return f->rate >= 0 ? f->rate : fmin(f->bound, f->weight * level);
}

static double load(const simulator *s, inlay_id link, double level)
{
    double sum = 0;
    for (size_t f = 0; f < s->flows; f++)
        if (s->flow[f].moves && s->flow[f].use[link] > 0) sum += s->flow[f].use[link] * wants(&s->flow[f], level);
    return sum;
}

static bool fits(const simulator *s, double level)
{
    for (inlay_id l = 0; l < inlay_machine_links(s->of->machine); l++)
        if (is_shared(s, l) && load(s, l, level) > capacity_of(s, l) * (1 + 1e-14)) return false;
    return true;
}

/* The highest level that fits, above one that does. */
static double highest(const simulator *s, double low)
{
    double high = low > 0 ? 2 * low : 1;
    while (fits(s, high) && high < 1e300)
        high *= 2;
    for (int i = 0; i < 200 && low < high; i++) {
        double middle = low + (high - low) / 2;
        if (fits(s, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool is_stopped(const simulator *s, const sim_flow *f, double level)
{
    const double a_little_more = 1 + 1e-9;
    if (f->bound <= f->weight * level * a_little_more) return true;
    for (inlay_id l = 0; l < inlay_machine_links(s->of->machine); l++)
        if (f->use[l] > 0 && load(s, l, level * a_little_more) > capacity_of(s, l)) return true;
    return false;
}

static void find_rates(simulator *s)
{
    size_t open = 0;
    for (size_t f = 0; f < s->flows; f++) {
        s->flow[f].rate = -1;
        open += s->flow[f].moves;
    }
    for (double level = 0; open > 0;) {
        level = highest(s, level);
        double *found = malloc(s->flows * sizeof *found);
        if (!found) {
            s->status = INLAY_NO_MEMORY;
            return;
        }
        for (size_t f = 0; f < s->flows; f++) {
            bool here = s->flow[f].moves && s->flow[f].rate < 0 && (level > 1e299 || is_stopped(s, &s->flow[f], level));
            found[f] = here ? wants(&s->flow[f], level) : -1;
        }
        for (size_t f = 0; f < s->flows; f++) {
            if (found[f] < 0) continue;
            s->flow[f].rate = found[f];
            open--;
        }
        free(found);
    }
}

/* What went since then has gone; what comes next comes at other times. */
static void go_on(simulator *s, double now)
{
    for (size_t f = 0; f < s->flows; f++)
        if (s->flow[f].moves) s->flow[f].left = sim_larger(0, s->flow[f].left - s->flow[f].rate * (now - s->flowed));
    s->flowed = now;
}

static void plan_all(simulator *s, double now)
{
    s->round++;
    for (size_t f = 0; f < s->flows && s->status == INLAY_OK; f++) {
        if (!s->flow[f].moves) continue;
        double takes = s->flow[f].left > 0 ? s->flow[f].left / s->flow[f].rate : 0;
        sim_put(s, (sim_event){now + takes, SIM_NETWORK, (int64_t)f, s->round});
    }
}

static void end_flow(simulator *s, sim_flow *f, double now)
{
    sim_item *item = &s->item[f->item];
    f->moves = false;
    free(f->use);
    f->use = NULL;
    item->did.sent = now;
    sim_train_ended(s, item, now);
}

void sim_flow_event(simulator *s, const sim_event *e)
{
    if (e->item >= 0 && e->item != s->round) return;
    go_on(s, e->time);
    sim_flow *f = &s->flow[e->who];
    bool begins = e->item < 0 && f->left > 0;
    f->moves = begins;
    if (begins) {
        find_rates(s);
        plan_all(s, e->time);
        return;
    }
    end_flow(s, f, e->time);
    find_rates(s);
    plan_all(s, e->time);
}
