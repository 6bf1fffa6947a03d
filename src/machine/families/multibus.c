/* Several buses, each of which serves one of several common memories at a time: model 3 of CSD-TR-86-576. */
#include "base/diag.h"
#include "machine/making.h"

static int complete(const machine_making *making)
{
    inlay_machine *machine = making->machine;
    int status = making_need(making, ATTRIBUTE_MEMORIES);
    status = status == INLAY_OK ? making_need(making, ATTRIBUTE_BUSES) : status;
    if (status == INLAY_OK && machine->buses > machine->memories) {
        status =
            diag_fail_at(making->diag, INLAY_BAD_INPUT, making->source, making->line[ATTRIBUTE_BUSES],
                         "buses=%d is more than memories=%d, and a memory serves one bus at a time; expected 1 to %d",
                         machine->buses, machine->memories, machine->memories);
    }
    machine->memory = INLAY_MEMORY_COMMON;
    return status == INLAY_OK ? making_default(making, ATTRIBUTE_MODEL, "paper") : status;
}

const machine_family multibus_family = {
    .name = "multibus",
    .operand = "K",
    .summary = "several buses to common memories",
    .sample = "multibus:4,memories=3,buses=2,model=occupancy,capacity=1GB/s,common_memory=1GiB",
    .takes = TAKEN_BY_FAMILIES | ATTRIBUTE_BIT(MEMORIES) | ATTRIBUTE_BIT(BUSES) | ATTRIBUTE_BIT(MODEL) |
             ATTRIBUTE_BIT(CAPACITY) | ATTRIBUTE_BIT(COMMON_MEMORY),
    .network = INLAY_NETWORK_MULTIBUS,
    .complete = complete,
    .tgt = family_complete_graph,
};
