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
static bool is_answered(const delay_values *values, const delay_study *study, const delay_ask *ask)
{
    inlay_delay_point point;
    for (size_t i = 0; i < study->function_count; i++) {
        if (delay_evaluate(values, &study->functions[i], ask, &point, NULL) != INLAY_OK) {
            return false;
        }
    }
    return true;
}

/* The only option with points that are not answered; FROM_POINTS where there are several. */
static delay_source find_source(const delay_values *values, const delay_study *study)
{
    delay_source source = FROM_POINTS;
    for (size_t i = 0; i < study->ask_count; i++) {
        const delay_ask *ask = &study->asks[i];
        if (ask->source == source || is_answered(values, study, ask)) {
            continue;
        }
        if (source != FROM_POINTS) {
            return FROM_POINTS;
        }
        source = ask->source;
    }
    return source;
}

/* ---- What would work ---- */

/* What an option says of a function at a load that is safe. */
static double safe_value(const delay_function *of, delay_source source)
{
    inlay_delay_point point = {0};
    double u = safe_load * inlay_delay_u_limit(of->delay);
    (void)inlay_delay_at_utilisation(of->delay, u, &point, NULL);
    return source == FROM_LOAD ? safe_load : (source == FROM_RATE ? point.rho : u);
}

/* The numbers of a list that are answered; where none is, one that every machine answers. */
static void put_list(FILE *to, const delay_values *values, const delay_study *study, delay_source source)
{
    const char *comma = "";
    for (size_t i = 0; i < study->ask_count; i++) {
        const delay_ask *ask = &study->asks[i];
        if (ask->source == source && is_answered(values, study, ask)) {
            say(to, "%s%.15g", comma, ask->value);
            comma = ",";
        }
    }
    double least = INFINITY;
    for (size_t i = 0; i < study->function_count; i++) {
        least = fmin(least, safe_value(&study->functions[i], source));
    }
    if (comma[0] == '\0') {
        say(to, "%.3g", least);
    }
}

/* The time frame, in its own unit, in which the traffic makes a safe load; nothing where there is none. */
static void put_time(FILE *to, const delay_values *values, const delay_study *study)
{
    const inlay_duration *time = &values->time_frame.value;
    double most = 0;
    for (size_t i = 0; i < study->function_count; i++) {
        double load = delay_offered_load(values, &study->functions[i]);
        most = load > most ? load : most;
    }
    if (isfinite(most) && most > 0) {
        say(to, "%.3g%s", inlay_decimal_double(time->value) * most / safe_load, inlay_unit_name(time->unit));
    }
}

void delay_say_remedy(const invocation *call, const delay_study *study)
{
    const delay_values *values = call->values;
    delay_source source = find_source(values, study);
    char name[32] = "-T", *value = NULL;
    size_t size = 0;
    FILE *to = source == FROM_POINTS ? NULL : open_memstream(&value, &size);
    if (to == NULL) {
        return;
    }
    if (source == FROM_TRAFFIC) {
        put_time(to, values, study);
    } else {
        put_list(to, values, study, source);
        (void)snprintf(name, sizeof name, "--%s", delay_source_name(source));
    }
    if (fclose(to) == 0 && size > 0) {
        report_remedy(call, name, value);
    }
    free(value);
}
