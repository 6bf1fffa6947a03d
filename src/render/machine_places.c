/* Where the hosts and switches stand in a picture: the family's row says. */
#include "base/diag.h"
#include "base/memory.h"
#include "render/machine.h"
#include <stdlib.h>

void machine_places_clear(machine_places *places)
{
    free(places->at);
    free(places->joint);
    free(places->lines);
    *places = (machine_places){0};
}

int machine_places_find(const inlay_mapping *mapping, machine_places *places, inlay_diag *diag)
{
    const inlay_machine *machine = inlay_mapping_machine(mapping);
    const machine_family *family = family_row(machine->family);
    if (family->place == NULL) {
        return machine_graph_find(mapping, places, diag);
    }
    inlay_id nodes = inlay_machine_nodes(machine);
    machine_places found = {.count = nodes + family->inputs, .hub = family->inputs ? nodes : -1, .bows = family->bows};
    found.at = memory_zeroed((size_t)found.count, sizeof *found.at);
    if (found.at == NULL) {
        return diag_no_memory(diag);
    }
    for (inlay_id node = 0; node < found.count; node++) {
        family_place at = family->place(machine->topology->own, node);
        found.at[node] = (chart_place_xy){at.x, at.y};
    }
    *places = found;
    return INLAY_OK;
}
