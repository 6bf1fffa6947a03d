/*
 * The shortest cycle on a line: max T_i + R (u - 1) with W / sum r_i P_i. For the largest T_i, t, every used cluster
 * may as well have all the processors that t allows, and the u used ones are the u fastest.
 */
#include "base/diag.h"
#include "select/best.h"
#include "select/events.h"
#include <math.h>

typedef struct candidate {
    double cost, threshold;
    int32_t used; /* u */
} candidate;

static void look_at_counts(const select_model *model, const select_events *e, candidate *best)
{
    double least_computation = model->work / e->total;
    double speed = 0;
    if (model->router_cost == 0) {
        double cost = select_combined(model, least_computation, e->threshold);
        if (cost < best->cost) {
            *best = (candidate){cost, e->threshold, e->active};
        }
        return;
    }
    for (int32_t u = 1; u <= e->active; u++) {
        double communication = e->threshold + model->router_cost * (u - 1);
        if (select_combined(model, least_computation, communication) >= best->cost) {
            return;
        }
        speed += e->speed[e->order[u - 1]];
        double cost = select_combined(model, model->work / speed, communication);
        if (cost < best->cost) {
            *best = (candidate){cost, e->threshold, u};
        }
    }
}

int select_sweep_line(const select_model *model, select_best *best, inlay_diag *diag)
{
    select_events events;
    if (!select_events_make(&events, model)) {
        select_events_clear(&events);
        return diag_no_memory(diag);
    }
    const double least_computation = model->work / select_events_speed(model);
    candidate found = {INFINITY, 0, 0};
    select_events_begin(&events);
    while (select_events_next(&events) >= 0 &&
           select_combined(model, least_computation, events.threshold) < found.cost) {
        look_at_counts(model, &events, &found);
        best->looked_at++;
    }
    select_events_begin(&events);
    select_events_to(&events, found.threshold);
    for (int32_t n = found.used; n < model->clusters; n++) {
        events.processors[events.order[n]] = 0;
    }
    select_best_offer(best, events.processors, select_cycle(model, events.processors));
    best->lower_bound = best->cost[0];
    best->proven = true;
    select_events_clear(&events);
    return INLAY_OK;
}
