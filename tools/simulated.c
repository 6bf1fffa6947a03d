/* The simulated elapsed time beside the estimate. */
#include "simulated.h"
#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>

double simulated_time(const inlay_simulation *simulation)
{
    return simulation != NULL ? inlay_simulation_result(simulation)->makespan : NAN;
}

char *simulated_error_text(double estimate, double simulated, char text[ERROR_TEXT])
{
    double hundredths = round(1e4 * (estimate - simulated) / simulated);
    if (!isfinite(hundredths)) {
        (void)snprintf(text, ERROR_TEXT, "-");
    } else {
        (void)snprintf(text, ERROR_TEXT, hundredths == 0 ? "0.00 %%" : "%+.2f %%", hundredths / 100);
    }
    return text;
}
