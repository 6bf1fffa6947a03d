/* The simulated elapsed time beside the estimate. */
#include "simulated.h"
#include <inlay/inlay.h>
#include <math.h>

/* Places in the words of --simulate. */
enum { SIMULATE_AUTO, SIMULATE_YES, SIMULATE_NO };

/* Up to so many modules and transfers `auto` simulates: a second's work. */
enum { MODULES_MOST = 100000, TRANSFERS_MOST = 1000000 };

int64_t simulated_most(const mapping_values *values, const inlay_app *app)
{
    switch (values->simulate) {
    case SIMULATE_YES: return INT64_MAX;
    case SIMULATE_NO: return 0;
    default: return inlay_app_modules(app) <= MODULES_MOST ? TRANSFERS_MOST : 0;
    }
}

/* A message takes `transfers` turns in the network. */
static bool is_small(const inlay_mapping *mapping, int64_t most)
{
    double messages = (double)inlay_mapping_summary(mapping)->messages;
    return messages * inlay_machine_transfers(inlay_mapping_machine(mapping)) <= (double)most;
}

int simulated_run(const mapping_values *values, const inlay_mapping *mapping, inlay_simulation **simulation,
                  inlay_diag *diag)
{
    const inlay_simulation_options options = {.seed = values->common.seed, .threads = 1};
    int64_t most = simulated_most(values, inlay_mapping_app(mapping));
    *simulation = NULL;
    if (most == 0 || !is_small(mapping, most)) {
        return INLAY_OK;
    }
    bool may_fail = values->simulate == SIMULATE_AUTO;
    int status = inlay_simulate(mapping, &options, simulation, may_fail ? NULL : diag);
    return may_fail && status != INLAY_NO_MEMORY ? INLAY_OK : status;
}

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
