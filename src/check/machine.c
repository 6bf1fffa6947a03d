/* The machine's network in the application's unit of time. */
#include "check/check.h"

#include <math.h>
#include <string.h>

/* Seconds of a unit; 0 for ticks of unknown length. */
static double seconds(const check *k, inlay_unit unit)
{
    return unit == INLAY_UNIT_TICK ? k->tick_seconds : inlay_unit_seconds(unit);
}

/* How many units of the application one `unit` is; 0 where that is unknown. A bare number is in the application's. */
static double units_of_app(const check *k, inlay_unit unit)
{
    inlay_unit own = inlay_app_unit(k->app);
    if (unit == own || unit == INLAY_UNIT_NONE) return 1;
    return seconds(k, own) > 0 ? seconds(k, unit) / seconds(k, own) : 0;
}

/* A time of the machine; false where it does not compare with the application's. */
static bool in_app_units(check *k, const char *what, inlay_duration time, double *value)
{
    double length = units_of_app(k, time.unit);
    *value = inlay_decimal_double(time.value) * length;
    if (length > 0 || time.value.digits == 0) return true;
    check_find(k, "the machine's %s and the application's times mix ticks and seconds without tick_seconds", what);
    return false;
}

/* ---- Buses: models 1 to 3 ---- */

/* D counts transfers, of which C fit into a unit of time; without a capacity one, where times are in ticks. */
static bool read_buses(check *k, bool ticks)
{
    check_network *network = &k->network;
    double transfers = inlay_machine_transfers(k->machine), capacity = 1;
    inlay_rate rate;

    network->processors = inlay_machine_processors(k->machine);
    if (inlay_machine_capacity(k->machine, &rate)) {
        double per = rate.per == INLAY_UNIT_NONE ? (ticks ? 1 : 0) : units_of_app(k, rate.per);
        if (per <= 0) {
            check_find(k, "the machine's capacity cannot be expressed in the application's unit of time");
            return false;
        }
        network->in_bytes = rate.kind == INLAY_RATE_BYTES;
        capacity = rate.value / per;
    } else if (!ticks) {
        network->free = true;
        return true;
    }
    network->share = transfers / capacity;
    network->tau_rise = transfers / capacity;
    return true;
}

/* ---- Omega networks: models 4 and 5 ---- */

/* st, with n^st = k. */
static int stages(int64_t processors, int64_t inputs)
{
    int count = 0;
    for (int64_t reached = 1; reached < processors; reached *= inputs)
        count++;
    return count;
}

/*
 * Model 4: D = st transit + (m - 1) cycle + cycle x st m^2 (1 - 1/n) rho / (2 (1 - m rho)), with the load m rho. Model 5:
 * D = m st (1 - 1/n) u / (2 (1 - u)) cycles of waiting, with the load u; a message takes cycle x (st + m - 1 + D).
 */
static void set_omega(check *k, double cycle, double transit)
{
    check_network *network = &k->network;
    double transfers = inlay_machine_transfers(k->machine);
    double packets = inlay_machine_packets(k->machine), inputs = inlay_machine_switch(k->machine);
    double processors = inlay_machine_processors(k->machine);
    int st = stages(inlay_machine_processors(k->machine), inlay_machine_switch(k->machine));
    long double waiting = (long double)st * packets * (1 - 1 / (long double)inputs) / 2;

    if (inlay_machine_network(k->machine) == INLAY_NETWORK_OMEGA) {
        network->share = transfers * cycle;
        network->delay_least = st * transit + (packets - 1) * cycle;
        network->delay_rise = cycle * waiting;
        network->tau_rise = transfers;
    } else {
        network->share = transfers * packets * cycle / processors;
        network->delay_rise = waiting;
        network->tau_least = transfers * cycle * (st + packets - 1);
        network->tau_rise = transfers * cycle;
    }
}

static bool read_omega(check *k, bool ticks)
{
    check_network *network = &k->network;
    bool pe = inlay_machine_network(k->machine) == INLAY_NETWORK_OMEGA_PE;
    double packets = inlay_machine_packets(k->machine), processors = inlay_machine_processors(k->machine);
    inlay_duration cycle = {{1, 0}, INLAY_UNIT_TICK}, transit;
    double cycle_length = 0, transit_length = 0;

    network->open = true;
    network->limit = pe ? 1 : processors / packets;
    network->rho_share = 1 / (long double)(pe ? packets : processors);
    if (!inlay_machine_cycle(k->machine, &cycle) && !ticks) {
        network->free = true;
        return true;
    }
    if (!inlay_machine_transit(k->machine, &transit)) transit = cycle;
    if (!in_app_units(k, "cycle", cycle, &cycle_length) || !in_app_units(k, "transit", transit, &transit_length))
        return false;
    set_omega(k, cycle_length, transit_length);
    return true;
}

/* ---- Links ---- */

/*
 * Every link has its own capacity and latency, counted in the machine's unit. Where none has a capacity, one carries a
 * message a tick; in seconds messages are free, but for latencies.
 */
static bool read_links(check *k, bool ticks)
{
    check_network *network = &k->network;
    double length = units_of_app(k, inlay_machine_link_unit(k->machine));
    bool known = inlay_machine_links_known(k->machine), latent = false;
    for (inlay_id l = 0; l < inlay_machine_links(k->machine) && !latent; l++)
        latent = inlay_machine_link_at(k->machine, l).latency > 0;
    if ((known || latent) && length <= 0) {
        check_find(k, "the machine's links and the application's times mix ticks and seconds without tick_seconds");
        return false;
    }
    network->limit = 1;
    network->free = !known && !ticks;
    network->in_bytes = inlay_machine_links_in_bytes(k->machine);
    const inlay_sharing *sharing = inlay_machine_sharing(k->machine);
    network->link_time = inlay_machine_transfers(k->machine) * (known ? length : 1);
    network->link_latency = length;
    if (sharing) {
        network->link_time /= sharing->bandwidth_factor;
        network->link_latency *= sharing->latency_factor;
    }
    return true;
}

/* ---- What a run costs ---- */

/* Null or a text. */
static void check_currency(check *k, const json_t *run, const char *currency)
{
    bool null;
    const json_t *said = check_field_or_null(k, "run", run, "currency", CHECK_STRING, &null);
    check_counted(k, 1);
    if (null ? currency != NULL : said && (!currency || strcmp(json_string_value(said), currency) != 0))
        check_find(k, "run: currency is '%s', the file says '%.100s'", currency ? currency : "null",
                   said ? json_string_value(said) : "null");
}

void check_run(check *k)
{
    double hour = 0, watts = 0;
    bool priced = inlay_machine_price(k->machine, &hour), powered = inlay_machine_power(k->machine, &watts);
    double length = seconds(k, inlay_app_unit(k->app));
    double elapsed = length > 0 ? k->elapsed * length : NAN, used = 0;

    if (!priced && !powered) {
        if (json_object_get(k->root, "run")) check_find(k, "run: the machine tells neither price nor power");
        return;
    }
    const json_t *run = check_field(k, NULL, k->root, "run", CHECK_OBJECT);
    if (!run) return;
    for (inlay_id c = 0; c < k->clusters; c++)
        used += elapsed; /* the same for every processor, busy or not */
    check_number(k, "run", run, "seconds", elapsed);
    check_number(k, "run", run, "price", priced ? used * hour / 3600 : NAN);
    check_number(k, "run", run, "energy", powered ? used * watts : NAN);
    check_currency(k, run, inlay_machine_currency(k->machine));
}

double check_unit_length(const check *k, inlay_unit unit)
{
    return units_of_app(k, unit);
}

double check_app_units(const check *k, inlay_duration time)
{
    return inlay_decimal_double(time.value) * units_of_app(k, time.unit);
}

/* Whether the bandwidths of memory are by a unit that compares with the application's. */
static bool compare_bandwidths(check *k)
{
    inlay_rate rate[2];
    (void)inlay_machine_memory_bandwidth(k->machine, &rate[0], &rate[1]);
    for (int i = 0; i < 2; i++)
        if (rate[i].value > 0 && !(units_of_app(k, rate[i].per) > 0)) {
            check_find(
                k, "the bandwidth of memory and the application's times mix ticks and seconds without tick_seconds");
            return false;
        }
    return true;
}

/* Whether all times of it compare with the application's. */
static bool compare_pieces(check *k, const char *what, const inlay_pieces *pieces)
{
    double value;
    for (int i = 0; i < pieces->count; i++)
        if (!in_app_units(k, what, pieces->piece[i].time, &value) ||
            !in_app_units(k, what, pieces->piece[i].per_byte, &value))
            return false;
    return true;
}

bool check_machine(check *k)
{
    bool ticks = inlay_app_unit(k->app) == INLAY_UNIT_TICK;
    if (!in_app_units(k, "latency", inlay_machine_latency(k->machine), &k->network.latency) || !compare_bandwidths(k) ||
        !compare_pieces(k, "latency_by_size", inlay_machine_latency_by_size(k->machine)) ||
        !compare_pieces(k, "o_send", inlay_machine_send_overhead(k->machine)) ||
        !compare_pieces(k, "o_recv", inlay_machine_receive_overhead(k->machine)))
        return false;
    switch (inlay_machine_network(k->machine)) {
    case INLAY_NETWORK_BUS:
    case INLAY_NETWORK_MULTIBUS: return read_buses(k, ticks);
    case INLAY_NETWORK_OMEGA:
    case INLAY_NETWORK_OMEGA_PE: return read_omega(k, ticks);
    case INLAY_NETWORK_LINKS: break;
    }
    return read_links(k, ticks);
}
