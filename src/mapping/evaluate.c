/* A user's own placement, costed by the same rules. */
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include "layout/memories.h"
#include "mapping/evaluate.h"
#include "mapping/seats.h"
#include "mapping/solve.h"
#include "problem/remedy.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A placement may break what mapping would keep; the user is told. */
static void warn_of_breaches(const problem *p, const inlay_mapping *mapping, inlay_diag *diag)
{
    for (inlay_id i = 0; i < p->modules; i++) {
        inlay_id pin = inlay_app_pin(p->app, i), at = mapping->clusters[mapping->cluster_of[i]].processor;
        if (pin >= 0 && pin != at) {
            diag_warn(diag, "module '%s' is pinned to processor %d but placed on %d", inlay_app_module_name(p->app, i),
                      pin, at);
        }
    }
    for (inlay_id c = 0; c < mapping->summary.clusters; c++) {
        int64_t limit = kinds_of(&p->kinds, mapping->clusters[c].processor)->memory;
        if (limit >= 0 && mapping->clusters[c].memory > limit) {
            diag_warn(diag, "processor %d needs more memory than it has", mapping->clusters[c].processor);
        }
    }
}

/* T as given, or the default, raised above saturation; INLAY_NO_ANSWER where the one given saturates the network. */
static int choose_frame(const problem *p, const placement *place, frame *f, inlay_diag *diag)
{
    inlay_time largest;
    inlay_id module;
    double demand = 0;
    int status = largest_start(p, &largest, &module, diag);
    if (status == INLAY_OK) {
        status = placement_demand(p, place, &demand, diag);
    }
    if (status == INLAY_OK) {
        status = p->options.has_time_frame ? frame_from_options(p, f, diag)
                                           : frame_default(p, largest > 0 ? largest : 1, f, diag);
    }
    double u = status == INLAY_OK ? interconnect_utilisation(&p->network, demand, f->value) : 0;
    if (status != INLAY_OK || u < p->network.u_limit) {
        return status;
    }
    frame raised;
    char from[DECIMAL_TEXT], to[DECIMAL_TEXT];
    status = frame_above_saturation(p, demand, &raised, diag);
    if (status != INLAY_OK) {
        return status;
    }
    decimal_text(f->exact, from);
    decimal_text(raised.exact, to);
    if (f->given) {
        diag_remedy(diag, "-T", "%s", to);
        char over[SATURATION_TEXT];
        return diag_fail(
            diag, INLAY_NO_ANSWER, "the network is saturated within %s %s: %s; the least time frame below it is %s %s",
            from, inlay_unit_word(inlay_app_unit(p->app)), interconnect_saturation_text(u, p->network.u_limit, over),
            to, inlay_unit_word(inlay_app_unit(p->app)));
    }
    *f = frame_eased(p, &raised);
    return INLAY_OK;
}

/* Whose data blocks are read back: few. */
static inlay_id cluster_on(const placement *place, inlay_id processor)
{
    inlay_id c = 0;
    while (c < place->clusters - 1 && place->processor[c] != processor) {
        c++;
    }
    return c;
}

static int make_placement(const problem *p, const placement_input *input, placement *place, inlay_diag *diag)
{
    seats s;
    int status = seats_make(p, input->schedule, &s, diag);
    if (status == INLAY_OK) {
        status = seats_place(p, &s, input->schedule, input->method, place, diag);
        seats_clear(&s);
    }
    if (status != INLAY_OK) {
        return status;
    }
    place->reduced_from = input->reduced_from;
    place->estimate_unreduced = input->estimate_unreduced;
    for (inlay_id d = 0; input->home != NULL && d < inlay_app_blocks(p->app); d++) {
        place->home[d] = cluster_on(place, input->home[d]);
    }
    status = input->home == NULL ? placement_move_blocks(p, place, INT64_MAX, NULL, diag) : INLAY_OK;
    bool fits = true;
    if (status == INLAY_OK) {
        status = memories_fill(p, place, &fits, diag);
    }
    if (status == INLAY_OK && !fits) {
        diag_warn(diag, "the data blocks find no room in the common memory");
    }
    return status;
}

/* Where there is no memory for it the mapping goes. */
static int keep_plan(inlay_mapping *mapping, const double *start, inlay_diag *diag)
{
    size_t modules = (size_t)mapping->app->modules;
    mapping->planned = memory_array(modules, sizeof *start);
    if (mapping->planned == NULL) {
        inlay_mapping_free(mapping);
        return diag_no_memory(diag);
    }
    memcpy(mapping->planned, start, modules * sizeof *start);
    return INLAY_OK;
}

int evaluate_placement(const inlay_app *app, const inlay_machine *machine, const placement_input *input,
                       const inlay_options *options, inlay_mapping **mapping, inlay_diag *diag)
{
    problem p;
    placement place = {0};
    frame f = {0};
    int status = problem_make(app, machine, options, &p, diag);
    if (status != INLAY_OK) {
        return status;
    }
    status = make_placement(&p, input, &place, diag);
    if (status == INLAY_OK) {
        status = choose_frame(&p, &place, &f, diag);
        f.given = f.given && !input->frame_was_chosen;
    }
    if (status == INLAY_OK) {
        status = mapping_cost(&p, &place, &f, mapping, diag);
    }
    if (status == INLAY_OK && input->schedule->start != NULL) {
        status = keep_plan(*mapping, input->schedule->start, diag);
    }
    if (status == INLAY_OK) {
        warn_of_breaches(&p, *mapping, diag);
    }
    placement_clear(&place);
    problem_clear(&p);
    return status;
}

bool schedule_add(inlay_task_schedule *schedule, size_t *room, inlay_id module, inlay_id processor)
{
    size_t needed = (size_t)schedule->entries + 1, modules = *room;
    if (!memory_grow((void **)&schedule->module, &modules, needed, sizeof *schedule->module) ||
        !memory_grow((void **)&schedule->processor, room, needed, sizeof *schedule->processor)) {
        return false;
    }
    schedule->module[needed - 1] = module;
    schedule->processor[needed - 1] = processor;
    schedule->entries++;
    return true;
}

void inlay_task_schedule_clear(inlay_task_schedule *schedule)
{
    if (schedule != NULL) {
        free(schedule->module);
        free(schedule->processor);
        free(schedule->start);
        *schedule = (inlay_task_schedule){0};
    }
}
