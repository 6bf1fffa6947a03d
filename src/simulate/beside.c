/* The simulated elapsed time beside an estimate. */
#include "base/diag.h"
#include <inlay/simulate.h>

/* Up to so many modules and transfers a simulation is a second's work. */
enum { MODULES_MOST = 100000, TRANSFERS_MOST = 1000000 };

int64_t inlay_beside_most(inlay_beside when, const inlay_app *app)
{
    switch (when) {
    case INLAY_BESIDE_ALWAYS: return INT64_MAX;
    case INLAY_BESIDE_SMALL: return inlay_app_modules(app) <= MODULES_MOST ? TRANSFERS_MOST : 0;
    case INLAY_BESIDE_NEVER: break;
    }
    return 0;
}

int inlay_simulate_beside(const inlay_mapping *mapping, inlay_beside when, uint64_t seed, inlay_simulation **simulation,
                          inlay_diag *diag)
{
    DIAG_CALL(diag);
    const inlay_simulation_options options = {.seed = seed, .threads = 1};
    int64_t most = inlay_beside_most(when, inlay_mapping_app(mapping));
    double messages = (double)inlay_mapping_summary(mapping)->messages;
    *simulation = NULL;
    if (most == 0 || messages * inlay_machine_transfers(inlay_mapping_machine(mapping)) > (double)most) {
        return INLAY_OK;
    }
    bool may_fail = when == INLAY_BESIDE_SMALL;
    int status = inlay_simulate(mapping, &options, simulation, may_fail ? NULL : diag);
    return may_fail && status != INLAY_NO_MEMORY ? INLAY_OK : status;
}
