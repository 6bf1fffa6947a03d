/* The delay function of a machine's interconnect, in the machine's own units. */
#include "base/diag.h"
#include "base/memory.h"
#include "problem/interconnect.h"
#include <inlay/delay.h>
#include <math.h>
#include <stdlib.h>

struct inlay_delay {
    interconnect network;
    inlay_unit unit;
};

/* ---- Making ---- */

/* The unit that the machine itself counts time in. */
static inlay_unit own_unit(const inlay_machine *machine)
{
    inlay_rate rate;
    inlay_duration cycle;
    inlay_unit unit = INLAY_UNIT_NONE;
    if (inlay_machine_has_links(machine)) {
        unit = inlay_machine_link_unit(machine);
    } else if (inlay_machine_capacity(machine, &rate)) {
        unit = rate.per;
    } else if (inlay_machine_cycle(machine, &cycle)) {
        unit = cycle.unit;
    }
    return unit == INLAY_UNIT_NONE ? INLAY_UNIT_TICK : unit;
}

int inlay_delay_new(const inlay_machine *machine, inlay_delay **delay, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (machine == NULL || delay == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a delay function is that of a machine");
    }
    inlay_delay *made = memory_zeroed(1, sizeof *made);
    if (made == NULL) {
        return diag_no_memory(diag);
    }
    made->unit = own_unit(machine);
    int status = interconnect_make(machine, &(network_unit){.unit = made->unit}, &made->network, diag);
    if (status != INLAY_OK) {
        free(made);
        return status;
    }
    *delay = made;
    return INLAY_OK;
}

void inlay_delay_free(inlay_delay *delay)
{
    if (delay != NULL) {
        interconnect_clear(&delay->network);
        free(delay);
    }
}

/* ---- What it says of itself ---- */

const inlay_machine *inlay_delay_machine(const inlay_delay *delay)
{
    return delay->network.machine;
}

inlay_unit inlay_delay_unit(const inlay_delay *delay)
{
    return delay->unit;
}

bool inlay_delay_in_bytes(const inlay_delay *delay)
{
    return delay->network.in_bytes;
}

double inlay_delay_u_limit(const inlay_delay *delay)
{
    return delay->network.u_limit;
}

double inlay_delay_latency(const inlay_delay *delay)
{
    return delay->network.latency;
}

double inlay_delay_u_reachable(const inlay_delay *delay)
{
    double u = delay->network.u_limit;
    if (inlay_machine_model(delay->network.machine) == 2) {
        /* rho_p grows without bound as rho nears 1 */
        inlay_bus_utilisation(inlay_machine_processors(delay->network.machine), 1, &u, NULL, NULL);
    }
    return u;
}

/* ---- Points ---- */

static int refuse_number(const char *what, double number, inlay_diag *diag)
{
    return diag_fail(diag, INLAY_BAD_ARGUMENT, "%s %g; expected a number from 0 on", what, number);
}

static int refuse_saturated(const inlay_delay *delay, double u, inlay_diag *diag)
{
    char text[SATURATION_TEXT];
    return diag_fail_at(diag, INLAY_NO_ANSWER, inlay_machine_text(delay->network.machine), 0,
                        "the network is saturated: %s", interconnect_saturation_text(u, delay->network.u_limit, text));
}

static int finish(const inlay_delay *delay, int status, const network_point *at, inlay_delay_point *point,
                  inlay_diag *diag)
{
    if (status != INLAY_OK) {
        return diag_fail_at(diag, status, inlay_machine_text(delay->network.machine), 0,
                            "the delay passes the range of floating point");
    }
    *point = (inlay_delay_point){.u = at->u,
                                 .load = at->u / delay->network.u_limit,
                                 .rho = at->rho,
                                 .rho_processor = at->rho_processor,
                                 .delay = at->delay,
                                 .tau = at->tau};
    return INLAY_OK;
}

int inlay_delay_at_utilisation(const inlay_delay *delay, double u, inlay_delay_point *point, inlay_diag *diag)
{
    DIAG_CALL(diag);
    network_point at = {0};
    if (!(u >= 0) || !isfinite(u)) {
        return refuse_number("the utilisation is", u, diag);
    }
    if (!(u < delay->network.u_limit)) {
        return refuse_saturated(delay, u, diag);
    }
    return finish(delay, interconnect_at_utilisation(&delay->network, u, &at), &at, point, diag);
}

/* u that the rate would make in an omega network, whose links take no more than they are offered. */
static double offered(const inlay_delay *delay, double rho)
{
    const inlay_omega *omega = &delay->network.omega;
    bool common = inlay_machine_network(delay->network.machine) == INLAY_NETWORK_OMEGA;
    return rho * (double)(common ? omega->processors : omega->packets);
}

int inlay_delay_at_rate(const inlay_delay *delay, double rho, inlay_delay_point *point, inlay_diag *diag)
{
    DIAG_CALL(diag);
    network_point at = {0};
    if (!(rho >= 0) || !isfinite(rho)) {
        return refuse_number("the rate is", rho, diag);
    }
    int status = interconnect_at_rate(&delay->network, rho, &at);
    return status == INLAY_NO_ANSWER ? refuse_saturated(delay, offered(delay, rho), diag)
                                     : finish(delay, status, &at, point, diag);
}

/* What stands for the traffic where there are links: the time that the narrowest works for it. */
static double demand_of(const inlay_delay *delay, double traffic)
{
    network_point idle = {0};
    bool links = inlay_machine_has_links(delay->network.machine);
    return links && interconnect_at(&delay->network, 0, 1, &idle) == INLAY_OK ? traffic * idle.tau : traffic;
}

int inlay_delay_at_traffic(const inlay_delay *delay, double traffic, double time, inlay_delay_point *point,
                           inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (!(traffic >= 0) || !isfinite(traffic)) {
        return refuse_number("the traffic is", traffic, diag);
    }
    if (!(time > 0) || !isfinite(time)) {
        return refuse_number("the time frame is", time, diag);
    }
    return inlay_delay_at_utilisation(delay, interconnect_utilisation(&delay->network, demand_of(delay, traffic), time),
                                      point, diag);
}

/* ---- How far from the truth ---- */

int inlay_delay_known_error(const inlay_delay *delay, double rho, inlay_known_error *error)
{
    const interconnect *network = &delay->network;
    switch (inlay_machine_network(network->machine)) {
    case INLAY_NETWORK_MULTIBUS: return inlay_multibus_known_error(network->multibus, rho, error);
    case INLAY_NETWORK_OMEGA: return inlay_omega_known_error(&network->omega, rho, error);
    case INLAY_NETWORK_OMEGA_PE: return inlay_omega_pe_known_error(&network->omega, rho, error);
    case INLAY_NETWORK_BUS:
    case INLAY_NETWORK_LINKS: break; /* of one link, which is what it speaks of */
    }
    *error = (inlay_known_error){.known = true};
    return INLAY_OK;
}

bool inlay_delay_fixed_length_error(const inlay_delay *delay, const inlay_delay_point *point, double *least,
                                    double *most)
{
    int64_t k = inlay_machine_processors(delay->network.machine);
    double at_rate, at_u;
    if (inlay_machine_network(delay->network.machine) != INLAY_NETWORK_BUS ||
        inlay_bus_fixed_length(k, point->rho, NULL, &at_rate) != INLAY_OK) {
        return false;
    }
    if (inlay_bus_fixed_length_rate(k, point->u, NULL, &at_u) != INLAY_OK) {
        at_u = at_rate; /* a rate that leaves the bus no pause, to the last digit */
    }
    *least = point->delay / at_rate - 1;
    *most = point->delay / at_u - 1;
    return true;
}
