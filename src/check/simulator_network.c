/* Buses and omega networks of the checker's simulator: every processor has one transfer under way. */
#include "check/simulator_state.h"

#include <stdlib.h>

bool sim_make_network(simulator *s)
{
    const sim_network *n = &s->network;
    size_t ports = (size_t)n->stages * (size_t)inlay_machine_processors(s->of->machine);
    size_t links = n->links ? (size_t)inlay_machine_links(s->of->machine) : 0;
    s->on_bus = malloc(((size_t)n->buses + 1) * sizeof *s->on_bus);
    s->memory_taken = calloc((size_t)n->memories + 1, sizeof *s->memory_taken);
    s->free_at = calloc(ports + links + 1, sizeof *s->free_at);
    for (inlay_id b = 0; s->on_bus && b < n->buses; b++)
        s->on_bus[b] = -1;
    return s->on_bus && s->memory_taken && s->free_at;
}

/* ---- By itself ---- */

static bool is_near(const simulator *s, inlay_id from, inlay_id to)
{
    return s->network.memories == 0 && from / s->network.switch_size == to / s->network.switch_size;
}

double sim_alone(simulator *s, const sim_item *item)
{
    const sim_network *n = &s->network;
    double sum = 0;
    if (n->free) return 0;
    for (int64_t t = 0; t < item->messages * item->visits; t++) {
        double size = item->share * sim_factor(s);
        if (n->switch_size == 0) {
            sum += size * n->size / n->capacity;
            continue;
        }
        inlay_id here = sim_number(s, item->by), there = sim_number(s, item->there);
        sum += size * ((is_near(s, here, there) ? 1 : n->stages) * n->transit + n->tail);
    }
    return sum;
}

/* ---- Buses ---- */

static inlay_id free_bus(const simulator *s)
{
    for (inlay_id b = 0; b < s->network.buses; b++)
        if (s->on_bus[b] < 0) return b;
    return -1;
}

static void note_begin(simulator *s, const sim_processor *p, double now)
{
    sim_item *item = &s->item[p->sending];
    if (p->messages == item->messages && p->visits == item->visits) item->did.begin = now;
}

/* The first that waits and whose memory is free takes the lowest bus that is, as long as there are both. */
static void fill_buses(simulator *s, double now)
{
    inlay_id before = -1, c = s->first;
    for (inlay_id b = free_bus(s); b >= 0 && c >= 0;) {
        sim_processor *p = &s->processor[c];
        inlay_id next = p->next;
        if (s->memory_taken[p->memory]) {
            before = c;
        } else {
            *(before < 0 ? &s->first : &s->processor[before].next) = next;
            if (next < 0) s->last_waiting = before;
            s->memory_taken[p->memory] = s->network.memories > 0;
            s->on_bus[b] = c;
            note_begin(s, p, now);
            sim_at(s, now + p->size * s->network.size / s->network.capacity, SIM_NETWORK, b);
            b = free_bus(s);
        }
        c = next;
    }
}

static void wait_for_bus(simulator *s, inlay_id c, double now)
{
    s->processor[c].next = -1;
    *(s->first < 0 ? &s->first : &s->processor[s->last_waiting].next) = c;
    s->last_waiting = c;
    fill_buses(s, now);
}

/* ---- Omega networks ---- */

static inlay_id power(inlay_id base, int exponent)
{
    inlay_id result = 1;
    while (exponent-- > 0)
        result *= base;
    return result;
}

/* The head comes to a stage, whose digit of its address becomes the destination's, and has that output when it is free. */
static void come_to_stage(simulator *s, inlay_id c, double now)
{
    const sim_network *n = &s->network;
    sim_processor *p = &s->processor[c];
    int64_t low = power(n->switch_size, p->stage), high = low * n->switch_size;
    p->address = (inlay_id)(p->address / high * high + p->goal % high / low * low + p->address % low);
    double *free_at =
        &s->free_at[(size_t)p->stage * (size_t)inlay_machine_processors(s->of->machine) + (size_t)p->address];
    double begin = sim_larger(now, *free_at);
    *free_at = begin + p->size * n->taken;
    if (p->stage == 0) note_begin(s, p, begin);
    p->stage++;
    sim_at(s, begin + p->size * (p->stage == p->stages ? n->transit + n->tail : n->transit), SIM_NETWORK, c);
}

static void enter_omega(simulator *s, inlay_id c, double now)
{
    sim_processor *p = &s->processor[c];
    const sim_item *item = &s->item[p->sending];
    bool common = s->network.memories > 0, read = item->block >= 0;
    inlay_id here = sim_number(s, c), there = sim_number(s, item->there);
    p->address = read && !common ? there : here;
    p->goal = common ? p->memory : read ? here : there;
    p->stage = 0;
    p->stages = is_near(s, here, there) ? 1 : s->network.stages;
    come_to_stage(s, c, now);
}

/* ---- Transfers ---- */

static void ask_transfer(simulator *s, inlay_id c, double now)
{
    sim_processor *p = &s->processor[c];
    p->size = s->item[p->sending].share * sim_factor(s);
    if (s->network.switch_size > 0)
        enter_omega(s, c, now);
    else
        wait_for_bus(s, c, now);
}

static void ask_message(simulator *s, inlay_id c, double now)
{
    sim_processor *p = &s->processor[c];
    const sim_item *item = &s->item[p->sending];
    p->visits = item->visits;
    p->memory = 0;
    if (s->network.memories > 1 && item->block >= 0)
        p->memory = s->of->memory[item->block];
    else if (s->network.memories > 1 && s->watch.memory)
        p->memory = s->watch.memory(s->watch.own, s->network.memories);
    ask_transfer(s, c, now);
}

void sim_ask(simulator *s, inlay_id c, double now)
{
    sim_processor *p = &s->processor[c];
    sim_item *item = &s->item[p->first];
    p->sending = p->first;
    p->first = item->next;
    p->messages = item->messages;
    item->did.number = s->sent++;
    item->did.request = now;
    ask_message(s, c, now);
}

void sim_network_event(simulator *s, int64_t who, double now)
{
    inlay_id c = (inlay_id)who;
    if (s->network.switch_size == 0) {
        c = s->on_bus[who];
        s->on_bus[who] = -1;
        s->memory_taken[s->processor[c].memory] = false;
        fill_buses(s, now);
    } else if (s->processor[c].stage < s->processor[c].stages) {
        come_to_stage(s, c, now);
        return;
    }
    sim_processor *p = &s->processor[c];
    if (--p->visits > 0) {
        ask_transfer(s, c, now);
    } else if (--p->messages > 0) {
        ask_message(s, c, now);
    } else {
        sim_item *item = &s->item[p->sending];
        p->sending = -1;
        sim_arrive(s, item, now);
        if (p->first >= 0)
            sim_ask(s, c, now);
        else
            sim_release(s, c, now);
    }
}
