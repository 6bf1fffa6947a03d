/* Parts of the report that its page and its data share: the delay function, and tables as CSV. */
#include "report/report.h"
#include "result/fields.h"
#include <math.h>
#include <stdlib.h>

/* ---- Delay ---- */

bool report_delay_make(const inlay_report *of, report_delay *made)
{
    enum { POINTS = 40 };
    const inlay_summary *s = inlay_mapping_summary(of->mapping);
    inlay_delay_ask asks[POINTS];
    for (int i = 0; i < POINTS; i++) {
        asks[i] = (inlay_delay_ask){.source = INLAY_DELAY_POINTS, .value = 0.975 * i / (POINTS - 1)};
    }
    if (s->free_network || inlay_delay_new(of->machine->machine, &made->delay, NULL) != INLAY_OK) {
        return false;
    }
    made->list[0] = made->delay;
    made->marked = inlay_delay_at_utilisation(made->delay, s->u, &made->at, NULL) == INLAY_OK;
    return inlay_delay_study_make(made->list, 1, asks, POINTS, &made->study, NULL) == INLAY_OK;
}

void report_delay_clear(report_delay *made)
{
    inlay_delay_study_clear(&made->study);
    inlay_delay_free(made->delay);
}

/* ---- Tables ---- */

/* clang-format off */
#define OF_BOUND(member) FIELD(inlay_bound, #member, member)
static const field of_bound[] = {OF_BOUND(name), OF_BOUND(of_placement), OF_BOUND(value), OF_BOUND(holds), FIELD_LAST};
#define OF_LOAD(member) FIELD(inlay_resource, #member, member)
static const field of_load[] = {
    OF_LOAD(name), OF_LOAD(utilisation), OF_LOAD(mean_queue), OF_LOAD(largest_queue), OF_LOAD(mean_delay),
    OF_LOAD(transfers), FIELD_LAST};
/* clang-format on */

void report_bounds_csv(text_buffer *to, const inlay_report *of)
{
    csv_heading(to, of_bound);
    for (size_t i = 0; i < inlay_bounds(); i++) {
        const inlay_bound b = inlay_mapping_bound(of->mapping, i);
        csv_line(to, of_bound, &b);
    }
}

void report_loads_csv(text_buffer *to, const inlay_report *of)
{
    csv_heading(to, of_load);
    for (size_t i = 0; of->run != NULL && i < inlay_simulation_resources(of->run); i++) {
        const inlay_resource r = inlay_simulation_resource(of->run, i);
        csv_line(to, of_load, &r);
    }
}

void report_profile_csv(text_buffer *to, const inlay_report *of)
{
    inlay_parallelism_step *steps = NULL;
    size_t count = 0;
    (void)inlay_app_parallelism(of->app->app, &steps, &count, NULL);
    text_add(to, "time,modules\n");
    for (size_t i = 0; i < count; i++) {
        csv_number(to, inlay_app_in_units(of->app->app, steps[i].from));
        csv_integer(to, steps[i].modules);
        csv_end_line(to);
    }
    free(steps);
}
