/* What the machine's network charges. */
#include "mapping/interconnect.h"
#include "base/decimal.h"
#include "base/diag.h"
#include <inlay/network.h>
#include <math.h>

double interconnect_unit_seconds(inlay_unit unit, double tick_seconds)
{
    return unit == INLAY_UNIT_TICK ? tick_seconds : inlay_unit_seconds(unit);
}

/* Units of the application in one `unit` of the machine; 0 where they do not compare. */
static double unit_ratio(const inlay_app *app, inlay_unit unit, double tick_seconds)
{
    inlay_unit own = inlay_app_unit(app);
    if (unit == own || unit == INLAY_UNIT_NONE) {
        return 1;
    }
    if (unit != INLAY_UNIT_TICK && own != INLAY_UNIT_TICK) {
        return pow(10, unit_power(unit, own));
    }
    double own_seconds = interconnect_unit_seconds(own, tick_seconds);
    return own_seconds > 0 ? interconnect_unit_seconds(unit, tick_seconds) / own_seconds : 0;
}

static int mixed_units(const inlay_machine *machine, const char *what, inlay_unit unit, const inlay_app *app,
                       inlay_diag *diag)
{
    diag_remedy(diag, "--tick", "1us");
    return diag_fail_at(diag, INLAY_BAD_INPUT, inlay_machine_text(machine), 0,
                        "%s is given per %s but application '%s' is in %s; expected the length of a tick (--tick 1us)",
                        what, inlay_unit_name(unit), inlay_app_name(app), inlay_unit_name(inlay_app_unit(app)));
}

static int set_capacity(interconnect *network, const inlay_app *app, double tick_seconds, inlay_diag *diag)
{
    const inlay_machine *machine = network->machine;
    bool ticks = inlay_app_unit(app) == INLAY_UNIT_TICK;
    inlay_rate rate;
    if (!inlay_machine_capacity(machine, &rate)) {
        network->free = !ticks;
        network->capacity = ticks ? 1 : INFINITY;
        if (network->free) {
            diag_warn(diag, "%s: no capacity is given, so messages cost nothing; capacity=1GB/s would set one",
                      inlay_machine_text(machine));
        }
        return INLAY_OK;
    }
    if (rate.per == INLAY_UNIT_NONE && !ticks) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, inlay_machine_text(machine), 0,
                            "capacity has no unit of time but application '%s' is in %s; expected for example "
                            "capacity=1GB/s or capacity=1000msg/s",
                            inlay_app_name(app), inlay_unit_name(inlay_app_unit(app)));
    }
    double ratio = unit_ratio(app, rate.per, tick_seconds);
    if (ratio <= 0) {
        return mixed_units(machine, "capacity", rate.per, app, diag);
    }
    network->in_bytes = rate.kind == INLAY_RATE_BYTES;
    network->capacity = rate.value / ratio;
    return INLAY_OK;
}

static int set_latency(interconnect *network, const inlay_app *app, double tick_seconds, inlay_diag *diag)
{
    inlay_duration latency = inlay_machine_latency(network->machine);
    double ratio = unit_ratio(app, latency.unit, tick_seconds);
    if (latency.value.digits > 0 && ratio <= 0) {
        return mixed_units(network->machine, "latency", latency.unit, app, diag);
    }
    network->latency = inlay_decimal_double(latency.value) * ratio;
    return INLAY_OK;
}

int interconnect_make(const inlay_app *app, const inlay_machine *machine, double tick_seconds, interconnect *result,
                      inlay_diag *diag)
{
    interconnect network = {.machine = machine,
                            .message_size = inlay_machine_message_size(machine),
                            .transfers = inlay_machine_transfers(machine),
                            .u_limit = 1};
    int status = set_capacity(&network, app, tick_seconds, diag);
    if (status == INLAY_OK) {
        status = set_latency(&network, app, tick_seconds, diag);
    }
    if (status == INLAY_OK) {
        *result = network;
    }
    return status;
}

int64_t interconnect_messages(const interconnect *network, int64_t messages, int64_t bytes)
{
    bool pieces = !network->in_bytes && network->message_size > 0 && bytes > 0;
    return pieces ? (bytes - 1) / network->message_size + 1 : messages;
}

int64_t interconnect_traffic(const interconnect *network, int64_t messages, int64_t bytes)
{
    return network->in_bytes ? bytes : interconnect_messages(network, messages, bytes);
}

double interconnect_utilisation(const interconnect *network, int64_t traffic, double time_frame)
{
    return network->free ? 0 : network->transfers * (double)traffic / (network->capacity * time_frame);
}

double interconnect_saturation_frame(const interconnect *network, int64_t traffic)
{
    return network->free ? 0 : network->transfers * (double)traffic / (network->capacity * network->u_limit);
}

int interconnect_at(const interconnect *network, int64_t traffic, double time_frame, network_point *point)
{
    network_point at = {.delay = 1};
    if (!network->free) {
        at.u = interconnect_utilisation(network, traffic, time_frame);
        if (!(at.u < network->u_limit)) {
            return INLAY_NO_ANSWER;
        }
        int status = inlay_bus_rate(inlay_machine_processors(network->machine), at.u, &at.rho, &at.delay);
        if (status != INLAY_OK) {
            return status;
        }
        at.tau = network->transfers * at.delay / network->capacity;
    }
    bool common = inlay_machine_memory_kind(network->machine) == INLAY_MEMORY_COMMON;
    if ((common ? inlay_bus_common_processor_rate(at.rho, &at.rho_processor)
                : inlay_bus_distributed_processor_rate(at.rho, &at.rho_processor)) != INLAY_OK) {
        at.rho_processor = NAN;
    }
    *point = at;
    return INLAY_OK;
}
