/* The elapsed time of a mapping: simulated, or where that takes too long a screen. */
#include "search/elapsed.h"
#include "base/diag.h"
#include "simulate/simulation.h"
#include <inlay/bounds.h>
#include <math.h>

/* Whether what processors hold at their peak may be more than they have, which only a record tells. */
static bool holds_copies(const inlay_mapping *m)
{
    bool copied = inlay_app_data(m->app) > 0 && m->summary.options.copies == INLAY_COPIES_ONCE;
    for (inlay_id c = 0; copied && c < m->summary.clusters; c++) {
        if (inlay_machine_processor(m->machine, m->clusters[c].processor).memory >= 0) {
            return true;
        }
    }
    return false;
}

/* What a simulation says of a mapping beside its time. */
static void keep_answers(inlay_mapping *m, const inlay_simulation *simulation, inlay_diag *diag)
{
    mapping_set_elapsed(m, inlay_simulation_result(simulation)->makespan, INLAY_ELAPSED_SIMULATED);
    if (m->planned != NULL) {
        (void)mapping_plan_distance(m, simulation->record.start, &m->plan_distance);
    }
    if (inlay_app_has_deadlines(m->app)) {
        mapping_warn_deadlines(m, simulation->record.start, simulation->record.end, diag);
    }
    simulation_warn_peaks(simulation, diag);
}

/* One pass, whose error has a band. */
static int screen(inlay_mapping *m, inlay_diag *diag)
{
    double elapsed = NAN;
    int status = inlay_mapping_screen(m, INLAY_CONTENTION_QUEUES, &elapsed, diag);
    mapping_set_elapsed(m, elapsed, INLAY_ELAPSED_SCREEN);
    (void)mapping_plan_distance(m, m->start, &m->plan_distance);
    mapping_warn_deadlines(m, m->start, NULL, diag);
    return status;
}

/* A transfer takes an event at least. */
static bool passes(const inlay_mapping *m, int64_t most)
{
    return (double)m->summary.messages * inlay_machine_transfers(m->machine) > (double)most;
}

/* Whether runs follow each other as closely as the application wants. */
static void warn_of_period(const inlay_mapping *m, inlay_diag *diag)
{
    double wanted = inlay_app_period(m->app);
    if (diag != NULL && wanted > 0) {
        double least = inlay_mapping_least_period(m).of_placement.value;
        if (least > wanted * (1 + 1e-12)) {
            diag_warn(diag, "the period of %.10g %s is missed: the least of this placement is %.10g", wanted,
                      inlay_unit_word(inlay_app_unit(m->app)), least);
        }
    }
}

int mapping_time(inlay_mapping *mapping, inlay_diag *diag)
{
    const inlay_options *o = &mapping->summary.options;
    const inlay_simulation_options options = {.seed = o->seed,
                                              .threads = 1,
                                              .max_events = o->max_events > 0 ? o->max_events : INLAY_MAX_EVENTS,
                                              .record = mapping->planned != NULL || holds_copies(mapping) ||
                                                        inlay_app_has_deadlines(mapping->app)};
    inlay_simulation *simulation = NULL;
    warn_of_period(mapping, diag);
    bool too_long = o->max_events < 0 || passes(mapping, options.max_events);
    int status = too_long ? INLAY_NO_ANSWER : inlay_simulate(mapping, &options, &simulation, NULL);
    if (status == INLAY_NO_ANSWER) {
        return screen(mapping, diag);
    }
    if (status != INLAY_OK) {
        return status == INLAY_NO_MEMORY ? diag_no_memory(diag) : inlay_simulate(mapping, &options, &simulation, diag);
    }
    keep_answers(mapping, simulation, diag);
    inlay_simulation_free(simulation);
    return INLAY_OK;
}

int mapping_timed(const inlay_app *app, const inlay_machine *machine, const inlay_options *options,
                  inlay_mapping **mapping, inlay_diag *diag)
{
    int status = mapping_find(app, machine, options, mapping, diag);
    if (status == INLAY_OK && (status = mapping_time(*mapping, diag)) != INLAY_OK) {
        inlay_mapping_free(*mapping);
        *mapping = NULL;
    }
    return status;
}
