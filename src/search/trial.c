/* A schedule as it would be handed over, and what it is judged by. */
#include "search/trial.h"
#include "layout/memories.h"
#include "mapping/mapping.h"
#include "mapping/solve.h"
#include "search/elapsed.h"
#include <math.h>

static const double rounding = 1e-12;

int trial_compare(const trial *a, const trial *b)
{
    double hair = rounding * fmax(fabs(a->period), fabs(b->period));
    if (fabs(a->period - b->period) > hair) {
        return a->period < b->period ? -1 : 1;
    }
    return (a->elapsed > b->elapsed) - (a->elapsed < b->elapsed);
}

int trial_make(const problem *p, const inlay_id *processor_of, const inlay_id *order, inlay_mapping **mapping,
               double *period)
{
    const frame none = {.limit = INT64_MAX};
    attempt a;
    placement place = {0};
    int status = attempt_of_places(p, processor_of, order, &a, NULL);
    if (status != INLAY_OK) {
        return status;
    }
    status = attempt_place(p, &none, &a, &place, NULL);
    if (status == INLAY_OK) {
        status = memories_fill(p, &place, NULL, NULL);
        status = status == INLAY_OK ? mapping_without_cost(p, &place, mapping, NULL) : status;
        if (status == INLAY_OK && period != NULL) {
            status = mapping_find_period(p, &place, *mapping, period);
        }
        placement_clear(&place);
    }
    attempt_clear(&a);
    return status;
}

/* A mapping cannot be run where blocks find no memory. */
int trial_judge(const problem *p, const inlay_id *processor_of, const inlay_id *order, int64_t max_events,
                trial *result)
{
    inlay_mapping *mapping = NULL;
    *result = (trial){.elapsed = NAN};
    bool by_period = p->options.objective == INLAY_OBJECTIVE_PERIOD;
    int status = trial_make(p, processor_of, order, &mapping, by_period ? &result->period : NULL);
    if (status == INLAY_OK) {
        mapping->summary.options.max_events = max_events;
        status = mapping_time(mapping, NULL);
    }
    if (status == INLAY_OK) {
        result->elapsed = mapping->summary.elapsed;
    }
    inlay_mapping_free(mapping);
    return status;
}
