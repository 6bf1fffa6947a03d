/*
 * Modules of the checker's simulator that share the bandwidth of memory. Whenever one starts or has computed, it is worked out
 * for all processors how far they are, what rate they have from now on, and when something of them is due next.
 */
#include "check/simulator_state.h"

#include <math.h>

void sim_read_memory(simulator *s)
{
    inlay_rate host, core;
    bool any = false;
    for (inlay_id i = 0; i < inlay_app_modules(s->of->app); i++)
        any |= inlay_app_traffic_memory(s->of->app, i) > 0;
    if (!inlay_machine_memory_bandwidth(s->of->machine, &host, &core) || !any) return;
    s->bandwidth = host.value / sim_ratio(s, host.per) / s->grains;
    if (core.value > 0) s->core_bandwidth = core.value / sim_ratio(s, core.per) / s->grains;
}

/* Whether two processors have the same memory before them. */
static bool share_memory(const simulator *s, inlay_id a, inlay_id b)
{
    return inlay_machine_board(s->of->machine, sim_number(s, a)) ==
           inlay_machine_board(s->of->machine, sim_number(s, b));
}

double sim_memory_over(const simulator *s, inlay_id c, double now)
{
    const sim_processor *p = &s->processor[c];
    return p->done + (now - p->since) * p->rate;
}

/* The level that all demands on its memory are cut down to, by bisection. */
static double level_of(const simulator *s, inlay_id c)
{
    double low = 0, high = 0, all = 0;
    for (inlay_id o = 0; o < s->of->processors; o++)
        if (s->processor[o].moves && share_memory(s, o, c)) {
            all += s->processor[o].demand;
            high = fmax(high, s->processor[o].demand);
        }
    if (all <= s->bandwidth) return INFINITY;
    for (int i = 0; i < 200; i++) {
        double middle = low + (high - low) / 2, taken = 0;
        for (inlay_id o = 0; o < s->of->processors; o++)
            if (s->processor[o].moves && share_memory(s, o, c)) taken += fmin(s->processor[o].demand, middle);
        if (taken > s->bandwidth)
            high = middle;
        else
            low = middle;
    }
    return low;
}

void sim_memory_next(simulator *s, inlay_id c, double now)
{
    sim_processor *p = &s->processor[c];
    inlay_id module = s->of->module[p->at];
    double next = sim_computes(s, module);
    if (isfinite(p->end)) next += s->sends[module];
    if (p->due < s->item_begin[module + 1]) next = fmin(next, sim_due(s, &s->item[p->due]));
    double time = now + (next - sim_memory_over(s, c, now)) / p->rate;
    sim_put(s, (sim_event){fmax(time, now), SIM_PROCESSOR, c, ++p->stamp});
}

/* All that share the memory of a processor, of which a module has started or computed. */
static void share(simulator *s, inlay_id c, double now)
{
    double level = level_of(s, c);
    for (inlay_id o = 0; o < s->of->processors; o++) {
        sim_processor *p = &s->processor[o];
        if (!p->moves || !share_memory(s, o, c)) continue;
        p->done = sim_memory_over(s, o, now);
        p->since = now;
        p->rate = p->demand > level ? level / p->demand : 1;
        if (o != c) sim_memory_next(s, o, now);
    }
}

void sim_memory_start(simulator *s, inlay_id module, double start)
{
    sim_processor *p = &s->processor[s->of->rank_of[module]];
    p->starts = true;
    sim_put(s, (sim_event){start, SIM_PROCESSOR, s->of->rank_of[module], ++p->stamp});
}

static void start(simulator *s, inlay_id c, double now)
{
    sim_processor *p = &s->processor[c];
    inlay_id module = s->of->module[p->at];
    double alone = sim_computes(s, module), bytes = (double)inlay_app_traffic_memory(s->of->app, module);
    p->starts = false;
    p->done = 0;
    p->since = now;
    p->rate = 1;
    p->end = INFINITY;
    p->demand = alone > 0 ? bytes / alone : 0;
    if (s->core_bandwidth > 0) p->demand = fmin(p->demand, s->core_bandwidth * inlay_app_cores(s->of->app, module));
    p->moves = p->demand > 0;
    if (p->moves) share(s, c, now);
    sim_memory_next(s, c, now);
}

/* Of the module that runs nothing but what it sends is left. */
static void stop(simulator *s, inlay_id c, double now)
{
    sim_processor *p = &s->processor[c];
    p->done = sim_computes(s, s->of->module[p->at]);
    p->since = p->end = now;
    p->rate = 1;
    if (p->moves) {
        p->moves = false;
        share(s, c, now);
    }
}

bool sim_memory_event(simulator *s, const sim_event *e)
{
    inlay_id c = (inlay_id)e->who;
    sim_processor *p = &s->processor[c];
    if (e->item != p->stamp) return false;
    if (p->starts) {
        start(s, c, e->time);
        return false;
    }
    /* what it was for is reached: adding up may have left a last digit */
    inlay_id module = s->of->module[p->at];
    double next = sim_computes(s, module) + (isfinite(p->end) ? s->sends[module] : 0);
    if (p->due < s->item_begin[module + 1]) next = fmin(next, sim_due(s, &s->item[p->due]));
    p->done = next;
    p->since = e->time;
    if (!isfinite(p->end) && next >= sim_computes(s, module)) stop(s, c, e->time);
    return true;
}
