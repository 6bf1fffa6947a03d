/* How a schedule bears times that are not exact. */
#include "search/risk.h"
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <inlay/simulate.h>
#include <math.h>
#include <string.h>

static const double spreads[] = {INLAY_RISK_SPREADS};

enum { SPREADS = sizeof spreads / sizeof *spreads };

static double quantile(const inlay_simulation *simulation)
{
    int64_t count;
    const double *makespan = inlay_simulation_makespans(simulation, &count);
    double sorted[INLAY_RISK_REPLICATIONS];
    memcpy(sorted, makespan, (size_t)count * sizeof *sorted);
    gsl_sort(sorted, 1, (size_t)count);
    return gsl_stats_quantile_from_sorted_data(sorted, 1, (size_t)count, 0.9);
}

int risk_of(const inlay_mapping *mapping, inlay_risk by, int64_t max_events, double *risk)
{
    const inlay_options *o = &inlay_mapping_summary(mapping)->options;
    double sum = 0;
    for (int k = 0; k < SPREADS; k++) {
        const inlay_spread spread = {INLAY_SPREAD_NORMAL, spreads[k]};
        const inlay_simulation_options options = {.module_time = spread,
                                                  .transfer_time = spread,
                                                  .seed = o->seed,
                                                  .threads = o->threads,
                                                  .replications = INLAY_RISK_REPLICATIONS,
                                                  .max_events = max_events};
        inlay_simulation *simulation = NULL;
        int status = inlay_simulate(mapping, &options, &simulation, NULL);
        double one = NAN;
        if (status == INLAY_OK) {
            one = by == INLAY_RISK_Q90 ? quantile(simulation) : inlay_simulation_result(simulation)->makespan;
        }
        inlay_simulation_free(simulation);
        if (status == INLAY_NO_MEMORY) {
            return status;
        }
        sum += one;
    }
    *risk = sum / SPREADS;
    return INLAY_OK;
}
