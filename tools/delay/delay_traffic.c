/* --traffic and -T of `inlay delay`, in the units of a machine. */
#include "delay.h"
#include "report.h"
#include <inlay/inlay.h>
#include <math.h>
#include <string.h>

/* --traffic: a rate without its time. */
static bool read_amount(const char *text, inlay_rate *amount)
{
    return inlay_rate_parse(text, amount) == INLAY_OK && amount->per == INLAY_UNIT_NONE;
}

/* A bare number counts what the machine's capacity counts. */
static bool is_bare(const char *text)
{
    return text[strspn(text, "0123456789+-.eE")] == '\0';
}

double delay_traffic(const delay_values *values, const delay_function *of)
{
    inlay_rate amount;
    bool in_bytes = inlay_delay_in_bytes(of->delay);
    double size = (double)inlay_machine_message_size(of->machine);
    if (!read_amount(values->traffic, &amount)) {
        return 0;
    }
    if (is_bare(values->traffic) || in_bytes == (amount.kind == INLAY_RATE_BYTES)) {
        return amount.value;
    }
    return !in_bytes && size > 0 ? ceil(amount.value / size) : 0;
}

double delay_time(const delay_values *values, const delay_function *of)
{
    const inlay_duration *time = &values->time_frame.value;
    inlay_unit own = inlay_delay_unit(of->delay);
    double value = inlay_decimal_double(time->value), seconds = inlay_unit_seconds(own);
    if (time->unit == own || time->unit == INLAY_UNIT_NONE) {
        return value;
    }
    return seconds > 0 ? value * (inlay_unit_seconds(time->unit) / seconds) : 0;
}

double delay_offered_load(const delay_values *values, const delay_function *of)
{
    static const double longer = 1e12; /* u falls as the time grows, so that there is a point */
    inlay_delay_point point;
    double time = longer * delay_time(values, of);
    int status = inlay_delay_at_traffic(of->delay, delay_traffic(values, of), time, &point, NULL);
    return status == INLAY_OK ? longer * point.load : NAN;
}

int delay_check_amount(const invocation *call)
{
    const delay_values *values = call->values;
    inlay_rate amount;
    if (values->traffic == NULL && values->time_frame.given) {
        return report_usage(call->command, "-T goes with --traffic AMOUNT");
    }
    if (values->traffic != NULL && !read_amount(values->traffic, &amount)) {
        return report_usage(call->command, "--traffic %s: expected an amount above 0, such as 500, 500msg or 64MiB",
                            values->traffic);
    }
    if (values->traffic != NULL && !values->time_frame.given) {
        return report_usage(call->command, "--traffic %s: expected -T, the time in which it passes", values->traffic);
    }
    return EXIT_DONE;
}

int delay_check_units(const invocation *call, const delay_study *study)
{
    const delay_values *values = call->values;
    for (size_t i = 0; values->traffic != NULL && i < study->function_count; i++) {
        const delay_function *of = &study->functions[i];
        const char *machine = inlay_machine_text(of->machine);
        if (delay_traffic(values, of) <= 0) {
            return report_usage(call->command, "--traffic %s: %s counts %s; expected %s", values->traffic, machine,
                                delay_unit_of_traffic(of),
                                inlay_delay_in_bytes(of->delay) ? "bytes" : "messages, or its message_size");
        }
        if (delay_time(values, of) <= 0) {
            bool ticks = inlay_delay_unit(of->delay) == INLAY_UNIT_TICK;
            return report_usage(call->command, "-T: the times of %s are in %s; expected a time in %s", machine,
                                unit_word(inlay_delay_unit(of->delay)), ticks ? "ticks" : "s, ms, us or ns");
        }
    }
    return EXIT_DONE;
}
