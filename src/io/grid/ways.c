/* The ways of messages between the hosts of a machine, link by link. */
#include "base/diag.h"
#include "base/memory.h"
#include "io/grid/text.h"
#include "io/views/view.h"
#include <inlay/machine.h>
#include <stdlib.h>

/* All that `shown` points to. */
typedef struct owned_ways {
    inlay_grid_ways shown; /* first: a pointer to it is one to all */
    int32_t *host, *link;
    int32_t at[INLAY_GRID_HOSTS]; /* a processor of each host */
    double *latency, *per_byte, *link_per_byte;
    int64_t *first;
    bool *parallel;
    size_t room; /* for links of routes */
    price_meter meter;
} owned_ways;

void grid_ways_free(inlay_grid_ways *ways)
{
    owned_ways *w = (owned_ways *)ways;
    if (w != NULL) {
        free(w->host);
        free(w->link);
        free(w->latency);
        free(w->per_byte);
        free(w->link_per_byte);
        free(w->first);
        free(w->parallel);
        price_meter_clear(&w->meter);
        free(w);
    }
}

/* Processors stand host by host. */
static void number_hosts(const inlay_machine *machine, owned_ways *w)
{
    inlay_id processors = inlay_machine_processors(machine), last = -1;
    for (inlay_id p = 0; p < processors; p++) {
        inlay_id host = inlay_machine_host(machine, p);
        if (host != last) {
            w->at[w->shown.hosts++] = p;
        }
        last = host;
        w->host[p] = w->shown.hosts - 1;
    }
}

static void copy_links(const inlay_machine *machine, owned_ways *w)
{
    for (inlay_id l = 0; l < w->shown.links; l++) {
        inlay_machine_link link = inlay_machine_link_at(machine, l);
        w->link_per_byte[l] = 1 / link.capacity;
        w->parallel[l] = link.parallel;
    }
}

static int copy_route(const inlay_machine *machine, owned_ways *w, int32_t a, int32_t b, double more)
{
    size_t pair = (size_t)a * (size_t)w->shown.hosts + (size_t)b;
    int64_t end = w->first[pair];
    price of = {0};
    int status = a != b ? price_find(&w->meter, w->at[a], w->at[b], &of) : INLAY_OK;
    inlay_id length = status == INLAY_OK && a != b
                          ? inlay_machine_route(machine, w->at[a], w->at[b], w->meter.links, (inlay_id)w->meter.room)
                          : 0;
    if (status != INLAY_OK || length < 0 ||
        !memory_grow((void **)&w->link, &w->room, (size_t)(end + length + 1), sizeof *w->link)) {
        return status == INLAY_OK ? INLAY_NO_MEMORY : status;
    }
    for (inlay_id i = 0; i < length; i++) {
        w->link[end++] = w->meter.links[i];
    }
    w->latency[pair] = a != b ? of.latency + more : 0;
    w->per_byte[pair] = of.per_byte;
    w->first[pair + 1] = end;
    return INLAY_OK;
}

int grid_ways_make(const inlay_machine *machine, double more, inlay_grid_ways **ways, inlay_diag *diag)
{
    size_t processors = (size_t)inlay_machine_processors(machine), hosts = (size_t)inlay_machine_hosts(machine);
    *ways = NULL;
    if (processors > INLAY_GRID_WAYS || hosts > INLAY_GRID_HOSTS) {
        return INLAY_OK;
    }
    owned_ways *w = memory_zeroed(1, sizeof *w);
    if (w == NULL) {
        return diag_no_memory(diag);
    }
    w->meter.machine = machine;
    w->shown.links = inlay_machine_links(machine);
    w->host = memory_array(processors, sizeof *w->host);
    w->latency = memory_array(hosts * hosts, sizeof *w->latency);
    w->per_byte = memory_array(hosts * hosts, sizeof *w->per_byte);
    w->first = memory_zeroed(hosts * hosts + 1, sizeof *w->first);
    w->link_per_byte = memory_array((size_t)w->shown.links, sizeof *w->link_per_byte);
    w->parallel = memory_array((size_t)w->shown.links, sizeof *w->parallel);
    int status = w->host != NULL && w->latency != NULL && w->per_byte != NULL && w->first != NULL &&
                         w->link_per_byte != NULL && w->parallel != NULL
                     ? INLAY_OK
                     : INLAY_NO_MEMORY;
    if (status == INLAY_OK) {
        number_hosts(machine, w);
        copy_links(machine, w);
    }
    for (int32_t q = 0; status == INLAY_OK && q < w->shown.hosts * w->shown.hosts; q++) {
        status = copy_route(machine, w, q / w->shown.hosts, q % w->shown.hosts, more);
    }
    if (status != INLAY_OK) {
        grid_ways_free(&w->shown);
        return status == INLAY_NO_MEMORY ? diag_no_memory(diag) : status;
    }
    w->shown = (inlay_grid_ways){w->shown.hosts, w->shown.links, w->host,          w->latency, w->per_byte,
                                 w->first,       w->link,        w->link_per_byte, w->parallel};
    *ways = &w->shown;
    return INLAY_OK;
}
