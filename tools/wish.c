/* --deadline, --budget and --objective. */
#include "wish.h"
#include "report.h"
#include <inlay/inlay.h>

bool wish_read_price(const char *text, double *price)
{
    inlay_decimal value;
    if (inlay_decimal_parse(text, &value) != INLAY_OK || value.digits < 0) {
        return false;
    }
    *price = inlay_decimal_double(value);
    return true;
}

int wish_read(const invocation *call, const wish_values *values, inlay_wish *wish)
{
    bool named = call->given[command_find_option(call->command, "--objective")] != NULL;
    *wish = (inlay_wish){.has_deadline = values->deadline != NULL,
                         .has_budget = values->budget != NULL,
                         .by = (inlay_advise_by)values->objective};
    wish->wanted = named || wish->has_deadline || wish->has_budget;
    if (wish->has_budget && !wish_read_price(values->budget, &wish->budget)) {
        return report_usage(call->command, "--budget '%s' is no price; expected a number from 0 such as 2.50",
                            values->budget);
    }
    if (wish->has_deadline &&
        (inlay_seconds_parse(values->deadline, &wish->deadline) != INLAY_OK || !(wish->deadline > 0))) {
        return report_usage(call->command,
                            "--deadline '%s' is no time; expected one above 0 with s, min, h or d, such as 90min",
                            values->deadline);
    }
    return EXIT_DONE;
}
