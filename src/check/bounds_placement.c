/* What the placement asks of senders, buses, memories and links. */
#include "check/bounds.h"

#include <math.h>
#include <stdlib.h>

typedef struct asked {
    const check_limits *limits;
    long double *sender; /* of every processor */
    long double *output; /* omega-pe: of every stage and address */
    long double bus;
} asked;

static bool is_far(const check *k, inlay_id from, inlay_id to)
{
    return inlay_machine_distance(k->machine, from, to) > 1;
}

/* Stage by stage one digit more of the address, the least first, is that of the receiver; neighbours stop after one. */
static void pass_outputs(const asked *a, inlay_id from, inlay_id to, long double traffic)
{
    const check *k = a->limits->k;
    int64_t ports = inlay_machine_processors(k->machine), digit = inlay_machine_switch(k->machine), stage = 0;
    for (int64_t below = digit; below <= ports; below *= digit, stage++) {
        int64_t address = from / below * below + to % below;
        a->output[stage * ports + address] += traffic * a->limits->unit;
        if (!is_far(k, from, to)) break;
    }
}

static void add_crossing(void *context, const check_crossing *of)
{
    asked *a = context;
    const check *k = a->limits->k;
    long double traffic = (long double)check_traffic(k, of->messages, of->bytes) * (of->again ? a->limits->again : 1);
    inlay_id from = k->cluster[of->from].processor, to = k->cluster[of->to].processor;
    a->bus += traffic;
    a->sender[from] += traffic * (is_far(k, from, to) ? a->limits->far : a->limits->unit);
    if (a->output) pass_outputs(a, from, to, traffic);
}

/* The memory of every block as the file has it, -1 where it has none. */
static inlay_id *read_memories(const check *k)
{
    const json_t *all = json_object_get(k->root, "memories");
    inlay_id *memory_of = calloc((size_t)k->blocks + 1, sizeof *memory_of);
    for (inlay_id d = 0; memory_of && d < k->blocks; d++)
        memory_of[d] = -1;
    for (size_t m = 0; memory_of && m < json_array_size(all); m++) {
        json_int_t number = json_integer_value(json_object_get(json_array_get(all, m), "memory"));
        const json_t *names = json_object_get(json_array_get(all, m), "blocks");
        for (size_t i = 0; number >= 0 && number < inlay_machine_memories(k->machine) && i < json_array_size(names);
             i++) {
            inlay_id block = check_find_block(k, json_string_value(json_array_get(names, i)));
            if (block >= 0) memory_of[block] = (inlay_id)number;
        }
    }
    return memory_of;
}

/* Reads come last of the crossings, from the block's home; its reader sends for them. */
static void move_reads(asked *a, const inlay_id *memory_of, long double *memory)
{
    const check *k = a->limits->k;
    long double port = a->limits->unit;
    if (inlay_machine_network(k->machine) == INLAY_NETWORK_OMEGA)
        port = (long double)k->network.share * inlay_machine_packets(k->machine);
    for (inlay_id d = 0; d < k->blocks; d++) {
        inlay_links uses = inlay_app_uses(k->app, d);
        for (int64_t u = 0; u < uses.count && k->home[d] >= 0; u++) {
            inlay_id reader = k->cluster_of[uses.module[u]], home = k->home[d];
            if (reader == home) continue;
            long double traffic = (long double)check_traffic(k, uses.messages[u], uses.bytes[u]);
            inlay_id from = k->cluster[home].processor, to = k->cluster[reader].processor;
            long double time = traffic * (is_far(k, from, to) ? a->limits->far : a->limits->unit);
            a->sender[from] -= time;
            a->sender[to] += time;
            if (memory && memory_of[d] >= 0) memory[memory_of[d]] += traffic * port;
        }
    }
}

static double largest(const long double *of, int64_t count)
{
    long double most = 0;
    for (int64_t i = 0; of && i < count; i++)
        most = fmaxl(most, of[i]);
    return of ? (double)most : NAN;
}

int check_placement(const check_limits *limits, check_placed *placed)
{
    const check *k = limits->k;
    int64_t processors = inlay_machine_processors(k->machine), memories = inlay_machine_memories(k->machine);
    bool pe = inlay_machine_network(k->machine) == INLAY_NETWORK_OMEGA_PE;
    *placed = (check_placed){NAN, NAN, NAN, NAN};
    if (!check_queued(k)) return INLAY_OK;
    if (inlay_machine_has_links(k->machine)) {
        placed->link = (double)k->links.busiest;
        return INLAY_OK;
    }
    int64_t outputs = pe ? 32 * processors : 0;
    asked a = {.limits = limits, .sender = calloc((size_t)processors, sizeof *a.sender)};
    long double *memory = k->blocks > 0 && memories > 0 ? calloc((size_t)memories, sizeof *memory) : NULL;
    inlay_id *memory_of = read_memories(k);
    if (pe) a.output = calloc((size_t)outputs, sizeof *a.output);
    bool room = a.sender && memory_of && (!pe || a.output) && (k->blocks == 0 || memories == 0 || memory);
    if (room) {
        inlay_id buses = inlay_machine_buses(k->machine);
        check_each_crossing(k, NULL, add_crossing, &a);
        move_reads(&a, memory_of, memory);
        buses = memories > 0 && memories < buses ? (inlay_id)memories : buses;
        *placed = (check_placed){.sender = largest(a.sender, processors),
                                 .bus = buses > 0 ? (double)(a.bus * limits->unit / buses) : NAN,
                                 .memory = largest(memory, memories),
                                 .link = largest(a.output, outputs)};
    }
    free(a.sender);
    free(a.output);
    free(memory);
    free(memory_of);
    return room ? INLAY_OK : INLAY_NO_MEMORY;
}
