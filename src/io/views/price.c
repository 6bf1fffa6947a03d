/* Which processors are alike, and what a message between them takes on its route. */
#include "io/views/view.h"
#include "base/diag.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool processors_alike(const inlay_processor *a, const inlay_processor *b)
{
    bool types = a->type == NULL || b->type == NULL ? a->type == b->type : strcmp(a->type, b->type) == 0;
    return types && !(a->speed < b->speed) && !(a->speed > b->speed);
}

void view_warn(const inlay_machine *machine, inlay_diag *diag)
{
    if (inlay_machine_latency_by_size(machine)->count > 0) {
        diag_warn(diag, "latency_by_size of the machine is left out: a message takes a latency, and a time a byte");
    }
}

static const double no_route = 1e6; /* seconds that a message takes where a platform has no route */

int price_find(price_meter *meter, inlay_id from, inlay_id to, price *of)
{
    const inlay_machine *m = meter->machine;
    inlay_id length = inlay_machine_route(m, from, to, meter->links, (inlay_id)meter->room);
    if (length > 0 && (size_t)length > meter->room) {
        if (!memory_grow((void **)&meter->links, &meter->room, (size_t)length, sizeof *meter->links)) {
            return INLAY_NO_MEMORY;
        }
        length = inlay_machine_route(m, from, to, meter->links, (inlay_id)meter->room);
    }
    *of = (price){0};
    for (inlay_id i = 0; i < length; i++) {
        inlay_machine_link link = inlay_machine_link_at(m, meter->links[i]);
        double each = 1 / link.capacity;
        of->latency += link.latency;
        of->per_byte = inlay_machine_cut_through(m) ? fmax(of->per_byte, each) : of->per_byte + each;
    }
    return length < 0 ? INLAY_NO_MEMORY : length > 0 && of->latency < no_route ? INLAY_OK : INLAY_BAD_INPUT;
}

void price_meter_clear(price_meter *meter)
{
    free(meter->links);
    *meter = (price_meter){.machine = meter->machine};
}

static bool nearly(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

bool price_same(price a, price b)
{
    return nearly(a.latency, b.latency) && nearly(a.per_byte, b.per_byte);
}

/* ---- One medium for all ---- */

enum { ROUTE = 256 /* links, at most; longer ways are not looked at */ };

static bool has_link(const inlay_id *links, inlay_id length, inlay_id link)
{
    inlay_id at = 0;
    while (at < length && links[at] != link) {
        at++;
    }
    return at < length;
}

bool machine_is_shared_medium(const inlay_machine *machine)
{
    inlay_id common[ROUTE], links[ROUTE], processors = inlay_machine_processors(machine);
    inlay_id left = processors > 1 ? inlay_machine_route(machine, 0, 1, common, ROUTE) : 0;
    left = left <= ROUTE ? left : 0;
    for (inlay_id i = 1; i < processors && left > 0; i++) {
        inlay_id length = inlay_machine_route(machine, i, (i + 1) % processors, links, ROUTE), kept = 0;
        for (inlay_id at = 0; at < left && length <= ROUTE; at++) {
            bool shared = has_link(links, length, common[at]) && !inlay_machine_link_at(machine, common[at]).parallel;
            common[kept] = common[at];
            kept += shared;
        }
        left = kept;
    }
    return left > 0;
}
