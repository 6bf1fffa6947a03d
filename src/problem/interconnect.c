/* What the machine's network charges. */
#include "problem/interconnect.h"
#include "base/decimal.h"
#include "base/diag.h"
#include "base/plain.h"
#include <math.h>
#include <stdio.h>

/* ---- Units ---- */

double interconnect_unit_seconds(inlay_unit unit, double tick_seconds)
{
    return unit == INLAY_UNIT_TICK ? tick_seconds : inlay_unit_seconds(unit);
}

/* How many of the units in force are one `unit` of the machine; 0 where they do not compare. */
static double unit_ratio(const network_unit *in, inlay_unit unit)
{
    if (unit == in->unit || unit == INLAY_UNIT_NONE) {
        return 1;
    }
    if (unit != INLAY_UNIT_TICK && in->unit != INLAY_UNIT_TICK) {
        return pow(10, unit_power(unit, in->unit));
    }
    double own_seconds = interconnect_unit_seconds(in->unit, in->tick_seconds);
    return own_seconds > 0 ? interconnect_unit_seconds(unit, in->tick_seconds) / own_seconds : 0;
}

/* `what`, `words`: "capacity is given per", "s" */
static int mixed_units(const inlay_machine *machine, const char *what, const char *words, const network_unit *in,
                       inlay_diag *diag)
{
    if (in->of == NULL) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, inlay_machine_text(machine), 0,
                            "%s %s, other times of the machine in %s; expected all in ticks or none", what, words,
                            inlay_unit_word(in->unit));
    }
    diag_remedy(diag, "--tick", "1us");
    return diag_fail_at(diag, INLAY_BAD_INPUT, inlay_machine_text(machine), 0,
                        "%s %s but application '%s' is in %s; expected the length of a tick (--tick 1us)", what, words,
                        in->of, inlay_unit_word(in->unit));
}

/* A time of the machine in the unit in force. */
static int convert(const interconnect *network, const char *what, inlay_duration time, const network_unit *in,
                   double *result, inlay_diag *diag)
{
    double ratio = unit_ratio(in, time.unit);
    if (time.value.digits > 0 && ratio <= 0) {
        return mixed_units(network->machine, what, inlay_unit_word(time.unit), in, diag);
    }
    *result = inlay_decimal_double(time.value) * ratio;
    return INLAY_OK;
}

static int convert_pieces(const interconnect *network, const char *what, const inlay_pieces *pieces,
                          const network_unit *in, interconnect_curve *result, inlay_diag *diag)
{
    int status = INLAY_OK;
    result->count = pieces->count;
    for (int i = 0; status == INLAY_OK && i < pieces->count; i++) {
        const inlay_piece *piece = &pieces->piece[i];
        result->piece[i].size = (double)piece->size;
        status = convert(network, what, piece->time, in, &result->piece[i].time, diag);
        if (status == INLAY_OK) {
            status = convert(network, what, piece->per_byte, in, &result->piece[i].per_byte, diag);
        }
    }
    return status;
}

int interconnect_bandwidths(interconnect *network, const network_unit *in, inlay_diag *diag)
{
    inlay_rate rate[2];
    double *result[] = {&network->memory_bandwidth, &network->core_bandwidth};
    (void)inlay_machine_memory_bandwidth(network->machine, &rate[0], &rate[1]);
    for (int i = 0; i < 2; i++) {
        double ratio = unit_ratio(in, rate[i].per);
        if (rate[i].value > 0 && ratio <= 0) {
            return mixed_units(network->machine, "the bandwidth of memory is given per", inlay_unit_name(rate[i].per),
                               in, diag);
        }
        *result[i] = rate[i].value > 0 ? rate[i].value / ratio : 0;
    }
    return INLAY_OK;
}

/* ---- Making ---- */

static void warn_free(const interconnect *network, const char *what, inlay_diag *diag)
{
    diag_warn(diag, "%s: no %s is given, so messages cost nothing; %s would set one",
              inlay_machine_text(network->machine), what,
              network->omega.processors > 0                           ? "cycle=50ns"
              : inlay_machine_family(network->machine) == INLAY_GRAPH ? "capacity=1GB/s at its links"
                                                                      : "capacity=1GB/s");
}

/* Buses: the rate of one bus. */
static int set_capacity(interconnect *network, const network_unit *in, inlay_diag *diag)
{
    const inlay_machine *machine = network->machine;
    bool ticks = in->unit == INLAY_UNIT_TICK;
    inlay_rate rate;
    if (!inlay_machine_capacity(machine, &rate)) {
        network->free = !ticks;
        network->capacity = ticks ? 1 : INFINITY;
        if (network->free) {
            warn_free(network, "capacity", diag);
        }
        return INLAY_OK;
    }
    if (rate.per == INLAY_UNIT_NONE && !ticks) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, inlay_machine_text(machine), 0,
                            "capacity has no unit of time but application '%s' is in %s; expected for example "
                            "capacity=1GB/s or capacity=1000msg/s",
                            in->of, inlay_unit_name(in->unit));
    }
    double ratio = unit_ratio(in, rate.per);
    if (ratio <= 0) {
        return mixed_units(machine, "capacity is given per", inlay_unit_name(rate.per), in, diag);
    }
    network->in_bytes = rate.kind == INLAY_RATE_BYTES;
    network->capacity = rate.value / ratio;
    return INLAY_OK;
}

/* Omega networks: a packet a cycle on every link. */
static int set_cycle(interconnect *network, const network_unit *in, inlay_diag *diag)
{
    const inlay_machine *machine = network->machine;
    inlay_omega *omega = &network->omega;
    inlay_duration cycle, transit;
    int status = INLAY_OK;
    *omega = (inlay_omega){.processors = inlay_machine_processors(machine),
                           .switch_size = inlay_machine_switch(machine),
                           .packets = inlay_machine_packets(machine)};
    if (inlay_machine_cycle(machine, &cycle)) {
        status = convert(network, "cycle is given in", cycle, in, &omega->cycle, diag);
    } else if (in->unit == INLAY_UNIT_TICK) {
        omega->cycle = 1;
    } else {
        network->free = true;
        warn_free(network, "cycle", diag);
    }
    omega->transit = omega->cycle;
    if (status == INLAY_OK && inlay_machine_transit(machine, &transit)) {
        status = convert(network, "transit is given in", transit, in, &omega->transit, diag);
    }
    bool common = inlay_machine_network(machine) == INLAY_NETWORK_OMEGA;
    network->capacity = common ? 1 / omega->cycle : (double)omega->processors / ((double)omega->packets * omega->cycle);
    network->u_limit = common ? inlay_omega_limit(omega) : 1;
    network->near = common ? 0 : inlay_machine_switch(machine);
    return status;
}

/* Model 3 looks at every number of requests up to k in up to min(m, 2k) ways; more than this would take minutes. */
static int check_size(const interconnect *network, inlay_diag *diag)
{
    static const double most_steps = 2e10;
    double k = inlay_machine_processors(network->machine), m = inlay_machine_memories(network->machine);
    return k * fmin(m, 2 * k) <= most_steps
               ? INLAY_OK
               : diag_fail_at(diag, INLAY_OVERFLOW, inlay_machine_text(network->machine), 0,
                              "the delay of %.0f processors and %.0f memories takes too long to compute; expected "
                              "processors x memories of at most %.0e",
                              k, m, most_steps);
}

static int set_buses(interconnect *network, const network_unit *in, inlay_diag *diag)
{
    const inlay_machine *machine = network->machine;
    network->u_limit = 1;
    if (inlay_machine_network(machine) == INLAY_NETWORK_MULTIBUS) {
        int status = check_size(network, diag);
        if (status != INLAY_OK) {
            return status;
        }
        inlay_multibus_model model = inlay_machine_occupancy(machine) ? INLAY_MULTIBUS_OCCUPANCY : INLAY_MULTIBUS_PAPER;
        status = inlay_multibus_new(inlay_machine_processors(machine), inlay_machine_memories(machine),
                                    inlay_machine_buses(machine), model, &network->multibus);
        if (status == INLAY_NO_MEMORY) {
            return diag_no_memory(diag);
        }
        if (status != INLAY_OK) {
            return diag_fail_at(diag, status, inlay_machine_text(machine), 0,
                                "the numbers of partitions pass the range of floating point; expected fewer "
                                "processors or model=occupancy");
        }
        network->u_limit = inlay_multibus_limit(network->multibus);
    }
    return set_capacity(network, in, diag);
}

/* Links: times and capacities of each are the machine's, in ticks or in seconds. */
static int set_links(interconnect *network, const network_unit *in, inlay_diag *diag)
{
    const inlay_machine *machine = network->machine;
    inlay_unit unit = inlay_machine_link_unit(machine);
    bool known = inlay_machine_links_known(machine), latent = false;
    for (inlay_id l = 0; l < inlay_machine_links(machine) && !latent; l++) {
        latent = inlay_machine_link_at(machine, l).latency > 0;
    }
    double ratio = unit_ratio(in, unit);
    if ((known || latent) && ratio <= 0) {
        return mixed_units(machine, known ? "capacities are given per" : "latencies are given in",
                           known ? inlay_unit_name(unit) : inlay_unit_word(unit), in, diag);
    }
    network->free = !known && in->unit != INLAY_UNIT_TICK;
    network->in_bytes = inlay_machine_links_in_bytes(machine);
    network->capacity = network->transfers; /* the demand counts them already */
    network->u_limit = 1;
    const inlay_sharing *sharing = inlay_machine_sharing(machine);
    network->link_capacity = (known ? 1 / ratio : 1) * (sharing == NULL ? 1 : sharing->bandwidth_factor);
    network->link_latency = latent ? ratio * (sharing == NULL ? 1 : sharing->latency_factor) : 0;
    if (network->free) {
        warn_free(network, "capacity", diag);
    }
    return INLAY_OK;
}

static int set_network(interconnect *network, const network_unit *in, inlay_diag *diag)
{
    if (inlay_machine_has_links(network->machine)) {
        return set_links(network, in, diag);
    }
    return inlay_machine_switch(network->machine) > 0 ? set_cycle(network, in, diag) : set_buses(network, in, diag);
}

interconnect interconnect_counting(const inlay_machine *machine, bool in_bytes)
{
    return (interconnect){.machine = machine,
                          .in_bytes = in_bytes,
                          .message_size = inlay_machine_message_size(machine),
                          .transfers = inlay_machine_transfers(machine),
                          .rendezvous_above = inlay_machine_rendezvous_above(machine)};
}

int interconnect_make(const inlay_machine *machine, const network_unit *unit, interconnect *result, inlay_diag *diag)
{
    interconnect network = interconnect_counting(machine, false);
    int status = set_network(&network, unit, diag);
    if (status == INLAY_OK) {
        status = convert(&network, "latency is given in", inlay_machine_latency(machine), unit, &network.latency, diag);
    }
    if (status == INLAY_OK) {
        status = convert_pieces(&network, "latency_by_size is given in", inlay_machine_latency_by_size(machine), unit,
                                &network.latency_by_size, diag);
    }
    if (status == INLAY_OK) {
        status = convert_pieces(&network, "o_send is given in", inlay_machine_send_overhead(machine), unit,
                                &network.o_send, diag);
    }
    if (status == INLAY_OK) {
        status = convert_pieces(&network, "o_recv is given in", inlay_machine_receive_overhead(machine), unit,
                                &network.o_recv, diag);
    }
    if (status == INLAY_OK) {
        status = interconnect_bandwidths(&network, unit, diag);
    }
    if (status != INLAY_OK) {
        interconnect_clear(&network);
        return status;
    }
    *result = network;
    return INLAY_OK;
}

void interconnect_clear(interconnect *network)
{
    inlay_multibus_free(network->multibus);
    network->multibus = NULL;
}

/* ---- Traffic ---- */

int64_t interconnect_messages(const interconnect *network, int64_t messages, int64_t bytes)
{
    bool pieces = !network->in_bytes && network->message_size > 0 && bytes > 0;
    return pieces ? (bytes - 1) / network->message_size + 1 : messages;
}

int64_t interconnect_traffic(const interconnect *network, int64_t messages, int64_t bytes)
{
    return network->in_bytes ? bytes : interconnect_messages(network, messages, bytes);
}

/* Messages that a link sends where it crosses: bytes alone are one. */
static int64_t messages_sent(const interconnect *network, int64_t messages, int64_t bytes)
{
    int64_t sent = interconnect_messages(network, messages, bytes);
    return sent > 0 ? sent : network->in_bytes && bytes > 0;
}

bool interconnect_waits(const interconnect *network, int64_t messages, int64_t bytes)
{
    int64_t sent = messages_sent(network, messages, bytes);
    return network->rendezvous_above < INT64_MAX && sent > 0 &&
           (double)bytes / (double)sent > (double)network->rendezvous_above;
}

double interconnect_along(const interconnect_curve *curve, const interconnect *network, int64_t messages, int64_t bytes)
{
    int at = curve->count - 1;
    int64_t sent = at < 0 ? 0 : messages_sent(network, messages, bytes);
    if (sent == 0) {
        return 0;
    }
    double size = (double)bytes / (double)sent;
    while (at > 0 && curve->piece[at].size > size) {
        at--;
    }
    return (double)sent * (curve->piece[at].time + size * curve->piece[at].per_byte);
}

double interconnect_latency(const interconnect *network, int64_t messages, int64_t bytes)
{
    return (double)interconnect_messages(network, messages, bytes) * network->latency +
           interconnect_along(&network->latency_by_size, network, messages, bytes);
}

double interconnect_utilisation(const interconnect *network, double traffic, double time_frame)
{
    return network->free ? 0 : network->transfers * traffic / (network->capacity * time_frame);
}

double interconnect_saturation_frame(const interconnect *network, double traffic)
{
    return network->free ? 0 : network->transfers * traffic / (network->capacity * network->u_limit);
}

char *interconnect_saturation_text(double u, double u_limit, char text[SATURATION_TEXT])
{
    double over = u - u_limit;
    if (!(over > 0)) {
        plain_print(text, SATURATION_TEXT, "u would be at its limit %.6g", u_limit);
        return text;
    }
    plain_print(text, SATURATION_TEXT, "u would be %.6g, above its limit %.6g by %.3g (%.3g %%)", u, u_limit, over,
                100 * over / u_limit);
    return text;
}

/* ---- Delay ---- */

/* The least capacity of a link. */
static double narrowest(const inlay_machine *machine)
{
    double least = INFINITY;
    for (inlay_id l = 0; l < inlay_machine_links(machine); l++) {
        least = fmin(least, inlay_machine_link_at(machine, l).capacity);
    }
    return least;
}

/* Time of one unit of traffic over distance 1; with links, over the narrowest at that utilisation. */
static double unit_time(const interconnect *network, double delay)
{
    const inlay_omega *omega = &network->omega;
    int stages = 0;
    switch (inlay_machine_network(network->machine)) {
    case INLAY_NETWORK_BUS:
    case INLAY_NETWORK_MULTIBUS: return network->transfers * delay / network->capacity;
    case INLAY_NETWORK_OMEGA: return network->transfers * delay;
    case INLAY_NETWORK_OMEGA_PE:
        inlay_omega_stages(omega->processors, omega->switch_size, &stages);
        return network->transfers * omega->cycle * ((double)stages + (double)omega->packets - 1 + delay);
    case INLAY_NETWORK_LINKS: break;
    }
    return network->transfers * delay / (network->link_capacity * narrowest(network->machine));
}

/* rho_p, the rate of one processor's own thinking. */
static double processor_rate(const interconnect *network, double rho)
{
    double rate = rho;
    switch (inlay_machine_model(network->machine)) {
    case 1: inlay_bus_common_processor_rate(rho, &rate); break;
    case 2:
        if (inlay_bus_distributed_processor_rate(rho, &rate) != INLAY_OK) {
            return NAN;
        }
        break;
    default: break;
    }
    return rate;
}

static void complete(const interconnect *network, network_point *at)
{
    at->tau = network->free ? 0 : unit_time(network, at->delay);
    at->rho_processor = processor_rate(network, at->rho);
}

static inlay_link_queue link_queue(const interconnect *network)
{
    return inlay_machine_exponential(network->machine) ? INLAY_LINK_MM1 : INLAY_LINK_MD1;
}

int interconnect_at_utilisation(const interconnect *network, double u, network_point *point)
{
    network_point at = {.u = u};
    int status = INLAY_BAD_ARGUMENT;
    switch (inlay_machine_network(network->machine)) {
    case INLAY_NETWORK_BUS:
        status = inlay_bus_rate(inlay_machine_processors(network->machine), u, &at.rho, &at.delay);
        break;
    case INLAY_NETWORK_MULTIBUS: status = inlay_multibus_rate(network->multibus, u, &at.rho, &at.delay); break;
    case INLAY_NETWORK_OMEGA: status = inlay_omega_rate(&network->omega, u, &at.rho, &at.delay); break;
    case INLAY_NETWORK_OMEGA_PE: status = inlay_omega_pe_rate(&network->omega, u, &at.rho, &at.delay); break;
    case INLAY_NETWORK_LINKS:
        at.rho = u;
        status = inlay_link_delay(link_queue(network), u, &at.delay);
        break;
    }
    if (status == INLAY_OK) {
        complete(network, &at);
        *point = at;
    }
    return status;
}

int interconnect_at_rate(const interconnect *network, double rho, network_point *point)
{
    network_point at = {.rho = rho};
    int status = INLAY_BAD_ARGUMENT;
    switch (inlay_machine_network(network->machine)) {
    case INLAY_NETWORK_BUS:
        status = inlay_bus_utilisation(inlay_machine_processors(network->machine), rho, &at.u, NULL, &at.delay);
        break;
    case INLAY_NETWORK_MULTIBUS:
        status = inlay_multibus_utilisation(network->multibus, rho, &at.u, &at.delay, NULL);
        break;
    case INLAY_NETWORK_OMEGA: status = inlay_omega_utilisation(&network->omega, rho, &at.u, &at.delay); break;
    case INLAY_NETWORK_OMEGA_PE: status = inlay_omega_pe_utilisation(&network->omega, rho, &at.u, &at.delay); break;
    case INLAY_NETWORK_LINKS:
        at.u = rho;
        status = inlay_link_delay(link_queue(network), rho, &at.delay);
        break;
    }
    if (status == INLAY_OK) {
        complete(network, &at);
        *point = at;
    }
    return status;
}

int interconnect_at(const interconnect *network, double traffic, double time_frame, network_point *point)
{
    double u = interconnect_utilisation(network, traffic, time_frame);
    return u < network->u_limit ? interconnect_at_utilisation(network, u, point) : INLAY_NO_ANSWER;
}
