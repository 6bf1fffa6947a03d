/* Every attribute of a machine, in one table. */
#include "machine/machine.h"
#include <string.h>

/* ---- Reading one value: false where it cannot be ---- */

static bool read_network(inlay_machine *machine, const char *value)
{
    return family_find(value, &machine->family);
}

/* A whole number from 1 on. */
static bool read_count(const char *value, inlay_id *result)
{
    int64_t count = 0;
    for (const char *c = value; *c != '\0'; c++) {
        if (*c < '0' || *c > '9') {
            return false;
        }
        count = count * 10 + (*c - '0');
        if (count > INT32_MAX) {
            return false;
        }
    }
    *result = (inlay_id)count;
    return count > 0;
}

/* Whole numbers from 1 on with an x in between: how many, 0 where that is not what stands there. */
static int read_sizes(const char *value, inlay_id sizes[FAMILY_DIMENSIONS])
{
    char one[12];
    int count = 0;
    for (const char *at = value;; at++) {
        size_t length = strcspn(at, "x");
        if (length >= sizeof one || count == FAMILY_DIMENSIONS) {
            return 0;
        }
        memcpy(one, at, length);
        one[length] = '\0';
        if (!read_count(one, &sizes[count++])) {
            return 0;
        }
        at += length;
        if (*at == '\0') {
            return count;
        }
    }
}

static bool read_processors(inlay_machine *machine, const char *value)
{
    const int *sizes = family_row(machine->family)->sizes;
    family_shape *shape = &machine->shape;
    shape->dimensions = read_sizes(value, shape->size);
    machine->processors = shape->size[0];
    return shape->dimensions >= sizes[0] && shape->dimensions <= sizes[1];
}

/* Of the same number of levels as the processors are written in; that is found out when all attributes are known. */
static bool read_up(inlay_machine *machine, const char *value)
{
    return read_sizes(value, machine->shape.up) > 0;
}

static bool read_cables(inlay_machine *machine, const char *value)
{
    return read_sizes(value, machine->shape.cables) > 0;
}

static bool read_cores(inlay_machine *machine, const char *value)
{
    return read_count(value, &machine->cores);
}

static bool read_speed(inlay_machine *machine, const char *value)
{
    inlay_decimal speed;
    if (inlay_decimal_parse(value, &speed) != INLAY_OK) {
        return false;
    }
    machine->speed = inlay_decimal_double(speed);
    return speed.digits > 0;
}

static bool read_link_latency(inlay_machine *machine, const char *value)
{
    return inlay_duration_parse(value, &machine->link_latency) == INLAY_OK && machine->link_latency.value.digits >= 0;
}

static bool read_switching(inlay_machine *machine, const char *value)
{
    machine->cut_through = strcmp(value, "cut-through") == 0;
    return machine->cut_through || strcmp(value, "store-and-forward") == 0;
}

static bool read_duplex(inlay_machine *machine, const char *value)
{
    machine->half_duplex = strcmp(value, "half") == 0;
    return machine->half_duplex || strcmp(value, "full") == 0;
}

static bool read_memory(inlay_machine *machine, const char *value)
{
    bool common = strcmp(value, "common") == 0;
    machine->memory = common ? INLAY_MEMORY_COMMON : INLAY_MEMORY_DISTRIBUTED;
    return common || strcmp(value, "distributed") == 0;
}

static bool read_memories(inlay_machine *machine, const char *value)
{
    return read_count(value, &machine->memories);
}

static bool read_buses(inlay_machine *machine, const char *value)
{
    return read_count(value, &machine->buses);
}

static bool read_model(inlay_machine *machine, const char *value)
{
    if (family_row(machine->family)->network == INLAY_NETWORK_LINKS) {
        machine->exponential = strcmp(value, "mm1") == 0;
        return machine->exponential || strcmp(value, "md1") == 0;
    }
    machine->occupancy = strcmp(value, "occupancy") == 0;
    return machine->occupancy || strcmp(value, "paper") == 0;
}

static bool read_switch(inlay_machine *machine, const char *value)
{
    return read_count(value, &machine->switch_size) && machine->switch_size > 1;
}

static bool read_packets(inlay_machine *machine, const char *value)
{
    return read_count(value, &machine->packets);
}

static bool read_transit(inlay_machine *machine, const char *value)
{
    return inlay_duration_parse(value, &machine->transit) == INLAY_OK && machine->transit.value.digits >= 0;
}

static bool read_cycle(inlay_machine *machine, const char *value)
{
    return inlay_duration_parse(value, &machine->cycle) == INLAY_OK && machine->cycle.value.digits > 0;
}

static bool read_capacity(inlay_machine *machine, const char *value)
{
    machine->has_capacity = true;
    return inlay_rate_parse(value, &machine->capacity) == INLAY_OK;
}

static bool read_size(const char *value, int64_t *size)
{
    return inlay_bytes_parse(value, size) == INLAY_OK && *size > 0;
}

static bool read_message_size(inlay_machine *machine, const char *value)
{
    return read_size(value, &machine->message_size);
}

static bool read_transfers(inlay_machine *machine, const char *value)
{
    inlay_decimal transfers;
    if (inlay_decimal_parse(value, &transfers) != INLAY_OK) {
        return false;
    }
    machine->transfers = inlay_decimal_double(transfers);
    return transfers.digits > 0;
}

static bool read_latency(inlay_machine *machine, const char *value)
{
    return inlay_duration_parse(value, &machine->latency) == INLAY_OK && machine->latency.value.digits >= 0;
}

static bool read_processor_memory(inlay_machine *machine, const char *value)
{
    return read_size(value, &machine->processor_memory);
}

static bool read_common_memory(inlay_machine *machine, const char *value)
{
    return read_size(value, &machine->common_memory);
}

/* A name must survive the machine string: no comma, no blank. Bytes above ASCII are letters in UTF-8. */
static bool read_name(inlay_machine *machine, const char *value)
{
    (void)machine; /* the name is kept as the attribute's value */
    for (const char *c = value; *c != '\0'; c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (unsigned char)*c >= 0x80;
        bool digit = *c >= '0' && *c <= '9';
        if (!letter && !digit && strchr("_-+.", *c) == NULL) {
            return false;
        }
    }
    return *value != '\0';
}

static bool read_price(inlay_machine *machine, const char *value)
{
    inlay_decimal price;
    if (inlay_decimal_parse(value, &price) != INLAY_OK) {
        return false;
    }
    machine->price = inlay_decimal_double(price);
    return price.digits >= 0;
}

/* A number of watts, with its unit or without. */
static bool read_power(inlay_machine *machine, const char *value)
{
    static const struct {
        const char *name;
        double watts;
    } units[] = {{"kW", 1e3}, {"mW", 1e-3}, {"W", 1}, {"", 1}};
    char number[64];
    size_t length = strlen(value), unit = 0, behind = 0;
    while ((behind = strlen(units[unit].name)) > length || strcmp(value + length - behind, units[unit].name) != 0) {
        unit++;
    }
    inlay_decimal power;
    length -= behind;
    length -= behind > 0 && length > 0 && value[length - 1] == ' ';
    if (length >= sizeof number) {
        return false;
    }
    memcpy(number, value, length);
    number[length] = '\0';
    if (inlay_decimal_parse(number, &power) != INLAY_OK) {
        return false;
    }
    machine->power = inlay_decimal_double(power) * units[unit].watts;
    return power.digits > 0;
}

/* Bare numbers are no such time: they would mean something else in every application. */
static bool read_operation(const char *value, inlay_duration *time)
{
    return inlay_duration_parse(value, time) == INLAY_OK && time->unit != INLAY_UNIT_NONE && time->value.digits > 0;
}

static bool read_arithmetic_time(inlay_machine *machine, const char *value)
{
    return read_operation(value, &machine->arithmetic_time);
}

static bool read_function_time(inlay_machine *machine, const char *value)
{
    return read_operation(value, &machine->function_time);
}

/* ---- The table ---- */

#define WHOLE    "a whole number from 1 to 2147483647"
#define SIZE     "a positive size such as 64MiB"
#define NO_LINKS "there are no links that are alike"
#define NAME     "a name of letters, digits and _ - + ."
#define EACH     "a time above 0 with its unit such as 0.8ns"

static const attribute_rule rules[ATTRIBUTES] = {
    [ATTRIBUTE_NETWORK] = {"network", read_network, "unknown network", NULL, NULL},
    [ATTRIBUTE_PROCESSORS] = {"processors", read_processors, "bad processors", WHOLE, "a graph counts its own"},
    [ATTRIBUTE_MEMORY] = {"memory", read_memory, "unknown memory", "common or distributed",
                          "its memory is common in multibus and omega, distributed elsewhere"},
    [ATTRIBUTE_MEMORIES] = {"memories", read_memories, "bad memories", WHOLE,
                            "a bus has one common memory, omega as many as processors"},
    [ATTRIBUTE_BUSES] = {"buses", read_buses, "bad buses", WHOLE, "the network of several buses is multibus"},
    [ATTRIBUTE_MODEL] = {"model", read_model, "unknown model", "paper or occupancy",
                         "the networks with a choice of models are multibus and those of links"},
    [ATTRIBUTE_SWITCH] = {"switch", read_switch, "bad switch", "the number of inputs of one switch, from 2 on",
                          "the networks of switches are omega and omega-pe"},
    [ATTRIBUTE_PACKETS] = {"packets", read_packets, "bad packets", WHOLE,
                           "the networks that send packets are omega and omega-pe"},
    [ATTRIBUTE_TRANSIT] = {"transit", read_transit, "bad transit", "a time of at least 0 such as 1tick or 50ns",
                           "in omega-pe a switch takes one cycle; a bus has latency"},
    [ATTRIBUTE_CYCLE] = {"cycle", read_cycle, "bad cycle", "a time above 0 such as 1tick or 50ns",
                         "a bus has a capacity"},
    [ATTRIBUTE_CAPACITY] = {"capacity", read_capacity, "bad capacity",
                            "a positive rate such as 1msg/tick, 100Mbit/s or 1.25GB/s",
                            "the capacity of an omega network follows from cycle: one packet a cycle on every link"},
    [ATTRIBUTE_LINK_LATENCY] = {"link_latency", read_link_latency, "bad link_latency",
                                "a time of at least 0 such as 1us or 2 ticks", NO_LINKS},
    [ATTRIBUTE_SWITCHING] = {"switching", read_switching, "unknown switching", "store-and-forward or cut-through",
                             NO_LINKS},
    [ATTRIBUTE_DUPLEX] = {"duplex", read_duplex, "unknown duplex", "full or half",
                          "a bus carries one message at a time, links of a graph say it themselves"},
    [ATTRIBUTE_UP] = {"up", read_up, "bad up", "parents of a node by level such as 1x2",
                      "the network with several ways up is fattree"},
    [ATTRIBUTE_CABLES] = {"cables", read_cables, "bad cables", "parallel cables by level such as 1x2",
                          "the networks with parallel cables are fattree and dragonfly"},
    [ATTRIBUTE_CORES] = {"cores", read_cores, "bad cores", WHOLE, NO_LINKS},
    [ATTRIBUTE_SPEED] = {"speed", read_speed, "bad speed", "a positive number such as 1 or 2.5",
                         "nodes of a graph have their own"},
    [ATTRIBUTE_MESSAGE_SIZE] = {"message_size", read_message_size, "bad message_size",
                                "a positive size such as 1500 or 64KiB", NULL},
    [ATTRIBUTE_TRANSFERS] = {"transfers", read_transfers, "bad transfers", "a positive number such as 1 or 2", NULL},
    [ATTRIBUTE_LATENCY] = {"latency", read_latency, "bad latency", "a time of at least 0 such as 50us or 2 ticks",
                           NULL},
    [ATTRIBUTE_PROCESSOR_MEMORY] = {"processor_memory", read_processor_memory, "bad processor_memory", SIZE,
                                    "nodes of a graph have their own"},
    [ATTRIBUTE_COMMON_MEMORY] = {"common_memory", read_common_memory, "bad common_memory", SIZE,
                                 "it has no common memory; its processors have processor_memory"},
    [ATTRIBUTE_TYPE] = {"type", read_name, "bad type", NAME, "nodes of a graph have their own"},
    [ATTRIBUTE_PRICE] = {"price", read_price, "bad price",
                         "a number from 0 on such as 0.12, for one processor and hour", NULL},
    [ATTRIBUTE_CURRENCY] = {"currency", read_name, "bad currency", NAME, NULL},
    [ATTRIBUTE_POWER] = {"power", read_power, "bad power", "a positive power of one processor such as 95W", NULL},
    [ATTRIBUTE_ARITHMETIC_TIME] = {"arithmetic_time", read_arithmetic_time, "bad arithmetic_time", EACH, NULL},
    [ATTRIBUTE_FUNCTION_TIME] = {"function_time", read_function_time, "bad function_time", EACH, NULL},
};

const attribute_rule *attribute_rule_of(attribute_id id)
{
    return &rules[id];
}

void attribute_expected(attribute_id id, inlay_family family, text_buffer *to)
{
    const machine_family *row = family_row(family);
    if (id == ATTRIBUTE_NETWORK) {
        family_names(to);
    } else if (id == ATTRIBUTE_MODEL) {
        text_add(to, row->network == INLAY_NETWORK_LINKS ? "md1 or mm1" : "paper or occupancy");
    } else {
        text_add(to, id == ATTRIBUTE_PROCESSORS && row->expected != NULL ? row->expected : rules[id].expected);
    }
}

bool attribute_holds(attribute_id id, inlay_family family)
{
    return (family_row(family)->takes & 1U << id) != 0;
}

int attribute_find(const char *name)
{
    for (int id = 0; id < ATTRIBUTES; id++) {
        if (strcmp(rules[id].name, name) == 0) {
            return id;
        }
    }
    return -1;
}
