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

inlay_id inlay_machine_processors(const inlay_machine *machine)
{
    return machine->processors;
}

inlay_memory_kind inlay_machine_memory_kind(const inlay_machine *machine)
{
    return machine->memory;
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
    return machine->value[ATTRIBUTE_TYPE];
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
