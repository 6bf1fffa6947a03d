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

/* A module, over all executions. */
typedef struct module_view {
    const char *name, *kind, *becomes;
    double visits, time;
    bool in_loop;
} module_view;

/* clang-format off */
#define OF_SUM(name, member) FIELD(inlay_stochastic_summary, name, member)
static const field counts[] = {
    OF_SUM("eor_modules", eor_modules), OF_SUM("links", links), OF_SUM("blocks", blocks), OF_SUM("loops", loops),
    OF_SUM("modules_in_loops", looped), FIELD_LAST};

#define OF_MODULE(member) FIELD(module_view, #member, member)
static const field modules[] = {
    OF_MODULE(name), OF_MODULE(kind), OF_MODULE(visits), OF_MODULE(time), OF_MODULE(in_loop), OF_MODULE(becomes),
    FIELD_LAST};
/* clang-format on */

static module_view view_module(const told *t, inlay_id i)
{
    return (module_view){.name = inlay_stochastic_module_name(t->graph, i),
                         .kind = inlay_stochastic_is_eor(t->graph, i) ? "eor" : "and",
                         .becomes = inlay_stochastic_place(t->graph, t->options, t->app, i),
                         .visits = t->executions * inlay_stochastic_visits(t->graph, i),
                         .time = t->executions * inlay_stochastic_time(t->graph, i),
                         .in_loop = inlay_stochastic_in_loop(t->graph, i)};
}

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
    fields_put(out, counts, s);
    inlay_json_put(out, "visits %g work { mean %g standard_deviation %g } block_time %g", t->executions * s->visits,
                   t->executions * s->work, sqrt(t->executions) * s->work_deviation, t->executions * s->block_time);
    put_app(out, t->app);
    inlay_json_array(out, "modules");
    for (inlay_id i = 0; i < s->modules; i++) {
        module_view view = view_module(t, i);
        fields_put_object(out, NULL, modules, &view);
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
