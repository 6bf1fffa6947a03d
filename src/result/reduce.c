/* What `inlay reduce` prints, as JSON. */
#include "base/diag.h"
#include "result/fields.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>

/* A stochastic graph, and what it became. */
typedef struct told {
    const inlay_stochastic *graph;
    const inlay_stochastic_options *options;
    const inlay_app *app;
    double executions;
} told;

static void put_app(inlay_json *out, const inlay_app *app)
{
    inlay_app_totals sum = inlay_app_sum(app);
    inlay_json_put(out, "application { modules %d links %" PRId64 " blocks %d", inlay_app_modules(app),
                   inlay_app_links(app), inlay_app_blocks(app));
    result_put_time(out, "work", app, sum.work);
    inlay_json_put(out, "messages %" PRId64 " bytes %" PRId64 " }", sum.messages, sum.bytes);
}

static int put_members(inlay_json *out, const void *of)
{
    const told *t = of;
    const inlay_stochastic_summary *s = inlay_stochastic_summary_of(t->graph);
    inlay_json_put(out, "graph %s time_unit %s executions %" PRId64 " cycles %s", inlay_stochastic_name(t->graph),
                   inlay_unit_name(inlay_stochastic_unit(t->graph)), t->options->executions,
                   t->options->cycles == INLAY_CYCLES_FOLD ? "fold" : "traffic");
    inlay_json_put(out, "eor_modules %d links %" PRId64 " blocks %d loops %d modules_in_loops %d", s->eor_modules,
                   s->links, s->blocks, s->loops, s->looped);
    inlay_json_put(out, "visits %g work { mean %g standard_deviation %g } block_time %g", t->executions * s->visits,
                   t->executions * s->work, sqrt(t->executions) * s->work_deviation, t->executions * s->block_time);
    put_app(out, t->app);
    inlay_json_array(out, "modules");
    for (inlay_id i = 0; i < s->modules; i++) {
        inlay_json_put(out, "{ name %s kind %s visits %g time %g in_loop %hhd becomes %s }",
                       inlay_stochastic_module_name(t->graph, i), inlay_stochastic_is_eor(t->graph, i) ? "eor" : "and",
                       t->executions * inlay_stochastic_visits(t->graph, i),
                       t->executions * inlay_stochastic_time(t->graph, i), inlay_stochastic_in_loop(t->graph, i),
                       inlay_stochastic_place(t->graph, t->options, t->app, i));
    }
    inlay_json_array_end(out);
    return INLAY_OK;
}

int inlay_stochastic_write_json(const inlay_stochastic *graph, const inlay_stochastic_options *options,
                                const inlay_app *app, const inlay_result_context *context, const char *path,
                                inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    const told all = {graph, options, app, (double)options->executions};
    return inlay_result_write(context, put_members, &all, path, diag);
}
