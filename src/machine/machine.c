/* The machine as a finished noun: what it says of itself. */
#include "machine/machine.h"
#include <stdlib.h>

void inlay_machine_free(inlay_machine *machine)
{
    if (machine == NULL) {
        return;
    }
    for (int id = 0; id < ATTRIBUTES; id++) {
        free(machine->value[id]);
    }
    for (inlay_id h = 0; machine->unlike.host != NULL && h < machine->topology->hosts; h++) {
        free(machine->unlike.host[h].type);
    }
    free(machine->unlike.host);
    free(machine->unlike.host_of);
    topology_free(machine->topology);
    free(machine->document);
    free(machine->format);
    free(machine->text);
    free(machine->name);
    free(machine);
}

const char *inlay_machine_name(const inlay_machine *machine)
{
    return machine->name;
}

inlay_family inlay_machine_family(const inlay_machine *machine)
{
    return machine->family;
}

inlay_network inlay_machine_network(const inlay_machine *machine)
{
    return family_row(machine->family)->network;
}

int inlay_machine_model(const inlay_machine *machine)
{
    switch (inlay_machine_network(machine)) {
    case INLAY_NETWORK_BUS: return machine->memory == INLAY_MEMORY_COMMON ? 1 : 2;
    case INLAY_NETWORK_MULTIBUS: return 3;
    case INLAY_NETWORK_OMEGA: return 4;
    case INLAY_NETWORK_OMEGA_PE: return 5;
    case INLAY_NETWORK_LINKS: break;
    }
    return machine->exponential ? 7 : 6;
}

const char *inlay_machine_model_words(const inlay_machine *machine)
{
    switch (inlay_machine_network(machine)) {
    case INLAY_NETWORK_BUS:
        return machine->memory == INLAY_MEMORY_COMMON ? "single bus, common memory" : "single bus, distributed memory";
    case INLAY_NETWORK_MULTIBUS:
        return machine->occupancy ? "several buses, common memories, occupancy" : "several buses, common memories";
    case INLAY_NETWORK_OMEGA: return "omega network to common memories";
    case INLAY_NETWORK_OMEGA_PE: return "omega network from processor to processor";
    case INLAY_NETWORK_LINKS: break;
    }
    return machine->exponential ? "links, each an M/M/1 queue" : "links, each an M/D/1 queue";
}

inlay_id inlay_machine_processors(const inlay_machine *machine)
{
    return machine->processors;
}

inlay_memory_kind inlay_machine_memory_kind(const inlay_machine *machine)
{
    return machine->memory;
}

inlay_id inlay_machine_memories(const inlay_machine *machine)
{
    return machine->memories;
}

inlay_id inlay_machine_buses(const inlay_machine *machine)
{
    return machine->buses;
}

bool inlay_machine_occupancy(const inlay_machine *machine)
{
    return machine->occupancy;
}

inlay_id inlay_machine_switch(const inlay_machine *machine)
{
    return machine->switch_size;
}

inlay_id inlay_machine_packets(const inlay_machine *machine)
{
    return machine->packets;
}

bool inlay_machine_cycle(const inlay_machine *machine, inlay_duration *cycle)
{
    bool given = machine->value[ATTRIBUTE_CYCLE] != NULL;
    if (given && cycle != NULL) {
        *cycle = machine->cycle;
    }
    return given;
}

bool inlay_machine_transit(const inlay_machine *machine, inlay_duration *transit)
{
    bool given = machine->value[ATTRIBUTE_TRANSIT] != NULL;
    if (given && transit != NULL) {
        *transit = machine->transit;
    }
    return given;
}

bool inlay_machine_has_distance(const inlay_machine *machine)
{
    return inlay_machine_has_links(machine) || family_row(machine->family)->apart != NULL;
}

int inlay_machine_distance(const inlay_machine *machine, inlay_id from, inlay_id to)
{
    if (from == to) {
        return 0;
    }
    if (machine->topology != NULL) {
        return topology_distance(machine->topology, inlay_machine_host(machine, from), inlay_machine_host(machine, to));
    }
    const machine_family *family = family_row(machine->family);
    return family->apart == NULL ? 1 : family->apart(machine, from, to);
}

int64_t inlay_machine_bisection(const inlay_machine *machine)
{
    const machine_family *family = family_row(machine->family);
    int64_t cut = family->bisection == NULL || machine->topology->links == 0 ? -1 : family->bisection(&machine->shape);
    return cut < 0 || machine->half_duplex ? cut : 2 * cut;
}

int64_t omega_size_from(int64_t k, int64_t n)
{
    int64_t power = n;
    while (power < k) {
        power *= n;
    }
    return power;
}

bool inlay_machine_capacity(const inlay_machine *machine, inlay_rate *rate)
{
    if (machine->has_capacity && rate != NULL) {
        *rate = machine->capacity;
    }
    return machine->has_capacity;
}

int64_t inlay_machine_message_size(const inlay_machine *machine)
{
    return machine->message_size;
}

double inlay_machine_transfers(const inlay_machine *machine)
{
    return machine->transfers;
}

inlay_duration inlay_machine_latency(const inlay_machine *machine)
{
    return machine->latency;
}

inlay_duration inlay_machine_task_overhead(const inlay_machine *machine)
{
    return machine->task_overhead;
}

const inlay_pieces *inlay_machine_latency_by_size(const inlay_machine *machine)
{
    return &machine->latency_by_size;
}

const inlay_pieces *inlay_machine_send_overhead(const inlay_machine *machine)
{
    return &machine->o_send;
}

const inlay_pieces *inlay_machine_receive_overhead(const inlay_machine *machine)
{
    return &machine->o_recv;
}

bool inlay_machine_memory_bandwidth(const inlay_machine *machine, inlay_rate *host, inlay_rate *core)
{
    *host = machine->memory_bandwidth;
    *core = machine->core_bandwidth;
    return host->value > 0;
}

inlay_id inlay_machine_board(const inlay_machine *machine, inlay_id processor)
{
    if (machine->boards > 0) {
        int64_t boards = machine->boards < machine->processors ? machine->boards : machine->processors;
        return (inlay_id)(processor * boards / machine->processors);
    }
    return inlay_machine_has_links(machine) ? inlay_machine_host(machine, processor)
           : machine->memories > 0          ? 0
                                            : processor;
}

inlay_doubts inlay_machine_doubts(const inlay_machine *machine)
{
    return machine->doubts;
}

int64_t inlay_machine_rendezvous_above(const inlay_machine *machine)
{
    return !machine->late ? INT64_MAX : machine->eager_limit > 0 ? machine->eager_limit : -1;
}

inlay_contention inlay_machine_contention(const inlay_machine *machine)
{
    return machine->contention;
}

const char *inlay_contention_name(inlay_contention contention)
{
    static const char *const names[] = {"queues", "none", "free"};
    return names[contention];
}

const inlay_sharing *inlay_machine_sharing(const inlay_machine *machine)
{
    return machine->sharing;
}

const char *inlay_machine_contention_word(const inlay_machine *machine)
{
    return machine->sharing != NULL ? machine->sharing->name : inlay_contention_name(machine->contention);
}

int64_t inlay_machine_processor_memory(const inlay_machine *machine)
{
    return machine->processor_memory;
}

int64_t inlay_machine_common_memory(const inlay_machine *machine)
{
    return machine->common_memory;
}

const char *inlay_machine_processor_type(const inlay_machine *machine)
{
    if (machine->unlike.host != NULL && !machine->unlike.differ) {
        return machine->unlike.host[0].type;
    }
    return machine->value[ATTRIBUTE_TYPE];
}

bool inlay_machine_price(const inlay_machine *machine, double *price)
{
    bool given = machine->value[ATTRIBUTE_PRICE] != NULL;
    if (given && price != NULL) {
        *price = machine->price;
    }
    return given;
}

const char *inlay_machine_currency(const inlay_machine *machine)
{
    return machine->value[ATTRIBUTE_CURRENCY];
}

bool inlay_machine_power(const inlay_machine *machine, double *watts)
{
    bool given = machine->value[ATTRIBUTE_POWER] != NULL;
    if (given && watts != NULL) {
        *watts = machine->power;
    }
    return given;
}

bool inlay_machine_arithmetic_time(const inlay_machine *machine, inlay_duration *each)
{
    bool given = machine->value[ATTRIBUTE_ARITHMETIC_TIME] != NULL;
    if (given && each != NULL) {
        *each = machine->arithmetic_time;
    }
    return given;
}

bool inlay_machine_broadcasts_in_trees(const inlay_machine *machine)
{
    return machine->tree && (machine->transfers < 2 || inlay_machine_has_distance(machine));
}

bool inlay_machine_flops(const inlay_machine *machine, double *flops)
{
    if (machine->flops > 0 && flops != NULL) {
        *flops = machine->flops;
    }
    return machine->flops > 0;
}

bool inlay_machine_function_time(const inlay_machine *machine, inlay_duration *each)
{
    bool given = machine->value[ATTRIBUTE_FUNCTION_TIME] != NULL;
    if (given && each != NULL) {
        *each = machine->function_time;
    }
    return given;
}

size_t inlay_machine_attributes(const inlay_machine *machine)
{
    size_t count = 0;
    for (int id = 0; id < ATTRIBUTES; id++) {
        count += machine->value[id] != NULL;
    }
    return count;
}

inlay_attribute inlay_machine_attribute(const inlay_machine *machine, size_t i)
{
    size_t before = 0;
    for (int id = 0; id < ATTRIBUTES; id++) {
        if (machine->value[id] != NULL && before++ == i) {
            return (inlay_attribute){attribute_rule_of((attribute_id)id)->name, machine->value[id], 0};
        }
    }
    return (inlay_attribute){0};
}

const char *inlay_machine_text(const inlay_machine *machine)
{
    return machine->text;
}
