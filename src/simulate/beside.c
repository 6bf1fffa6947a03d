/* The simulated elapsed time beside an estimate. */
#include "base/diag.h"
#include "simulate/simulation.h"

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

/* Whether what processors hold at their peak may be more than they have, which only a record tells. */
static bool holds_copies(const inlay_mapping *mapping)
{
    const inlay_machine *machine = inlay_mapping_machine(mapping);
    bool copied = inlay_app_data(inlay_mapping_app(mapping)) > 0 &&
                  inlay_mapping_summary(mapping)->options.copies == INLAY_COPIES_ONCE;
    bool bounded = false;
    for (inlay_id c = 0; copied && !bounded && c < inlay_mapping_summary(mapping)->clusters; c++) {
        bounded = inlay_machine_processor(machine, inlay_mapping_cluster(mapping, c).processor).memory >= 0;
    }
    return bounded;
}

int inlay_simulate_beside(const inlay_mapping *mapping, inlay_beside when, uint64_t seed, inlay_simulation **simulation,
                          inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_simulation_options options = {.seed = seed, .threads = 1, .record = holds_copies(mapping)};
    int64_t most = inlay_beside_most(when, inlay_mapping_app(mapping));
    double messages = (double)inlay_mapping_summary(mapping)->messages;
    *simulation = NULL;
    if (most == 0 || messages * inlay_machine_transfers(inlay_mapping_machine(mapping)) > (double)most) {
        return INLAY_OK;
    }
    bool may_fail = when == INLAY_BESIDE_SMALL;
    int status = inlay_simulate(mapping, &options, simulation, may_fail ? NULL : diag);
    if (status == INLAY_OK && may_fail) {
        simulation_warn_peaks(*simulation, diag);
    }
    return may_fail && status != INLAY_NO_MEMORY ? INLAY_OK : status;
}
