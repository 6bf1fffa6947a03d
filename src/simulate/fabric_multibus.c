/* Several buses between processors and memories: a request holds a bus and its memory. */
#include "simulate/fabric.h"

/* The earliest requests whose memory is free take the lowest buses that are. */
static void dispatch(fabric *f, double now)
{
    for (;;) {
        calendar_node head = calendar_first(&f->ready), bus = calendar_first(&f->free_bus);
        if (isinf(head.time) || isinf(bus.time)) {
            return;
        }
        memory_queue *m = &f->memory[head.slot];
        inlay_id sender = m->first;
        transfer *t = &f->transfer[sender];
        usage *on_bus = &f->usage[bus.slot], *at_memory = &f->usage[f->plan->buses + head.slot];
        m->first = t->next;
        m->taken = true;
        t->begin = now;
        f->served[bus.slot] = sender;
        calendar_set(&f->ready, head.slot, INFINITY);
        calendar_set(&f->free_bus, bus.slot, INFINITY);
        calendar_set(&f->calendar, bus.slot, now + t->service);
        on_bus->requests++;
        on_bus->busy += t->service;
        at_memory->requests++;
        at_memory->busy += t->service;
        at_memory->waited += now - t->asked;
        at_memory->waiting--;
    }
}

void fabric_multibus_request(fabric *f, inlay_id sender, double now, double traffic, inlay_id to)
{
    transfer *t = &f->transfer[sender];
    memory_queue *m = &f->memory[to];
    usage *g = &f->usage[f->plan->buses + to];
    *t = (transfer){.asked = now,
                    .service = traffic * f->plan->numerator / f->plan->capacity,
                    .number = f->next_number++,
                    .next = -1,
                    .memory = to};
    if (m->first < 0) {
        m->first = sender;
        if (!m->taken) {
            calendar_set(&f->ready, to, t->number);
        }
    } else {
        f->transfer[m->last].next = sender;
    }
    m->last = sender;
    g->waiting++;
    dispatch(f, now);
    g->largest = g->waiting > g->largest ? g->waiting : g->largest;
}

inlay_id fabric_multibus_event(fabric *f, int32_t slot, double now)
{
    inlay_id sender = f->served[slot], memory = f->transfer[sender].memory;
    memory_queue *m = &f->memory[memory];
    calendar_set(&f->calendar, slot, INFINITY);
    calendar_set(&f->free_bus, slot, 0);
    m->taken = false;
    if (m->first >= 0) {
        calendar_set(&f->ready, memory, f->transfer[m->first].number);
    }
    dispatch(f, now);
    return sender;
}
