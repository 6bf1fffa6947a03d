/*
 * Stages of switches: the head of a message goes from output to output, which each is taken for the whole message.
 *
 * Stage s sets digit s of the address, in base `switch_size` and from the least on, to that of the destination. So
 * the processors of a first-stage switch have neighbouring numbers, and after all stages the message is there.
 */
#include "simulate/fabric.h"

/* An output is served: the head will be at the next one after its transit, the whole message there behind its tail. */
static void pass(fabric *f, inlay_id sender, double now)
{
    const fabric_plan *plan = f->plan;
    transfer *t = &f->transfer[sender];
    t->queued = false;
    t->stage++;
    double after = t->stage == t->stages ? plan->transit + plan->tail : plan->transit;
    calendar_set(&f->calendar, sender, now + t->scale * after);
}

static void arrive(fabric *f, inlay_id sender, double now)
{
    const fabric_plan *plan = f->plan;
    transfer *t = &f->transfer[sender];
    inlay_id place = plan->place[t->stage];
    inlay_id here = t->address / place % plan->switch_size, there = t->to / place % plan->switch_size;
    t->address += (there - here) * place;
    inlay_id number = t->address / plan->place[t->stage + 1] * place + t->address % place;
    usage *g = &f->usage[(size_t)t->stage * (size_t)(plan->ports / plan->switch_size) + (size_t)number];
    double *output_free = &f->output_free[(size_t)t->stage * (size_t)plan->ports + (size_t)t->address];
    double begin = *output_free > now ? *output_free : now;
    *output_free = begin + t->scale * plan->taken;
    t->begin = t->stage == 0 ? begin : t->begin;
    g->requests++;
    g->busy += t->scale * plan->taken;
    g->waited += begin - now;
    g->passed += t->scale * plan->transit;
    if (begin > now) {
        g->waiting++;
        g->largest = g->waiting > g->largest ? g->waiting : g->largest;
        t->queued = true;
        t->at = g;
        calendar_set(&f->calendar, sender, begin);
    } else {
        pass(f, sender, now);
    }
}

void fabric_omega_request(fabric *f, inlay_id sender, double now, double traffic, inlay_id from, inlay_id to)
{
    transfer *t = &f->transfer[sender];
    int stages = fabric_stages(f->plan, from, to);
    *t = (transfer){.asked = now,
                    .service = fabric_alone(f->plan, traffic, stages),
                    .scale = traffic,
                    .address = from,
                    .to = to,
                    .stages = stages};
    arrive(f, sender, now);
}

inlay_id fabric_omega_event(fabric *f, int32_t slot, double now)
{
    transfer *t = &f->transfer[slot];
    if (t->queued) {
        t->at->waiting--;
        pass(f, slot, now);
        return -1;
    }
    if (t->stage < t->stages) {
        arrive(f, slot, now);
        return -1;
    }
    calendar_set(&f->calendar, slot, INFINITY);
    return slot;
}
