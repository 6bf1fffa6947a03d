/* --traffic and -T of `inlay delay`. */
#include "delay.h"
#include "report.h"
#include <inlay/inlay.h>
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

inlay_delay_ask delay_traffic(const delay_values *values)
{
    inlay_delay_ask ask = {
        .source = INLAY_DELAY_TRAFFIC, .bare = is_bare(values->traffic), .time = values->time_frame.value};
    (void)read_amount(values->traffic, &ask.traffic);
    return ask;
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

int delay_check_units(const invocation *call, const delay_question *q)
{
    const delay_values *values = call->values;
    const inlay_delay_ask *ask = &q->asks[q->points - 1];
    for (size_t i = 0; values->traffic != NULL && i < q->count; i++) {
        const inlay_delay *delay = q->delays[i];
        const char *machine = inlay_machine_text(q->machines[i]);
        if (inlay_delay_ask_traffic(delay, ask) <= 0) {
            return report_usage(call->command, "--traffic %s: %s counts %s; expected %s", values->traffic, machine,
                                inlay_delay_unit_of_traffic(delay),
                                inlay_delay_in_bytes(delay) ? "bytes" : "messages, or its message_size");
        }
        if (inlay_delay_ask_time(delay, ask) <= 0) {
            bool ticks = inlay_delay_unit(delay) == INLAY_UNIT_TICK;
            return report_usage(call->command, "-T: the times of %s are in %s; expected a time in %s", machine,
                                inlay_unit_word(inlay_delay_unit(delay)), ticks ? "ticks" : "s, ms, us or ns");
        }
    }
    return EXIT_DONE;
}
