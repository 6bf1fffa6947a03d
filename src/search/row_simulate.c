/* The simulated elapsed time of a row: its clusters become a mapping, as in inlay_map(). */
#include "search/row_simulate.h"
#include "layout/memories.h"
#include <inlay/simulate.h>
#include <math.h>

static int make_mapping(const problem *p, placement *place, inlay_mapping **mapping)
{
    /* where processors differ in distance the sweep has laid them out already */
    int status = inlay_machine_has_distance(p->machine) ? INLAY_OK : placement_lay_out(p, place, NULL);
    status = status == INLAY_OK ? memories_fill(p, place, NULL, NULL) : status;
    return status == INLAY_OK ? mapping_without_cost(p, place, mapping, NULL) : status;
}

int row_simulate(const problem *p, placement *place, uint64_t seed, double *simulated)
{
    const inlay_simulation_options options = {.seed = seed, .threads = 1};
    inlay_mapping *mapping = NULL;
    inlay_simulation *simulation = NULL;
    int status = make_mapping(p, place, &mapping);
    status = status == INLAY_OK ? inlay_simulate(mapping, &options, &simulation, NULL) : status;
    if (status != INLAY_NO_MEMORY) {
        *simulated = status == INLAY_OK ? inlay_simulation_result(simulation)->makespan : NAN;
        status = INLAY_OK;
    }
    inlay_simulation_free(simulation);
    inlay_mapping_free(mapping);
    return status;
}
