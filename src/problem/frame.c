/* The time frame T. */
#include "problem/frame.h"
#include "base/diag.h"
#include "base/plain.h"
#include <math.h>
#include <stdio.h>

/* Grains of work that the fastest processor does in a time; a hair's breadth below a whole number counts as that. */
static inlay_time at_speed(const problem *p, double time)
{
    double grains = time * p->kinds.speed * pow(10, inlay_app_decimals(p->app)) * (1 + 1e-14);
    return grains < 9e18 ? (inlay_time)grains : INT64_MAX;
}

frame frame_of(const problem *p, inlay_decimal exact, bool given)
{
    frame f = {.exact = decimal_normal(exact), .value = inlay_decimal_double(exact), .given = given};
    if (p->kinds.speed < 1 || p->kinds.speed > 1) {
        f.limit = at_speed(p, f.value);
    } else if (!decimal_floor_grains(exact, inlay_app_decimals(p->app), &f.limit)) {
        f.limit = INT64_MAX;
    }
    return f;
}

inlay_decimal frame_decimal(inlay_time grains, int decimals, double speed)
{
    inlay_decimal exact = {grains, decimals}, other;
    bool one = !(speed < 1) && !(speed > 1);
    return !one && inlay_decimal_from_double(inlay_decimal_double(exact) / speed, &other) == INLAY_OK ? other : exact;
}

frame frame_of_grains(const problem *p, inlay_time grains)
{
    frame f = frame_of(p, frame_decimal(grains, inlay_app_decimals(p->app), p->kinds.speed), false);
    f.limit = grains;
    return f;
}

int frame_from_options(const problem *p, frame *result, inlay_diag *diag)
{
    inlay_duration given = p->options.time_frame;
    inlay_unit own = inlay_app_unit(p->app);
    inlay_unit unit = given.unit == INLAY_UNIT_NONE ? own : given.unit;
    inlay_decimal exact;
    bool converted;
    if (given.value.digits <= 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "the time frame is not above 0; expected a time");
    }
    if ((unit == INLAY_UNIT_TICK) == (own == INLAY_UNIT_TICK)) {
        converted = decimal_shift(given.value, unit_power(unit, own), &exact);
    } else if (p->options.tick_seconds > 0) {
        double seconds = inlay_decimal_double(given.value) * interconnect_unit_seconds(unit, p->options.tick_seconds) /
                         interconnect_unit_seconds(own, p->options.tick_seconds);
        converted = inlay_decimal_from_double(seconds, &exact) == INLAY_OK;
    } else {
        diag_remedy(diag, "--tick", "1us");
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "the time frame is in %s but application '%s' is in %s; expected the length of a tick "
                         "(--tick 1us)",
                         inlay_unit_word(unit), inlay_app_name(p->app), inlay_unit_word(own));
    }
    if (!converted) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "the time frame has too many digits; expected at most 18");
    }
    *result = frame_of(p, exact, true);
    return INLAY_OK;
}

/* Unlike processors share the work as their speeds are. */
static int share_unlike(const problem *p, inlay_time largest_work, frame *result, inlay_diag *diag)
{
    double rate = kinds_rate(&p->kinds, p->processors), total = inlay_app_in_units(p->app, p->total_work);
    double share = rate > 0 ? total / rate : 0; /* no rate: modules take no time where they are fastest */
    inlay_decimal exact;
    *result = frame_of_grains(p, largest_work);
    if (result->value >= share) {
        return INLAY_OK;
    }
    if (inlay_decimal_from_double(share, &exact) != INLAY_OK) {
        return diag_fail(diag, INLAY_OVERFLOW, "the default time frame passes 64 bits; expected a larger unit");
    }
    *result = frame_of(p, exact, false);
    return INLAY_OK;
}

int frame_default(const problem *p, inlay_time largest_work, frame *result, inlay_diag *diag)
{
    if (!kinds_plain(&p->kinds)) {
        return share_unlike(p, largest_work, result, diag);
    }
    if (p->total_work / p->processors < largest_work) {
        *result = frame_of_grains(p, largest_work);
        return INLAY_OK;
    }
    if (p->total_work % p->processors == 0) {
        *result = frame_of_grains(p, p->total_work / p->processors);
        return INLAY_OK;
    }
    double share = inlay_app_in_units(p->app, p->total_work) / p->processors;
    inlay_decimal exact;
    if (inlay_decimal_from_double(share, &exact) != INLAY_OK) {
        return diag_fail(diag, INLAY_OVERFLOW, "the default time frame passes 64 bits; expected a larger unit");
    }
    *result = frame_of(p, exact, false);
    return INLAY_OK;
}

int frame_above_saturation(const problem *p, double traffic, frame *result, inlay_diag *diag)
{
    double bound = interconnect_saturation_frame(&p->network, traffic);
    char text[DOUBLE_TEXT];
    inlay_decimal exact;
    plain_print(text, sizeof text, "%.12g", bound);
    if (!isfinite(bound) || inlay_decimal_parse(text, &exact) != INLAY_OK) {
        return diag_fail(diag, INLAY_OVERFLOW, "the time frame that the traffic needs passes 64 bits");
    }
    /* one unit of the twelfth digit at a time: the first that stays below the limit */
    int places = 11 - (int)floor(log10(bound));
    places = places < exact.scale ? exact.scale : places > 18 ? 18 : places;
    while (exact.scale < places && exact.digits < INT64_MAX / 10) {
        exact.digits *= 10;
        exact.scale++;
    }
    while (!(interconnect_utilisation(&p->network, traffic, inlay_decimal_double(exact)) < p->network.u_limit)) {
        if (exact.digits == INT64_MAX) {
            return diag_fail(diag, INLAY_OVERFLOW, "the time frame that the traffic needs passes 64 bits");
        }
        exact.digits++;
    }
    *result = frame_of(p, exact, false);
    return INLAY_OK;
}

frame frame_eased(const problem *p, const frame *raised)
{
    inlay_decimal exact = raised->exact;
    if (exact.digits > INT64_MAX / 2) {
        return *raised;
    }
    exact.digits *= 2;
    return frame_of(p, exact, raised->given);
}
