/*
 * What the files of `inlay delay` share: the delay functions of machines, all at the same list of points.
 */
#ifndef TOOLS_DELAY_H
#define TOOLS_DELAY_H

#include "options.h"
#include <inlay/delay.h>

typedef struct delay_values {
    common_values common;
    const char *utilisation, *load, *rate; /**< lists for next_number() */
    const char *traffic;
    duration_value time_frame;
    inlay_id points;
    const char *csv, *svg;
} delay_values;

/** What was asked, and of which machines. */
typedef struct delay_question {
    inlay_delay_ask *asks; /**< ours, like all that follow */
    size_t points;
    inlay_machine **machines;
    const inlay_delay **delays; /**< of the machines; as many of both are there as were read */
    size_t count;
} delay_question;

/** The ask of --traffic and -T, which are well written. */
inlay_delay_ask delay_traffic(const delay_values *values);

/** Whether --traffic and -T are well written, and can be told in the units of every machine. Exit statuses. */
int delay_check_amount(const invocation *call);
int delay_check_units(const invocation *call, const delay_question *q);

/** After a saturated network: the user's own command changed so that it works, where one option is to blame. */
void delay_say_remedy(const invocation *call, const delay_question *q);

/** The table for people. A status of the library. */
int delay_print_table(const cli_answer *a);

#endif
