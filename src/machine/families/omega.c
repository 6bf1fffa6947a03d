/*
 * Omega networks, stages of n x n switches: from k processors to as many common memories (model 4 of CSD-TR-86-576), or from
 * processor to processor (model 5), where those of one first-stage switch are nearer to each other.
 */
#include "base/diag.h"
#include "machine/making.h"
#include <inttypes.h>

#define TAKEN (TAKEN_BY_FAMILIES | ATTRIBUTE_BIT(SWITCH) | ATTRIBUTE_BIT(PACKETS) | ATTRIBUTE_BIT(CYCLE))

static int complete(const machine_making *making)
{
    inlay_machine *machine = making->machine;
    bool common = machine->family == INLAY_OMEGA;
    int status = making_default(making, ATTRIBUTE_SWITCH, "2");
    status = status == INLAY_OK ? making_default(making, ATTRIBUTE_PACKETS, "1") : status;
    if (status != INLAY_OK) {
        return status;
    }
    int64_t n = machine->switch_size, power = omega_size_from(machine->processors, n);
    if (power != machine->processors) {
        int64_t below = power / n >= n ? power / n : power, above = below * n <= INT32_MAX ? below * n : below;
        return diag_fail_at(making->diag, INLAY_BAD_INPUT, making->source, making->line[ATTRIBUTE_PROCESSORS],
                            "%d processors are no power of switch=%d; expected for example %" PRId64 " or %" PRId64,
                            machine->processors, machine->switch_size, below, above);
    }
    if (machine->value[ATTRIBUTE_TRANSIT] != NULL && machine->value[ATTRIBUTE_CYCLE] == NULL) {
        return diag_fail_at(making->diag, INLAY_BAD_INPUT, making->source, making->line[ATTRIBUTE_TRANSIT],
                            "transit is given without cycle; expected cycle=TIME with it");
    }
    machine->memory = common ? INLAY_MEMORY_COMMON : INLAY_MEMORY_DISTRIBUTED;
    machine->memories = common ? machine->processors : 0;
    return INLAY_OK;
}

static int64_t enough(const inlay_machine *machine, int64_t hosts)
{
    return omega_size_from(hosts, machine->switch_size);
}

static int apart(const inlay_machine *machine, inlay_id from, inlay_id to)
{
    return from / machine->switch_size != to / machine->switch_size ? 2 : 1;
}

/* Within a switch of the first stage distance 1, else 2. */
static bool tgt(const inlay_machine *machine, text_buffer *to)
{
    inlay_id size = machine->switch_size, switches = machine->processors / size;
    if (switches > 1) {
        text_addf(to, "tleaf 2 %d 1 %d 1\n", switches, size);
        return true;
    }
    return family_complete_graph(machine, to);
}

const machine_family omega_family = {
    .name = "omega",
    .operand = "K",
    .summary = "stages of switches from processors to as many common memories",
    .sample = "omega:4,switch=2,packets=3,transit=1us,cycle=2us,common_memory=1GiB",
    .takes = TAKEN | ATTRIBUTE_BIT(TRANSIT) | ATTRIBUTE_BIT(COMMON_MEMORY),
    .network = INLAY_NETWORK_OMEGA,
    .complete = complete,
    .enough = enough,
    .tgt = family_complete_graph,
};

const machine_family omega_pe_family = {
    .name = "omega-pe",
    .operand = "K",
    .summary = "stages of switches from processor to processor",
    .sample = "omega-pe:4,switch=2,packets=3,cycle=2us",
    .takes = TAKEN,
    .network = INLAY_NETWORK_OMEGA_PE,
    .complete = complete,
    .enough = enough,
    .apart = apart,
    .tgt = tgt,
};
