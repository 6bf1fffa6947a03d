/* What `inlay simulate --engine` gives out, as JSON. */
#include "base/diag.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>

double inlay_engine_difference(const inlay_engine_run *run)
{
    return run->makespan > 0 ? (run->inlay - run->makespan) / run->makespan : NAN;
}

double inlay_engine_speed(const inlay_engine_run *run, double seconds)
{
    const double least = 1e-9; /* the clock's step */
    return (double)inlay_app_modules(inlay_mapping_app(run->mapping)) / fmax(seconds, least);
}

/* A run, and what the user called its mapping. */
typedef struct told {
    const inlay_engine_run *run;
    const char *file;
} told;

static int put_members(inlay_json *out, const void *of)
{
    const inlay_engine_run *run = ((const told *)of)->run;
    const inlay_app *app = inlay_mapping_app(run->mapping);
    const inlay_summary *sum = inlay_mapping_summary(run->mapping);
    inlay_json_string(out, "engine", run->engine);
    inlay_json_string(out, run->engine, run->version);
    inlay_json_put(out,
                   "mapping %s application %s machine %s time_unit %s makespan %g last_module %g estimate %g "
                   "inlay_makespan %g difference %g modules %d messages %" PRId64 " speed {",
                   ((const told *)of)->file, inlay_app_name(app),
                   inlay_machine_text(inlay_mapping_machine(run->mapping)), inlay_unit_name(inlay_app_unit(app)),
                   run->makespan, run->last_module, sum->estimate, run->inlay, inlay_engine_difference(run),
                   inlay_app_modules(app), run->messages);
    inlay_json_number(out, run->engine, inlay_engine_speed(run, run->engine_seconds));
    inlay_json_put(out, "inlay %g } processors [", inlay_engine_speed(run, run->inlay_seconds));
    for (inlay_id k = 0; k < sum->clusters; k++) {
        const inlay_engine_processor *one = &run->processor[k];
        inlay_json_put(out, "{ processor %d busy %g sent %" PRId64 " received %" PRId64 " }",
                       inlay_mapping_cluster(run->mapping, k).processor, one->busy, one->sent, one->received);
    }
    inlay_json_array_end(out);
    return INLAY_OK;
}

int inlay_engine_run_write_json(const inlay_engine_run *run, const inlay_result_context *context, const char *path,
                                inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    return inlay_result_write(context, put_members, &(told){run, context->file}, path, diag);
}
