/* Every attribute of a machine, in one table. */
#include "machine/machine.h"
#include <string.h>

static const char *const family_names[] = {[INLAY_BUS] = "bus"};

enum { FAMILIES = sizeof family_names / sizeof *family_names };

const char *inlay_family_name(inlay_family family)
{
    return family_names[family];
}

bool family_find(const char *name, inlay_family *family)
{
    for (unsigned i = 0; i < FAMILIES; i++) {
        if (strcmp(family_names[i], name) == 0) {
            *family = (inlay_family)i;
            return true;
        }
    }
    return false;
}

/* ---- Reading one value: false where it cannot be ---- */

static bool read_network(inlay_machine *machine, const char *value)
{
    return family_find(value, &machine->family);
}

static bool read_processors(inlay_machine *machine, const char *value)
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
    machine->processors = (inlay_id)count;
    return count > 0;
}

static bool read_memory(inlay_machine *machine, const char *value)
{
    bool common = strcmp(value, "common") == 0;
    machine->memory = common ? INLAY_MEMORY_COMMON : INLAY_MEMORY_DISTRIBUTED;
    return common || strcmp(value, "distributed") == 0;
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
static bool read_type(inlay_machine *machine, const char *value)
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

/* ---- The table ---- */

enum { ON_BUS = 1U << INLAY_BUS };

static const attribute_rule rules[ATTRIBUTES] = {
    [ATTRIBUTE_NETWORK] = {"network", ON_BUS, read_network, "unknown network", "bus"},
    [ATTRIBUTE_PROCESSORS] = {"processors", ON_BUS, read_processors, "bad processors",
                              "a whole number from 1 to 2147483647"},
    [ATTRIBUTE_MEMORY] = {"memory", ON_BUS, read_memory, "unknown memory", "common or distributed"},
    [ATTRIBUTE_CAPACITY] = {"capacity", ON_BUS, read_capacity, "bad capacity",
                            "a positive rate such as 1msg/tick, 100Mbit/s or 1.25GB/s"},
    [ATTRIBUTE_MESSAGE_SIZE] = {"message_size", ON_BUS, read_message_size, "bad message_size",
                                "a positive size such as 1500 or 64KiB"},
    [ATTRIBUTE_TRANSFERS] = {"transfers", ON_BUS, read_transfers, "bad transfers", "a positive number such as 1 or 2"},
    [ATTRIBUTE_LATENCY] = {"latency", ON_BUS, read_latency, "bad latency",
                           "a time of at least 0 such as 50us or 2 ticks"},
    [ATTRIBUTE_PROCESSOR_MEMORY] = {"processor_memory", ON_BUS, read_processor_memory, "bad processor_memory",
                                    "a positive size such as 64MiB"},
    [ATTRIBUTE_COMMON_MEMORY] = {"common_memory", ON_BUS, read_common_memory, "bad common_memory",
                                 "a positive size such as 64MiB"},
    [ATTRIBUTE_TYPE] = {"type", ON_BUS, read_type, "bad type", "a name of letters, digits and _ - + ."},
};

const attribute_rule *attribute_rule_of(attribute_id id)
{
    return &rules[id];
}

bool attribute_holds(attribute_id id, inlay_family family)
{
    return (rules[id].families & 1U << family) != 0;
}

int attribute_find(inlay_family family, const char *name)
{
    for (int id = 0; id < ATTRIBUTES; id++) {
        if (attribute_holds((attribute_id)id, family) && strcmp(rules[id].name, name) == 0) {
            return id;
        }
    }
    return -1;
}
