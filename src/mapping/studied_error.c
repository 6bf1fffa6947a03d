/* How far estimates were from simulated times, where that is far. */
#include "mapping/studied_error.h"
#include "base/diag.h"

/*
 * Last table of docs/studies/estimate.md: bands of loads, from 0, 0.3 and 0.6 on, in which the mean error is above 10 %.
 * By rising load. Above 0.9, where the study does not go, errors are no smaller than below it.
 */
static const studied_error errors[] = {
    {3, 0.6, 0.14, 0.95}, {4, 0.3, 0.25, -0.76}, {4, 0.6, 0.46, 2.68}, {5, 0.3, 0.28, 1.81}, {5, 0.6, 0.86, 6.17},
};

const studied_error *studied_error_at(const inlay_machine *machine, double load)
{
    const studied_error *found = NULL;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (errors[i].model == inlay_machine_model(machine) && load >= errors[i].from) {
            found = &errors[i];
        }
    }
    return found;
}

void studied_error_warn(const inlay_machine *machine, double load, inlay_diag *diag)
{
    const studied_error *error = studied_error_at(machine, load);
    if (error != NULL) {
        diag_warn(diag,
                  "at load %.2f the estimate is uncertain: from load %.1f on estimates for model %d (%s) were off by "
                  "%.0f %% on average and %+.0f %% at worst; look at the simulated time",
                  load, error->from, error->model, inlay_family_name(inlay_machine_family(machine)), 100 * error->mean,
                  100 * error->worst);
    }
}
