/* Machines and metasystems as what grids are decomposed for: speeds in operations per second, and a network. */
#include "base/diag.h"
#include "io/grid_text.h"
#include <inlay/io.h>
#include <inlay/metasystem.h>
#include <math.h>

static const double mega = 1e6;

/* Operations per second of a processor of speed 1: what the machine's file says, or else Mflop/s. */
static double rate_of(const inlay_machine *machine, double mflops)
{
    inlay_duration each;
    if (mflops <= 0 && inlay_machine_arithmetic_time(machine, &each) && inlay_unit_seconds(each.unit) > 0) {
        return 1 / (inlay_decimal_double(each.value) * inlay_unit_seconds(each.unit));
    }
    return (mflops > 0 ? mflops : 1) * mega;
}

static int add_processors(grid_fleet *fleet, const inlay_machine *machine)
{
    double rate = rate_of(machine, fleet->mflops);
    bool named = inlay_machine_family(machine) == INLAY_GRAPH;
    int status = INLAY_OK;
    for (inlay_id i = 0; i < inlay_machine_processors(machine) && status == INLAY_OK; i++) {
        char room[INLAY_MACHINE_NAME];
        const char *name = named ? inlay_machine_node_name(machine, inlay_machine_host(machine, i), room) : NULL;
        status = grid_fleet_add(fleet, 0, inlay_machine_processor(machine, i).speed * rate, name);
    }
    return status;
}

/* ---- Networks ---- */

/* A bus of bytes; false where the machine does not say. */
static bool bus_network(const inlay_machine *machine, inlay_grid_network *network)
{
    inlay_rate rate;
    if (inlay_machine_buses(machine) < 1 || !inlay_machine_capacity(machine, &rate) || rate.kind != INLAY_RATE_BYTES ||
        inlay_unit_seconds(rate.per) <= 0) {
        return false;
    }
    network->per_byte = inlay_machine_transfers(machine) * inlay_unit_seconds(rate.per) / rate.value;
    network->networks = inlay_machine_buses(machine);
    network->wiring = network->networks > 1 ? INLAY_GRID_SEVERAL : INLAY_GRID_SINGLE;
    return true;
}

enum { ROUTE = 256 /* links, at most; longer ways are not looked at */ };

static bool has_link(const inlay_id *links, inlay_id length, inlay_id link)
{
    inlay_id at = 0;
    while (at < length && links[at] != link) {
        at++;
    }
    return at < length;
}

/* Whether all messages meet on one link: it is on the way from every processor to the next one. */
static bool is_shared_medium(const inlay_machine *machine)
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

/* The way from the first processor to the last one, of a machine whose links carry bytes. */
static bool link_network(const inlay_machine *machine, inlay_grid_network *network)
{
    inlay_id links[ROUTE], last = inlay_machine_processors(machine) - 1;
    if (!inlay_machine_has_links(machine) || !inlay_machine_links_in_bytes(machine) ||
        !inlay_machine_links_known(machine) || inlay_machine_link_unit(machine) != INLAY_UNIT_S) {
        return false;
    }
    inlay_id length = inlay_machine_route(machine, 0, last, links, ROUTE);
    if (length < 1 || length > ROUTE) {
        return false;
    }
    for (inlay_id i = 0; i < length; i++) {
        inlay_machine_link link = inlay_machine_link_at(machine, links[i]);
        double each = 1 / link.capacity;
        network->latency += link.latency;
        network->per_byte =
            inlay_machine_cut_through(machine) ? fmax(network->per_byte, each) : network->per_byte + each;
    }
    network->wiring = is_shared_medium(machine) ? INLAY_GRID_SINGLE : INLAY_GRID_SWITCH;
    return true;
}

/* Measured times of messages have the frames in them. */
static void take_network(grid_fleet *fleet, const inlay_machine *machine)
{
    inlay_grid_network network = {0};
    inlay_duration latency = inlay_machine_latency(machine);
    if (bus_network(machine, &network) || link_network(machine, &network)) {
        network.latency += inlay_decimal_double(latency.value) * inlay_unit_seconds(latency.unit);
        fleet->network = network;
        fleet->networked = true;
    }
}

/* ---- Machines ---- */

/* Takes what was read, and frees it. */
static int take_machine(grid_fleet *fleet, int status, inlay_machine *machine)
{
    if (status == INLAY_OK) {
        status = add_processors(fleet, machine);
    }
    if (status == INLAY_OK) {
        take_network(fleet, machine);
    }
    inlay_machine_free(machine);
    return status;
}

int grid_fleet_add_machine(grid_fleet *fleet, const char *text_or_path)
{
    inlay_machine *machine = NULL;
    int status = inlay_machine_read(text_or_path, &machine, fleet->diag);
    return take_machine(fleet, status, machine);
}

int grid_fleet_add_machine_text(grid_fleet *fleet, const char *data, size_t size)
{
    inlay_machine *machine = NULL;
    int status = inlay_machine_read_memory(data, size, fleet->source, NULL, &machine, fleet->diag);
    return take_machine(fleet, status, machine);
}

/* ---- Metasystems ---- */

/* The processors that may be used; `rate` is instructions per time. */
static int add_cluster(grid_fleet *fleet, const inlay_metasystem *metasystem, const inlay_metasystem_cluster *cluster)
{
    double second = inlay_unit_seconds(metasystem->time_unit);
    if (second <= 0) {
        return diag_fail_at(fleet->diag, INLAY_BAD_INPUT, fleet->source, 0,
                            "cluster %s counts ticks; expected a unit of time", cluster->name);
    }
    if (cluster->rate <= 0) {
        return diag_fail_at(fleet->diag, INLAY_BAD_INPUT, fleet->source, 0,
                            "cluster %s has no rate; expected instructions per time", cluster->name);
    }
    int status = INLAY_OK;
    for (int32_t i = 0; i < cluster->total && status == INLAY_OK; i++) {
        bool usable = cluster->usable != NULL ? cluster->usable[i] : i < cluster->available;
        if (usable) {
            status = grid_fleet_add(fleet, 0, cluster->rate / second, cluster->name);
        }
    }
    return status;
}

int grid_fleet_add_metasystem(grid_fleet *fleet, const char *path)
{
    inlay_metasystem *metasystem = NULL;
    int status = inlay_metasystem_read(path, &metasystem, fleet->diag);
    for (size_t i = 0; status == INLAY_OK && i < metasystem->clusters; i++) {
        status = add_cluster(fleet, metasystem, &metasystem->cluster[i]);
    }
    inlay_metasystem_free(metasystem);
    return status;
}
