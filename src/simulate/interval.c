/* How sure a makespan is: further runs that draw what the machine says of its own figures. */
#include "base/diag.h"
#include "base/memory.h"
#include "simulate/replicate.h"
#include "simulate/simulation.h"
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

typedef struct doubting {
    const inlay_simulation *s;
    double *makespan; /* of every run, in units */
    inlay_diag *diag;
} doubting;

static int run_one(void *own, int64_t replication)
{
    return run_replication(own, replication, NULL);
}

static void merge_one(void *whole, const void *own, int64_t replication)
{
    const doubting *d = whole;
    d->makespan[replication] = ((const run *)own)->last / d->s->plan.grain;
}

static void refuse_one(void *whole, const void *own)
{
    run_refuse(own, ((const doubting *)whole)->diag);
}

static int run_all(doubting *d)
{
    const plan *p = &d->s->plan;
    int threads = p->options.threads < INLAY_INTERVAL_RUNS ? p->options.threads : INLAY_INTERVAL_RUNS, made = 0;
    run *own = memory_zeroed((size_t)threads, sizeof *own);
    void **list = memory_array((size_t)threads, sizeof *list);
    int status = own != NULL && list != NULL ? INLAY_OK : diag_no_memory(d->diag);
    while (status == INLAY_OK && made < threads) {
        list[made] = &own[made];
        status = run_make(p, &own[made], d->diag);
        made += status == INLAY_OK;
        status = status == INLAY_OK && !run_doubt(&own[made - 1]) ? diag_no_memory(d->diag) : status;
    }
    if (status == INLAY_OK) {
        const replication_job job = {run_one, merge_one, refuse_one, d};
        status = replicate(&job, list, threads, INLAY_INTERVAL_RUNS);
    }
    for (int t = 0; t < made; t++) {
        run_clear(&own[t]);
    }
    free(own);
    free(list);
    return status;
}

static bool doubts_anything(const inlay_machine *machine)
{
    const inlay_doubts doubts = inlay_machine_doubts(machine);
    return doubts.time_spread > 0 || doubts.time_error > 0 || doubts.network_error > 0;
}

int simulation_find_interval(inlay_simulation *s, inlay_diag *diag)
{
    const double outside = (1 - s->plan.options.confidence) / 2;
    s->summary.low = s->summary.high = NAN;
    if (!s->plan.options.interval || !doubts_anything(inlay_mapping_machine(s->plan.mapping))) {
        return INLAY_OK;
    }
    doubting d = {s, memory_array(INLAY_INTERVAL_RUNS, sizeof *d.makespan), diag};
    int status = d.makespan == NULL ? diag_no_memory(diag) : run_all(&d);
    if (status == INLAY_OK) {
        gsl_sort(d.makespan, 1, INLAY_INTERVAL_RUNS);
        s->summary.low = gsl_stats_quantile_from_sorted_data(d.makespan, 1, INLAY_INTERVAL_RUNS, outside);
        s->summary.high = gsl_stats_quantile_from_sorted_data(d.makespan, 1, INLAY_INTERVAL_RUNS, 1 - outside);
    }
    free(d.makespan);
    return status;
}

void inlay_mapping_interval(const inlay_mapping *mapping, double *low, double *high)
{
    enum { MOST_EVENTS = 20000 }; /* two hundred times as many take a second or two */
    const inlay_summary *sum = inlay_mapping_summary(mapping);
    const inlay_simulation_options options = {.seed = sum->options.seed, .interval = true};
    inlay_simulation *simulation = NULL;
    bool short_enough = inlay_app_modules(inlay_mapping_app(mapping)) + sum->messages <= MOST_EVENTS;
    *low = *high = NAN;
    if (doubts_anything(inlay_mapping_machine(mapping)) && short_enough && sum->elapsed_is == INLAY_ELAPSED_SIMULATED &&
        inlay_simulate(mapping, &options, &simulation, NULL) == INLAY_OK) {
        *low = inlay_simulation_result(simulation)->low;
        *high = inlay_simulation_result(simulation)->high;
        inlay_simulation_free(simulation);
    }
}
