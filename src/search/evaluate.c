/* A user's own placement, judged by its elapsed time. */
#include "mapping/evaluate.h"
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include "problem/remedy.h"
#include "search/elapsed.h"
#include <math.h>
#include <stdlib.h>

static int evaluate_timed(const inlay_app *app, const inlay_machine *machine, const placement_input *input,
                          const inlay_options *options, inlay_mapping **mapping, inlay_diag *diag)
{
    int status = evaluate_placement(app, machine, input, options, mapping, diag);
    if (status == INLAY_OK && (status = mapping_time(*mapping, diag)) != INLAY_OK) {
        inlay_mapping_free(*mapping);
        *mapping = NULL;
    }
    return status;
}

typedef struct evaluation {
    const inlay_app *app;
    const placement_input *input;
} evaluation;

static int ask_again(const void *context, const inlay_machine *machine, const inlay_options *options,
                     const inlay_diag *with, inlay_diag *diag)
{
    const evaluation *asked = context;
    inlay_mapping *mapping = NULL;
    (void)with;
    int status = evaluate_timed(asked->app, machine, asked->input, options, &mapping, diag);
    inlay_mapping_free(mapping);
    return status;
}

static int check_schedule(const inlay_app *app, const inlay_task_schedule *schedule, inlay_diag *diag)
{
    for (inlay_id i = 0; schedule->start != NULL && i < app->modules; i++) {
        if (!(schedule->start[i] >= 0) || isinf(schedule->start[i])) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "module '%s' is planned to start at %g; expected a time",
                             app->name[i], schedule->start[i]);
        }
    }
    return INLAY_OK;
}

int inlay_evaluate_schedule(const inlay_app *app, const inlay_machine *machine, const inlay_task_schedule *schedule,
                            const inlay_options *options, inlay_mapping **mapping, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (app == NULL || machine == NULL || schedule == NULL || schedule->module == NULL || schedule->processor == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a placement needs an application, a machine and processors");
    }
    int status = check_schedule(app, schedule, diag);
    if (status != INLAY_OK) {
        return status;
    }
    const placement_input input = {
        .method = "placement", .schedule = schedule, .reduced_from = -1, .estimate_unreduced = NAN};
    static const inlay_options defaults;
    const evaluation asked = {app, &input};
    status = evaluate_timed(app, machine, &input, options, mapping, diag);
    return remedy_prove(status, machine, options != NULL ? options : &defaults, ask_again, &asked, diag);
}

int inlay_evaluate(const inlay_app *app, const inlay_machine *machine, const inlay_id *processor_of,
                   const inlay_options *options, inlay_mapping **mapping, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (app == NULL || processor_of == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a placement needs an application, a machine and processors");
    }
    inlay_id *module = memory_array((size_t)app->modules, sizeof *module);
    for (inlay_id i = 0; module != NULL && i < app->modules; i++) {
        module[i] = i;
    }
    const inlay_task_schedule schedule = {app->modules, module, (inlay_id *)processor_of, false, NULL};
    int status = module == NULL ? diag_no_memory(diag)
                                : inlay_evaluate_schedule(app, machine, &schedule, options, mapping, diag);
    free(module);
    return status;
}
