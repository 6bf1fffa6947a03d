/* What would work where `inlay delay` was asked beyond the limit of a network. */
#include "delay.h"
#include "report.h"
#include <inlay/inlay.h>
#include <math.h>
#include <stdlib.h>

/* The load that is offered where nothing that was asked for lies below the limit. */
static const double safe_load = 0.95;

/* ---- What is to blame ---- */

/* Whether every machine has that point. */
static bool is_answered(const delay_question *q, const inlay_delay_ask *ask)
{
    inlay_delay_point point;
    for (size_t i = 0; i < q->count; i++) {
        if (inlay_delay_at(q->delays[i], ask, &point, NULL) != INLAY_OK) {
            return false;
        }
    }
    return true;
}

/* The only option with points that are not answered; INLAY_DELAY_POINTS where there are several. */
static inlay_delay_source find_source(const delay_question *q)
{
    inlay_delay_source source = INLAY_DELAY_POINTS;
    for (size_t i = 0; i < q->points; i++) {
        const inlay_delay_ask *ask = &q->asks[i];
        if (ask->source == source || is_answered(q, ask)) {
            continue;
        }
        if (source != INLAY_DELAY_POINTS) {
            return INLAY_DELAY_POINTS;
        }
        source = ask->source;
    }
    return source;
}

/* ---- What would work ---- */

/* What an option says of a machine at a load that is safe. */
static double safe_value(const inlay_delay *delay, inlay_delay_source source)
{
    inlay_delay_point point = {0};
    double u = safe_load * inlay_delay_u_limit(delay);
    (void)inlay_delay_at_utilisation(delay, u, &point, NULL);
    return source == INLAY_DELAY_LOAD ? safe_load : (source == INLAY_DELAY_RATE ? point.rho : u);
}

/* The numbers of a list that are answered; where none is, one that every machine answers. */
static void put_list(FILE *to, const delay_question *q, inlay_delay_source source)
{
    const char *comma = "";
    for (size_t i = 0; i < q->points; i++) {
        const inlay_delay_ask *ask = &q->asks[i];
        if (ask->source == source && is_answered(q, ask)) {
            say(to, "%s%.15g", comma, ask->value);
            comma = ",";
        }
    }
    double least = INFINITY;
    for (size_t i = 0; i < q->count; i++) {
        least = fmin(least, safe_value(q->delays[i], source));
    }
    if (comma[0] == '\0') {
        say(to, "%.3g", least);
    }
}

/* The load that the traffic makes within -T, also where it is beyond the limit; NaN beyond all measure. */
static double offered_load(const inlay_delay *delay, const inlay_delay_ask *ask)
{
    static const double longer = 1e12; /* u falls as the time grows, so that there is a point */
    inlay_delay_point point;
    double time = longer * inlay_delay_ask_time(delay, ask);
    int status = inlay_delay_at_traffic(delay, inlay_delay_ask_traffic(delay, ask), time, &point, NULL);
    return status == INLAY_OK ? longer * point.load : NAN;
}

/* The time frame, in its own unit, in which the traffic makes a safe load; nothing where there is none. */
static void put_time(FILE *to, const delay_question *q)
{
    const inlay_delay_ask *ask = &q->asks[q->points - 1];
    double most = 0;
    for (size_t i = 0; i < q->count; i++) {
        double load = offered_load(q->delays[i], ask);
        most = load > most ? load : most;
    }
    if (isfinite(most) && most > 0) {
        say(to, "%.3g%s", inlay_decimal_double(ask->time.value) * most / safe_load, inlay_unit_name(ask->time.unit));
    }
}

void delay_say_remedy(const invocation *call, const delay_question *q)
{
    inlay_delay_source source = find_source(q);
    char name[32] = "-T", *value = NULL;
    size_t size = 0;
    FILE *to = source == INLAY_DELAY_POINTS ? NULL : open_memstream(&value, &size);
    if (to == NULL) {
        return;
    }
    if (source == INLAY_DELAY_TRAFFIC) {
        put_time(to, q);
    } else {
        put_list(to, q, source);
        (void)snprintf(name, sizeof name, "--%s", inlay_delay_source_name(source));
    }
    if (fclose(to) == 0 && size > 0) {
        report_remedy(call, name, value);
    }
    free(value);
}
