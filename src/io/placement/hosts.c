/* The hosts of a machine as launchers of MPI programs know them. */
#include "base/diag.h"
#include "base/memory.h"
#include "io/placement/placement.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inlay_id hosts_of(const inlay_machine *machine)
{
    return inlay_machine_has_links(machine) ? inlay_machine_hosts(machine) : inlay_machine_processors(machine);
}

inlay_id host_of(const inlay_machine *machine, inlay_id processor)
{
    return inlay_machine_has_links(machine) ? inlay_machine_host(machine, processor) : processor;
}

int host_seats_make(const inlay_machine *machine, host_seats *seats, inlay_diag *diag)
{
    inlay_id processors = inlay_machine_processors(machine), hosts = hosts_of(machine);
    *seats = (host_seats){hosts, memory_zeroed((size_t)hosts + 1, sizeof *seats->begin),
                          memory_array((size_t)processors, sizeof *seats->processor),
                          memory_array((size_t)processors, sizeof *seats->core)};
    if (seats->begin == NULL || seats->processor == NULL || seats->core == NULL) {
        host_seats_clear(seats);
        return diag_no_memory(diag);
    }
    for (inlay_id i = 0; i < processors; i++) {
        seats->core[i] = seats->begin[host_of(machine, i) + 1]++;
    }
    for (inlay_id h = 0; h < hosts; h++) {
        seats->begin[h + 1] += seats->begin[h];
    }
    for (inlay_id i = 0; i < processors; i++) {
        seats->processor[seats->begin[host_of(machine, i)] + seats->core[i]] = i;
    }
    return INLAY_OK;
}

void host_seats_clear(host_seats *seats)
{
    free(seats->begin);
    free(seats->processor);
    free(seats->core);
    *seats = (host_seats){0};
}

/* Names that Inlay itself gives, p0, p1, ..., are no names that a launcher would know. */
bool host_name(const inlay_machine *machine, inlay_id host, char name[INLAY_MACHINE_NAME])
{
    if (inlay_machine_has_links(machine)) {
        char given[INLAY_MACHINE_NAME] = "";
        (void)snprintf(name, INLAY_MACHINE_NAME, "p%" PRId32, host);
        (void)inlay_machine_node_name(machine, host, given);
        if (strcmp(name, given) != 0) {
            memcpy(name, given, INLAY_MACHINE_NAME);
            return true;
        }
    }
    (void)snprintf(name, INLAY_MACHINE_NAME, "+n%" PRId32, host);
    return false;
}
