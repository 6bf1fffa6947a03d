/* What a simulation answers. */
#include "simulate/simulation.h"
#include <math.h>
#include <stdio.h>

const inlay_mapping *inlay_simulation_mapping(const inlay_simulation *simulation)
{
    return simulation->plan.mapping;
}

const inlay_simulation_options *inlay_simulation_chosen(const inlay_simulation *simulation)
{
    return &simulation->plan.options;
}

const inlay_simulation_summary *inlay_simulation_result(const inlay_simulation *simulation)
{
    return &simulation->summary;
}

const double *inlay_simulation_makespans(const inlay_simulation *simulation, int64_t *count)
{
    *count = simulation->summary.replications;
    return simulation->makespan;
}

bool inlay_simulation_shares_cores(const inlay_simulation *simulation)
{
    inlay_id cores = simulation->plan.options.cores;
    return cores > 0 && cores < inlay_mapping_summary(simulation->plan.mapping)->clusters;
}

double inlay_simulation_estimate_error(const inlay_simulation *simulation)
{
    double makespan = simulation->summary.makespan;
    double estimate = inlay_mapping_summary(simulation->plan.mapping)->estimate;
    return makespan > 0 && !inlay_simulation_shares_cores(simulation) ? (estimate - makespan) / makespan : NAN;
}

inlay_simulated_processor inlay_simulation_processor(const inlay_simulation *simulation, inlay_id cluster)
{
    return simulation->processor[cluster];
}

/* ---- Resources ---- */

const char *inlay_resource_kind_name(inlay_resource_kind kind)
{
    static const char *const names[] = {"bus", "memory", "switch", "sender", "link"};
    return names[kind];
}

size_t inlay_simulation_resources(const inlay_simulation *simulation)
{
    return simulation->resources;
}

inlay_resource inlay_simulation_resource(const inlay_simulation *simulation, size_t i)
{
    const plan *p = &simulation->plan;
    double replications = (double)simulation->summary.replications;
    size_t senders = simulation->resources - (plan_has_senders(p) ? (size_t)p->processors : 0);
    bool bus_memory = p->fabric.kind == FABRIC_BUS && i == 1 && i < senders;
    const resource_sum *sum = &simulation->resource[bus_memory ? 0 : i];
    inlay_resource result = {.largest_queue = sum->largest,
                             .utilisation = sum->utilisation / replications,
                             .mean_queue = sum->mean_queue / replications};
    if (i < senders) {
        fabric_name(&p->fabric, i, &result);
    } else {
        result.kind = INLAY_RESOURCE_SENDER;
        result.stage = -1;
        result.index = p->processor[i - senders].processor;
        (void)snprintf(result.name, sizeof result.name, "sender %d", result.index);
    }
    result.transfers = (int64_t)((double)sum->requests / replications + 0.5);
    result.mean_delay = sum->requests > 0 ? sum->delay / (double)sum->requests / p->grain : 0;
    return result;
}

bool inlay_simulation_busiest_link(const inlay_simulation *simulation, inlay_resource *resource)
{
    const plan *p = &simulation->plan;
    bool found = false;
    size_t busiest = 0;
    for (size_t i = 0; p->fabric.kind == FABRIC_LINKS && i < simulation->resources; i++) {
        bool queues = !p->links->link[i].parallel;
        if (queues && (!found || simulation->resource[i].utilisation > simulation->resource[busiest].utilisation)) {
            found = true;
            busiest = i;
        }
    }
    if (found) {
        *resource = inlay_simulation_resource(simulation, busiest);
    }
    return found;
}

/* ---- The recorded run ---- */

bool inlay_simulation_recorded(const inlay_simulation *simulation)
{
    return simulation->plan.options.record;
}

double inlay_simulation_recorded_makespan(const inlay_simulation *simulation)
{
    return simulation->recorded_makespan;
}

double inlay_simulation_start(const inlay_simulation *simulation, inlay_id module)
{
    return inlay_simulation_recorded(simulation) ? simulation->record.start[module] : NAN;
}

bool inlay_simulation_plan_distance(const inlay_simulation *simulation, inlay_plan_distance *result)
{
    return inlay_simulation_recorded(simulation) &&
           mapping_plan_distance(inlay_simulation_mapping(simulation), simulation->record.start, result);
}

double inlay_simulation_end(const inlay_simulation *simulation, inlay_id module)
{
    return inlay_simulation_recorded(simulation) ? simulation->record.end[module] : NAN;
}

const inlay_simulated_message *inlay_simulation_messages(const inlay_simulation *simulation, size_t *count)
{
    *count = simulation->record.messages;
    return simulation->record.message;
}

const char *inlay_step_name(inlay_step_kind kind)
{
    static const char *const names[] = {"compute", "wait", "queue", "transfer", "overhead"};
    return names[kind];
}

const inlay_step *inlay_simulation_path(const inlay_simulation *simulation, size_t *count)
{
    *count = simulation->steps;
    return simulation->step;
}
