/*
 * What one placement asks of every processor, sender, bus, memory and link: each is busy with one thing at a time, and the
 * elapsed time ends with the last of them.
 */
#include "base/memory.h"
#include "mapping/bounds.h"
#include "mapping/bounds_wire.h"
#include "mapping/mapping.h"
#include <math.h>
#include <stdlib.h>

/* ---- Everything that crosses ---- */

/* From a processor to another: a link, a copy of a datum, or what a module reads of a data block. */
typedef struct crossing {
    inlay_id from, to, sender; /* processors; a reader sends for what comes to it */
    inlay_id memory;           /* common memory of the block, or -1 */
    double traffic;
} crossing;

typedef void crossing_function(void *context, const crossing *c);

static inline inlay_id processor_of(const inlay_mapping *m, inlay_id cluster)
{
    return m->clusters[cluster].processor;
}

static void each_sent(const bounds_question *q, const sendings *s, crossing_function *use, void *context)
{
    const inlay_mapping *m = q->m;
    const interconnect *network = &q->p->network;
    double further = wire_further(network);
    for (inlay_id i = 0; i < q->app->modules; i++) {
        for (int64_t e = s->begin[i]; e < s->begin[i + 1]; e++) {
            sent_entry entry = sent_at(s, e);
            inlay_id from = sent_sender(s, e, m->cluster_of[i]), to = m->cluster_of[entry.to];
            if (from != to) {
                double traffic = (double)interconnect_traffic(network, entry.messages, entry.bytes);
                traffic *= entry.copy != NULL && entry.copy->further ? further : 1;
                inlay_id at = processor_of(m, from);
                use(context, &(crossing){at, processor_of(m, to), at, -1, traffic});
            }
        }
    }
}

static void each_read(const bounds_question *q, crossing_function *use, void *context)
{
    const inlay_app *app = q->app;
    const inlay_mapping *m = q->m;
    for (inlay_id d = 0; d < app->blocks; d++) {
        for (int64_t u = app->use_begin[d]; u < app->use_begin[d + 1]; u++) {
            inlay_id from = m->home[d], to = m->cluster_of[app->use_module[u]];
            if (from != to) {
                double traffic = (double)interconnect_traffic(&q->p->network, app->use_messages[u], app->use_bytes[u]);
                inlay_id reader = processor_of(m, to);
                use(context, &(crossing){processor_of(m, from), reader, reader, m->memory[d], traffic});
            }
        }
    }
}

static int each_crossing(const bounds_question *q, crossing_function *use, void *context)
{
    sendings s;
    if (mapping_sent(q->m, &s) != INLAY_OK) {
        return INLAY_NO_MEMORY;
    }
    each_sent(q, &s, use, context);
    sent_clear(&s);
    each_read(q, use, context);
    return INLAY_OK;
}

/* Whether a network without links is asked of that can be full. */
static bool queues(const bounds_question *q)
{
    return q->m != NULL && bounds_queued(q) && !inlay_machine_has_links(q->p->machine);
}

/* ---- One resource of each kind ---- */

/* By its number, the time that each is busy. */
typedef struct busy {
    const bounds_question *q;
    double *time;
    double bus;
    int stages;
} busy;

static void largest(const busy *b, size_t count, inlay_bound *bound)
{
    bound->value = 0;
    for (size_t k = 0; k < count; k++) {
        if (b->time[k] > bound->value) {
            bound->value = b->time[k];
            bound->at = (inlay_id)k;
        }
    }
}

static int find_busiest(const bounds_question *q, size_t count, int stages, crossing_function *use, inlay_bound *bound)
{
    busy b = {.q = q, .time = memory_zeroed(count, sizeof *b.time), .stages = stages};
    int status = b.time == NULL ? INLAY_NO_MEMORY : each_crossing(q, use, &b);
    if (status == INLAY_OK) {
        largest(&b, count, bound);
    }
    free(b.time);
    return status;
}

int bounds_processor(const bounds_question *q, inlay_bound *bound)
{
    for (inlay_id c = 0; q->m != NULL && c < q->m->summary.clusters; c++) {
        if (!(q->m->clusters[c].busy <= bound->value)) {
            bound->value = q->m->clusters[c].busy;
            bound->at = q->m->clusters[c].processor;
        }
    }
    return INLAY_OK;
}

static bool far(const interconnect *network, const crossing *c)
{
    return interconnect_distance(network, c->from, c->to) > 1;
}

static void add_to_sender(void *context, const crossing *c)
{
    busy *b = context;
    const interconnect *network = &b->q->p->network;
    const inlay_omega *omega = &network->omega;
    double unit = wire_unit(network);
    if (far(network, c)) { /* omega-pe: through all stages instead of one */
        unit += network->transfers * (b->stages - 1) * omega->cycle;
    }
    b->time[c->sender] += c->traffic * unit;
}

static int stages_of(const bounds_question *q)
{
    int stages = 0;
    inlay_omega_stages(q->p->network.omega.processors, q->p->network.omega.switch_size, &stages);
    return stages;
}

int bounds_one_queue(const bounds_question *q, inlay_bound *bound)
{
    return queues(q)
               ? find_busiest(q, (size_t)inlay_machine_processors(q->p->machine), stages_of(q), add_to_sender, bound)
               : INLAY_OK;
}

static void add_to_bus(void *context, const crossing *c)
{
    ((busy *)context)->bus += c->traffic;
}

int bounds_bus(const bounds_question *q, inlay_bound *bound)
{
    if (!queues(q) || inlay_machine_buses(q->p->machine) == 0) {
        return INLAY_OK;
    }
    busy b = {.q = q};
    int status = each_crossing(q, add_to_bus, &b);
    inlay_id buses = inlay_machine_buses(q->p->machine), memories = inlay_machine_memories(q->p->machine);
    buses = memories > 0 && memories < buses ? memories : buses;
    bound->value = b.bus * wire_unit(&q->p->network) / buses;
    return status;
}

/* Reads alone have a memory that is known: what modules send goes to any. In an omega network its last output is taken. */
static void add_to_memory(void *context, const crossing *c)
{
    busy *b = context;
    const interconnect *network = &b->q->p->network;
    double taken = network->transfers * (double)network->omega.packets * network->omega.cycle;
    if (c->memory >= 0) {
        b->time[c->memory] += c->traffic * (network->omega.processors > 0 ? taken : wire_unit(network));
    }
}

int bounds_memory(const bounds_question *q, inlay_bound *bound)
{
    size_t memories = queues(q) ? (size_t)inlay_machine_memories(q->p->machine) : 0;
    return memories > 0 && q->app->blocks > 0 ? find_busiest(q, memories, 0, add_to_memory, bound) : INLAY_OK;
}

/* Omega networks from processor to processor: the outputs that a message takes, stage by stage (docs/simulation.md). */
static void add_to_outputs(void *context, const crossing *c)
{
    busy *b = context;
    const interconnect *network = &b->q->p->network;
    const inlay_omega *omega = &network->omega;
    int64_t address = c->from, place = 1;
    int stages = far(network, c) ? b->stages : 1;
    for (int s = 0; s < stages; s++, place *= omega->switch_size) {
        address += (c->to / place % omega->switch_size - address / place % omega->switch_size) * place;
        b->time[s * omega->processors + address] += c->traffic * wire_unit(network);
    }
}

int bounds_link(const bounds_question *q, inlay_bound *bound)
{
    if (q->m != NULL && bounds_queued(q) && inlay_machine_has_links(q->p->machine)) {
        bound->value = q->m->link_demand;
        bound->at = q->m->busiest_link;
        return INLAY_OK;
    }
    if (!queues(q) || inlay_machine_network(q->p->machine) != INLAY_NETWORK_OMEGA_PE) {
        return INLAY_OK;
    }
    int stages = stages_of(q);
    return find_busiest(q, (size_t)stages * (size_t)q->p->network.omega.processors, stages, add_to_outputs, bound);
}
