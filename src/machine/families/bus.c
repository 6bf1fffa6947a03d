/* One bus between all processors: models 1 (common memory) and 2 (distributed) of CSD-TR-86-576. */
#include "base/diag.h"
#include "machine/making.h"

static int complete(const machine_making *making)
{
    inlay_machine *machine = making->machine;
    if (machine->value[ATTRIBUTE_COMMON_MEMORY] != NULL && machine->memory != INLAY_MEMORY_COMMON) {
        return diag_fail_at(making->diag, INLAY_BAD_INPUT, making->source, making->line[ATTRIBUTE_COMMON_MEMORY],
                            "common_memory on a machine without common memory; expected memory=common with it");
    }
    machine->buses = 1;
    machine->memories = machine->memory == INLAY_MEMORY_COMMON ? 1 : 0;
    return making_default(making, ATTRIBUTE_MEMORY, "distributed");
}

const machine_family bus_family = {
    .name = "bus",
    .operand = "K",
    .summary = "one bus between all processors",
    .sample = "bus:4,memory=common,capacity=1GB/s,common_memory=1GiB",
    .takes = TAKEN_BY_FAMILIES | ATTRIBUTE_BIT(MEMORY) | ATTRIBUTE_BIT(CAPACITY) | ATTRIBUTE_BIT(COMMON_MEMORY),
    .network = INLAY_NETWORK_BUS,
    .complete = complete,
    .tgt = family_complete_graph,
};
